#include "server/rpc/control_reactor.h"

#include <string>
#include <utility>

#include "server/rpc/control_codec.h"
#include "server/rpc/status.h"
#include "server/session/error.h"

namespace talus::rpc {
namespace {

constexpr std::string_view kControlMethod = "SimulationService/Control";

}  // namespace

ControlReactor* ControlReactor::Make(grpc::CallbackServerContext& call_context,
                                     const ServiceContext& context,
                                     OpenStreams<ControlReactor>& streams) {
  std::shared_ptr<ControlReactor> reactor(new ControlReactor(call_context, context, streams));
  reactor->self_ = reactor;
  streams.Add(reactor);
  reactor->Advance();
  return reactor.get();
}

void ControlReactor::OnReadDone(bool ok) {
  const std::shared_ptr<ControlReactor> self = shared_from_this();
  bool opened = false;
  int64_t request = 0;
  {
    MutexLock lock(mutex_);
    opened = session_ != nullptr;
    if (ok && opened) {
      request = first_ + static_cast<int64_t>(answers_.size());
      answers_.emplace_back();
    }
    half_closed_ = half_closed_ || !ok;
  }
  if (ok && !opened && request_.has_open()) {
    Open(request_.open());
  } else if (ok && !opened) {
    End(InvalidFieldError("request", "no open", "must be open, as the first of a stream"));
  } else if (ok && request_.has_step()) {
    context_.call_threads.NoteCall(this);
    Step(request_.step(), request);
  } else if (ok) {
    AnswerError(request, InvalidFieldError("request", "no step", "must be step once it is open"));
  }
  {
    // Not before: the next read overwrites the request.
    MutexLock lock(mutex_);
    reading_ = false;
  }
  Advance();
}

void ControlReactor::Open(const v1::ControlOpen& open) {
  const absl::StatusOr<ControlOptions> options =
      DecodeControlOpen(open, call_context_.peer(), limits());
  if (!options.ok()) return End(options.status());
  auto scene = FindScene(context_, open.scene());
  if (!scene.ok()) return End(scene.status());
  view_ = DecodeControlView(open);
  bodies_ = wire::DecodeBodySelection(open.bodies());
  if (absl::Status valid = ValidateSelection(bodies_); !valid.ok()) return End(valid);
  const std::weak_ptr<ControlReactor> weak = weak_from_this();
  const auto session =
      ControlSession::Make(*scene, context_.host.clock(), *options, [weak](const absl::Status& s) {
        if (const auto self = weak.lock()) self->End(s);
      });
  {
    MutexLock lock(mutex_);
    if (end_.has_value()) return;  // a cancel found no session to close
    session_ = session;
    opening_ = true;
  }
  session->Open([self = shared_from_this()](const absl::StatusOr<ControlOpening>& opening) {
    self->Begin(opening);
  });
}

void ControlReactor::Begin(const absl::StatusOr<ControlOpening>& opening) {
  if (!opening.ok()) return End(opening.status());
  if (!bodies_.all()) {
    auto bodies = SelectedBodies::Resolve(bodies_, *opening->layout);
    if (!bodies.ok()) return End(bodies.status());
    view_.bodies = *std::move(bodies);
  }
  v1::ControlResponse response;
  v1::ControlOpened& opened = *response.mutable_opened();
  opened.set_step_index(opening->info.step_index);
  opened.set_time_step_s(opening->info.settings.time_step_s);
  opened.set_lease(opening->lease);
  opened.set_value_count(opening->value_count);
  opened.set_pipeline_depth(static_cast<int32_t>(limits().pipeline_depth));
  opened.set_period_s(opening->period_s);
  wire::EncodeLayout(*opening->layout, *opened.mutable_layout());
  layout_version_ = opening->layout->version;
  {
    MutexLock lock(mutex_);
    opening_ = false;
    answers_.emplace_back(std::move(response));
  }
  Advance();
}

void ControlReactor::Step(const v1::ControlStep& step, int64_t request) {
  std::shared_ptr<ControlSession> session;
  {
    MutexLock lock(mutex_);
    session = session_;
  }
  session->Submit(DecodeControlStep(step), [self = shared_from_this(),
                                            request](const absl::StatusOr<ControlAnswer>& answer) {
    self->AnswerStepped(request, answer);
  });
}

void ControlReactor::AnswerStepped(int64_t request, const absl::StatusOr<ControlAnswer>& answer) {
  if (!answer.ok()) return AnswerError(request, answer.status());
  const FrameData& frame = *answer->step.frame;
  wire::FrameView view = view_;
  view.layout = view.layout || frame.layout_version() != layout_version_;
  layout_version_ = frame.layout_version();
  v1::ControlResponse response;
  v1::ControlStepped& stepped = *response.mutable_stepped();
  wire::EncodeFrame(frame, view, *stepped.mutable_frame());
  stepped.set_steps_done(answer->step.steps_done);
  stepped.set_worst_residual(answer->step.worst_residual);
  stepped.set_unconverged_steps(answer->step.unconverged_steps);
  stepped.set_tick(answer->tick);
  stepped.set_missed(answer->missed);
  stepped.set_lateness_s(answer->lateness_s);
  Answer(request, std::move(response));
}

void ControlReactor::AnswerError(int64_t request, const absl::Status& status) {
  v1::ControlResponse response;
  EncodeErrorStatus(status, *response.mutable_error());
  Answer(request, std::move(response));
}

void ControlReactor::Answer(int64_t request, v1::ControlResponse response) {
  {
    MutexLock lock(mutex_);
    answers_[static_cast<size_t>(request - first_)] = std::move(response);
  }
  Advance();
}

void ControlReactor::OnWriteDone(bool) {
  const std::shared_ptr<ControlReactor> self = shared_from_this();
  {
    // A write that failed belongs to a call that is being cancelled.
    MutexLock lock(mutex_);
    answers_.pop_front();
    ++first_;
    writing_ = false;
  }
  Advance();
}

void ControlReactor::OnCancel() {
  const std::shared_ptr<ControlReactor> self = shared_from_this();
  std::shared_ptr<ControlSession> session;
  {
    // At once, so that an opening sees the end or is seen.
    MutexLock lock(mutex_);
    if (!end_.has_value()) end_ = CancelledError();
    session = session_;
  }
  if (session != nullptr) session->Close();
  End(CancelledError());
}

void ControlReactor::End(const absl::Status& status) {
  {
    MutexLock lock(mutex_);
    if (!end_.has_value()) end_ = status;
    opening_ = false;
  }
  Advance();
}

void ControlReactor::Advance() {
  // What began may have ended meanwhile, and the call with it.
  while (BeginNext()) {
  }
}

bool ControlReactor::BeginNext() {
  const v1::ControlResponse* answer = nullptr;
  std::optional<absl::Status> end;
  std::shared_ptr<ControlSession> session;
  bool read = false;
  {
    MutexLock lock(mutex_);
    if (finished_) return false;
    if (!writing_ && !answers_.empty() && answers_.front().has_value()) {
      writing_ = true;
      answer = &*answers_.front();
    }
    const bool over = end_.has_value() || (half_closed_ && !opening_);
    if (over && answers_.empty() && starting_ == 0) {
      finished_ = true;
      end = end_.value_or(absl::OkStatus());
      session = session_;
    }
    if (!over && !reading_ && !opening_ && std::ssize(answers_) < limits().pipeline_depth) {
      reading_ = read = true;
    }
    if (answer != nullptr || read) ++starting_;
  }
  if (answer != nullptr) StartWrite(answer);
  if (read) StartRead(&request_);
  if (answer != nullptr || read) {
    MutexLock lock(mutex_);
    --starting_;
    return true;
  }
  if (!end.has_value()) return false;
  if (session != nullptr) session->Close();
  Finish(EncodeStatus(*end, kControlMethod, call_context_));
  return false;
}

void ControlReactor::OnDone() {
  streams_.Remove(this);
  self_.reset();  // the last owner unless a completion is still to come; nothing may follow
}

}  // namespace talus::rpc
