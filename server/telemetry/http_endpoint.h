// A small HTTP server for what is read by GET and made anew each time: metrics and health.
//
// Two threads, a bounded queue of connections, requests that must come within seconds; it serves no
// file. Knows nothing of what the pages say.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace talus::telemetry {

struct HttpAnswer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
};

class HttpEndpoint {
 public:
  // Path -> page, as in `/metrics`. Called on threads of the endpoint.
  using Pages = std::map<std::string, std::function<HttpAnswer()>>;

  // Null when `address` (host:port or [v6]:port; port 0: any free one) cannot be had; `why` then
  // says so.
  static std::unique_ptr<HttpEndpoint> Start(const std::string& address, Pages pages,
                                             std::string* why);
  // Waits for the answers under way.
  ~HttpEndpoint();

  // The address as given, with the real port.
  const std::string& address() const;

 private:
  struct Impl;
  explicit HttpEndpoint(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus::telemetry
