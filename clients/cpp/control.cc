#include "clients/cpp/control.h"

#include <grpcpp/grpcpp.h>

#include <optional>
#include <utility>

#include "clients/cpp/stub_call.h"
#include "clients/cpp/stubs.h"

namespace talus::client {
namespace {

struct Canceller {
  grpc::ClientContext* context;
  void operator()() const { context->TryCancel(); }
};

Error DecodeAnswer(const v1::ErrorStatus& status) {
  return {static_cast<Code>(status.code()), status.message(), status.detail()};
}

}  // namespace

struct Control::Impl {
  using Stream = std::unique_ptr<grpc::ClientReaderWriter<v1::ControlRequest, v1::ControlResponse>>;

  Impl(Client connection, const CallOptions& options) : client(std::move(connection)) {
    ApplyOptions(options, &context);
    stream = client.stubs_->simulation.Control(&context);
    on_stop.emplace(options.stop, Canceller{&context});
  }
  ~Impl() {
    if (!over) context.TryCancel();
    (void)End();
  }

  // Waits for the end; to be called once nothing more is sent.
  Result<Done> End() {
    if (!over) {
      over = true;
      v1::ControlResponse rest;
      while (stream->Read(&rest)) {
      }
      status = stream->Finish();
    }
    if (!status.ok()) return DecodeError(status, context);
    return Done{};
  }
  // The stream has ended although it was to go on.
  Error Explain() {
    const Result<Done> end = End();
    return end ? Error{Code::kCancelled, "the control is closed", {}} : end.error();
  }
  bool Write(const v1::ControlRequest& message) { return !over && stream->Write(message); }
  bool Read() { return !over && stream->Read(&response); }

  Client client;
  grpc::ClientContext context;
  Stream stream;
  std::optional<std::stop_callback<Canceller>> on_stop;
  v1::ControlOpened opened;
  v1::ControlRequest request;
  v1::ControlResponse response;
  bool over = false;
  grpc::Status status;
};

Result<Control> Control::Open(Client client, const v1::ControlOpen& open,
                              const CallOptions& options) {
  auto impl = std::make_unique<Impl>(std::move(client), options);
  *impl->request.mutable_open() = open;
  if (!impl->Write(impl->request) || !impl->Read()) return impl->Explain();
  impl->opened = std::move(*impl->response.mutable_opened());
  return Control(std::move(impl));
}

Control::Control(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Control::Control(Control&&) noexcept = default;
Control& Control::operator=(Control&&) noexcept = default;
Control::~Control() = default;

const v1::ControlOpened& Control::opened() const { return impl_->opened; }

bool Control::is_open() const { return !impl_->over; }

Result<v1::ControlStepped> Control::Step(std::span<const double> values) {
  v1::ControlStep& step = *impl_->request.mutable_step();
  step.Clear();
  step.mutable_values()->Add(values.begin(), values.end());
  if (!impl_->Write(impl_->request)) return impl_->Explain();
  return Receive();
}

Result<v1::ControlStepped> Control::Step(const v1::ControlStep& request) {
  const Result<Done> sent = Send(request);
  if (!sent) return sent.error();
  return Receive();
}

Result<Done> Control::Send(const v1::ControlStep& request) {
  *impl_->request.mutable_step() = request;
  if (!impl_->Write(impl_->request)) return impl_->Explain();
  return Done{};
}

Result<v1::ControlStepped> Control::Receive() {
  if (!impl_->Read()) return impl_->Explain();
  if (impl_->response.has_error()) return DecodeAnswer(impl_->response.error());
  return std::move(*impl_->response.mutable_stepped());
}

Result<Done> Control::Close() {
  if (!impl_->over) impl_->stream->WritesDone();
  return impl_->End();
}

void Control::Cancel() { impl_->context.TryCancel(); }

}  // namespace talus::client
