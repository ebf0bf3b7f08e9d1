#include "server/telemetry/http_endpoint.h"

#include <civetweb.h>

#include <utility>

#include "server/telemetry/log.h"

namespace talus::telemetry {
namespace {

const char* ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Service Unavailable";
  }
}

void Write(mg_connection* connection, const HttpAnswer& answer, bool with_body) {
  mg_printf(connection,
            "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: "
            "no-store\r\nConnection: close\r\n\r\n",
            answer.status, ReasonPhrase(answer.status), answer.content_type.c_str(),
            answer.body.size());
  if (with_body) mg_write(connection, answer.body.data(), answer.body.size());
}

int LogMessage(const mg_connection*, const char* message) {
  Log(LogLevel::kWarning, "metrics endpoint", {{"message", message}});
  return 1;
}

}  // namespace

struct HttpEndpoint::Impl {
  Pages pages;
  std::string address;
  mg_context* context = nullptr;

  ~Impl() {
    if (context != nullptr) mg_stop(context);
  }
  // Every request, before civetweb looks at what is asked for: what it answers to one for a
  // WebSocket needs more stack than its threads have.
  static int Serve(mg_connection* connection) {
    const Pages& pages = static_cast<Impl*>(mg_get_user_data(mg_get_context(connection)))->pages;
    const mg_request_info& request = *mg_get_request_info(connection);
    const std::string method = request.request_method;
    HttpAnswer answer;
    const auto page = pages.find(request.local_uri);
    if (method != "GET" && method != "HEAD") {
      answer = {.status = 405, .body = "only GET\n"};
    } else if (page == pages.end()) {
      answer = {.status = 404, .body = "no such page\n"};
    } else {
      answer = page->second();
    }
    Write(connection, answer, method != "HEAD");
    return answer.status;
  }
};

HttpEndpoint::HttpEndpoint(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpEndpoint::~HttpEndpoint() = default;

std::unique_ptr<HttpEndpoint> HttpEndpoint::Start(const std::string& address, Pages pages,
                                                  std::string* why) {
  static const unsigned features = mg_init_library(0);
  (void)features;
  auto impl = std::make_unique<Impl>();
  impl->pages = std::move(pages);
  const char* options[] = {"listening_ports",
                           address.c_str(),
                           "num_threads",
                           "2",
                           "connection_queue",
                           "16",
                           "listen_backlog",
                           "16",
                           "request_timeout_ms",
                           "5000",
                           "max_request_size",
                           "8192",
                           "enable_keep_alive",
                           "no",
                           "linger_timeout_ms",
                           "1000",
                           "enable_directory_listing",
                           "no",
                           nullptr};
  mg_callbacks callbacks{};
  callbacks.log_message = LogMessage;
  callbacks.begin_request = Impl::Serve;
  impl->context = mg_start(&callbacks, impl.get(), options);
  mg_server_port port{};
  if (impl->context == nullptr || mg_get_server_ports(impl->context, 1, &port) != 1) {
    *why = "cannot listen on " + address + " for metrics";
    return nullptr;
  }
  impl->address = address.substr(0, address.rfind(':') + 1) + std::to_string(port.port);
  return std::unique_ptr<HttpEndpoint>(new HttpEndpoint(std::move(impl)));
}

const std::string& HttpEndpoint::address() const { return impl_->address; }

}  // namespace talus::telemetry
