#include "server/rpc/environment_agent.h"

#include <utility>

#include "server/rpc/environment_settings.h"
#include "server/rpc/field_names.h"
#include "server/rpc/status.h"
#include "server/session/error.h"
#include "server/session/resource_name.h"
#include "server/telemetry/log.h"
#include "solver/base/status.h"
#include "talus/v1/error.pb.h"

namespace talus::rpc {
namespace {

env::EnvironmentResponse MakeError(const absl::Status& status) {
  v1::ErrorStatus error;
  EncodeErrorStatus(status, error);
  env::EnvironmentResponse response;
  response.mutable_error()->set_code(error.code());
  response.mutable_error()->set_message(error.message());
  response.mutable_error()->add_details()->PackFrom(error.detail());
  return response;
}

// What is asked does not fit where the conversation is.
absl::Status OutOfPlaceError(const std::string& request, const std::string& allowed) {
  ErrorInfo info;
  info.reason = ErrorReason::kInvalidField;
  info.field = "payload";
  info.value = request;
  info.allowed = allowed;
  return talus::MakeError(absl::StatusCode::kFailedPrecondition, request + ' ' + allowed, info);
}

absl::Status NotJoinedError(const std::string& request) {
  return OutOfPlaceError(request, "must come after join_world");
}

absl::Status UnknownRequestError(const std::string& request) {
  ErrorInfo info;
  info.field = "payload";
  info.value = request;
  return talus::MakeError(absl::StatusCode::kUnimplemented, request + " is not offered", info);
}

void LogWorld(const char* what, const std::string& scene, const std::string& peer) {
  telemetry::Log(telemetry::LogLevel::kInfo, what, {{"scene", scene}, {"peer", peer}});
}

absl::StatusOr<std::shared_ptr<SceneActor>> FindWorld(const ServiceContext& context,
                                                      const std::string& name) {
  TALUS_ASSIGN_OR_RETURN(const std::string id, ParseSceneName(name, "world_name"));
  auto scene = context.host.registry().Find(id);
  if (scene.ok()) return *std::move(scene);
  return RenameField(scene.status(), [](std::string_view) { return "world_name"; });
}

}  // namespace

void EnvironmentAgent::Process(const env::EnvironmentRequest& request, const Answer& answer) {
  using Request = env::EnvironmentRequest;
  switch (request.payload_case()) {
    case Request::kCreateWorld:
      return Create(request.create_world(), answer);
    case Request::kJoinWorld:
      return Join(request.join_world(), answer);
    case Request::kStep:
      return Step(request.step(), answer);
    case Request::kReset:
      return Reset(request.reset(), answer);
    case Request::kResetWorld:
      return ResetWorld(request.reset_world(), answer);
    case Request::kLeaveWorld:
      return LeaveWorld(answer);
    case Request::kDestroyWorld:
      return Destroy(request.destroy_world(), answer);
    case Request::kReadProperty:
      return answer(MakeError(UnknownRequestError("read_property")));
    case Request::kWriteProperty:
      return answer(MakeError(UnknownRequestError("write_property")));
    case Request::kListProperty:
      return answer(MakeError(UnknownRequestError("list_property")));
    case Request::kExtension:
      return answer(MakeError(UnknownRequestError("extension")));
    case Request::PAYLOAD_NOT_SET:
      return answer(MakeError(InvalidFieldError("payload", "", "must be set")));
  }
}

void EnvironmentAgent::Create(const env::CreateWorldRequest& request, const Answer& answer) {
  absl::StatusOr<WorldSettings> settings =
      DecodeWorldSettings(request.settings(), context_.host.library());
  if (!settings.ok()) return answer(MakeError(settings.status()));
  const Completion<CreateSceneAnswer> done =
      [answer, peer = peer_, origin = settings->origin,
       overrides = settings->overrides](const absl::StatusOr<CreateSceneAnswer>& created) {
        if (!created.ok()) {
          return answer(MakeError(NameWorldSettings(created.status(), origin, overrides)));
        }
        const std::string name = FormatSceneName(created->info.id);
        LogWorld("world created", name, peer);
        env::EnvironmentResponse response;
        response.mutable_create_world()->set_world_name(name);
        answer(std::move(response));
      };
  CreateSceneCall create;
  create.scene_id = settings->scene_id;
  create.client = client_;
  if (const std::string* snapshot = std::get_if<std::string>(&settings->source)) {
    context_.host.archive().CreateScene(std::move(create), *snapshot, done);
  } else {
    create.source = std::get<SceneDef>(std::move(settings->source));
    context_.host.registry().Create(std::move(create), done);
  }
}

void EnvironmentAgent::Join(const env::JoinWorldRequest& request, const Answer& answer) {
  if (const SessionPtr joined = session(); joined != nullptr) {
    return answer(
        MakeError(OutOfPlaceError("join_world", "must come after leave_world: this stream is in " +
                                                    FormatSceneName(joined->scene_id()))));
  }
  const auto scene = FindWorld(context_, request.world_name());
  if (!scene.ok()) return answer(MakeError(scene.status()));
  absl::StatusOr<EnvironmentOptions> options = DecodeJoinSettings(
      request.settings(), peer_.substr(0, kLongestHolder), context_.host.options().limits);
  if (!options.ok()) return answer(MakeError(options.status()));
  const SessionPtr session =
      EnvironmentSession::Make(*scene, context_.host.clock(), *std::move(options));
  {
    MutexLock lock(mutex_);
    joining_ = session;
  }
  session->Join([self = shared_from_this(), session,
                 answer](const absl::StatusOr<EnvironmentWorldPtr>& world) {
    if (!world.ok()) {
      self->SetSession(nullptr);
      return answer(MakeError(NameJoinSettings(world.status())));
    }
    self->Joined(session, *world, answer);
  });
}

void EnvironmentAgent::Joined(const SessionPtr& session, const EnvironmentWorldPtr& world,
                              const Answer& answer) {
  SetSession(session);
  world_ = world;
  env::EnvironmentResponse response;
  EncodeSpecs(*world, *response.mutable_join_world()->mutable_specs());
  answer(std::move(response));
}

void EnvironmentAgent::Step(const env::StepRequest& request, const Answer& answer) {
  const SessionPtr joined = session();
  if (joined == nullptr) return answer(MakeError(NotJoinedError("step")));
  absl::StatusOr<RequestedObservations> requested = DecodeRequested(request, *world_);
  if (!requested.ok()) return answer(MakeError(requested.status()));
  std::vector<EnvironmentAct> acts;
  if (joined->running()) {  // else they are ignored, whatever they are
    absl::StatusOr<std::vector<EnvironmentAct>> decoded = DecodeActs(request, *world_);
    if (!decoded.ok()) return answer(MakeError(decoded.status()));
    acts = *std::move(decoded);
  }
  const bool joints = requested->joints;
  joined->Step(std::move(acts), joints,
               [world = world_, requested = *std::move(requested),
                answer](const absl::StatusOr<EnvironmentMoment>& moment) {
                 if (!moment.ok()) return answer(MakeError(NameJoinSettings(moment.status())));
                 env::EnvironmentResponse response;
                 EncodeMoment(*moment, *world, requested, *response.mutable_step());
                 answer(std::move(response));
               });
}

void EnvironmentAgent::Reset(const env::ResetRequest& request, const Answer& answer) {
  const SessionPtr joined = session();
  if (joined == nullptr) return answer(MakeError(NotJoinedError("reset")));
  if (absl::Status status = CheckNoSettings(request.settings()); !status.ok())
    return answer(MakeError(status));
  joined->Reset(
      [self = shared_from_this(), answer](const absl::StatusOr<EnvironmentWorldPtr>& world) {
        if (!world.ok()) return answer(MakeError(NameJoinSettings(world.status())));
        self->world_ = *world;
        env::EnvironmentResponse response;
        EncodeSpecs(**world, *response.mutable_reset()->mutable_specs());
        answer(std::move(response));
      });
}

void EnvironmentAgent::ResetWorld(const env::ResetWorldRequest& request, const Answer& answer) {
  const auto scene = FindWorld(context_, request.world_name());
  if (!scene.ok()) return answer(MakeError(scene.status()));
  if (absl::Status status = CheckNoSettings(request.settings()); !status.ok())
    return answer(MakeError(status));
  const auto end = [answer](const absl::Status& status) {
    if (!status.ok()) return answer(MakeError(status));
    env::EnvironmentResponse response;
    response.mutable_reset_world();
    answer(std::move(response));
  };
  const SessionPtr joined = session();
  if (joined == nullptr || joined->scene_id() != (*scene)->id()) {
    // Whoever is in it holds the lease, so this one waits for nobody and is refused instead.
    (*scene)->Reset({}, nullptr,
                    [end](const absl::StatusOr<SceneInfo>& info) { end(info.status()); });
    return;
  }
  joined->Reset([self = shared_from_this(), end](const absl::StatusOr<EnvironmentWorldPtr>& world) {
    if (world.ok()) self->world_ = *world;
    end(NameJoinSettings(world.status()));
  });
}

void EnvironmentAgent::LeaveWorld(const Answer& answer) {
  if (const SessionPtr joined = session(); joined != nullptr) joined->Leave();
  SetSession(nullptr);
  world_ = nullptr;
  env::EnvironmentResponse response;
  response.mutable_leave_world();
  answer(std::move(response));
}

void EnvironmentAgent::Destroy(const env::DestroyWorldRequest& request, const Answer& answer) {
  const auto scene = FindWorld(context_, request.world_name());
  if (!scene.ok()) return answer(MakeError(scene.status()));
  const std::string id = (*scene)->id();
  const SessionPtr joined = session();
  if (joined != nullptr && joined->scene_id() == id) {
    return answer(MakeError(
        OutOfPlaceError("destroy_world", "must come after leave_world: this stream is in it")));
  }
  if (const std::string holder = (*scene)->info().holder; !holder.empty())
    return answer(MakeError(LeaseHeldError(holder)));
  context_.host.registry().Delete(
      id, [answer, name = FormatSceneName(id), peer = peer_](const absl::Status& status) {
        if (!status.ok()) return answer(MakeError(status));
        LogWorld("world destroyed", name, peer);
        env::EnvironmentResponse response;
        response.mutable_destroy_world();
        answer(std::move(response));
      });
}

EnvironmentAgent::SessionPtr EnvironmentAgent::session() {
  MutexLock lock(mutex_);
  return session_;
}

void EnvironmentAgent::SetSession(SessionPtr session) {
  SessionPtr late;
  {
    MutexLock lock(mutex_);
    joining_ = nullptr;
    if (left_) late = session;
    session_ = std::move(session);
  }
  if (late != nullptr) late->Leave();
}

void EnvironmentAgent::Leave() {
  SessionPtr session;
  {
    MutexLock lock(mutex_);
    left_ = true;
    session = session_ != nullptr ? session_ : joining_;
  }
  if (session != nullptr) session->Leave();
}

}  // namespace talus::rpc
