// Lock-step control of a scene: one request, one answer, in order, over one stream. It holds the
// lease on the scene from Open to its end.
//
// One thread sends and receives; any thread may Cancel. An answer that tells of a failed request is
// an Error and leaves the stream open (is_open() says so); any other Error is its end.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "clients/cpp/client.h"
#include "talus/v1/control.pb.h"

namespace talus::client {

class Control {
 public:
  // The timeout of `options` covers the whole stream: none by default.
  static Result<Control> Open(Client client, const v1::ControlOpen& open,
                              const CallOptions& options = {std::chrono::milliseconds{0}, {}});
  Control(Control&&) noexcept;
  Control& operator=(Control&&) noexcept;
  // Gives the scene back without waiting for answers.
  ~Control();

  // What the server said when it opened: layout, value_count, pipeline_depth, ...
  const v1::ControlOpened& opened() const;
  // For CallOptions::lease of other calls that change the scene meanwhile.
  const std::string& lease() const { return opened().lease(); }
  bool is_open() const;

  // Steps under these values (of all actuators; none: as they are) and returns the answer.
  Result<v1::ControlStepped> Step(std::span<const double> values = {});
  Result<v1::ControlStepped> Step(const v1::ControlStep& request);
  // Pipelined: up to opened().pipeline_depth() requests may be without their answers.
  Result<Done> Send(const v1::ControlStep& request);
  Result<v1::ControlStepped> Receive();

  // Gives the scene back once everything sent is answered; what was not received is dropped.
  Result<Done> Close();
  void Cancel();

 private:
  struct Impl;
  explicit Control(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talus::client
