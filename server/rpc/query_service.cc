#include "server/rpc/query_service.h"

#include <memory>
#include <utility>

#include "server/rpc/unary_call.h"
#include "server/wire/frame_codec.h"
#include "server/wire/joint_codec.h"
#include "server/wire/problem_codec.h"
#include "server/wire/ray_codec.h"
#include "server/wire/report_codec.h"
#include "solver/base/field_error.h"
#include "solver/base/status.h"

namespace talus::rpc {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

// Reads `scene_name` as `read` asks and ends the call with what `encode` makes of it.
template <typename Response, typename Encode>
UnaryCall<Response>* ReadScene(const ServiceContext& context, const std::string& scene_name,
                               const ReadCall& read, UnaryCall<Response>* call, Encode encode) {
  auto scene = FindScene(context, scene_name);
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  (*scene)->Read(read, call->control(), [call, encode](absl::StatusOr<ReadAnswer> answer) {
    if (answer.ok()) encode(*answer, call->response());
    call->End(answer.status());
  });
  return call;
}

// NOT_FOUND: a body that the frame has not.
absl::Status EncodeSelectedState(const FrameData& frame, wire::FrameView view,
                                 const BodySelection& bodies, v1::GetStateResponse& response) {
  if (!bodies.all()) {
    TALUS_ASSIGN_OR_RETURN(view.bodies, SelectedBodies::Resolve(bodies, *frame.layout));
  }
  wire::EncodeFrame(frame, view, *response.mutable_frame());
  return absl::OkStatus();
}

absl::StatusOr<bool> EncodeStepProblem(const StepProblem& problem,
                                       const v1::GetStepProblemRequest& request,
                                       v1::GetStepProblemResponse& response) {
  wire::EncodeStepProblem(problem, response);
  const std::string name = request.scene() + "/steps/" + std::to_string(problem.step_index);
  if (request.file_format() == v1::PROBLEM_FILE_FORMAT_UNSPECIFIED) {
    wire::EncodeProblem(problem.problem, *response.mutable_problem());
    response.mutable_problem()->set_name(name);
    return true;
  }
  ProblemFile file = {.name = name, .problem = problem.problem};
  if (problem.old_impulse.size() > 0) file.old_impulse = problem.old_impulse;
  file.reference_impulse = problem.impulse;
  file.reference_velocity = ComputeVelocity(problem.problem, problem.impulse);
  TALUS_ASSIGN_OR_RETURN(*response.mutable_file(),
                         wire::EncodeProblemFile(file, request.file_format(), "file_format"));
  return true;
}

}  // namespace

ServerUnaryReactor* QueryService::GetLayout(CallbackServerContext* call_context,
                                            const v1::GetLayoutRequest* request,
                                            v1::GetLayoutResponse* response) {
  return ReadScene(context_, request->scene(), {},
                   new UnaryCall("QueryService/GetLayout", *call_context, *response),
                   [](const ReadAnswer& answer, v1::GetLayoutResponse& out) {
                     wire::EncodeLayout(*answer.frame->layout, *out.mutable_layout());
                   });
}

ServerUnaryReactor* QueryService::GetState(CallbackServerContext* call_context,
                                           const v1::GetStateRequest* request,
                                           v1::GetStateResponse* response) {
  wire::FrameView view;
  if (request->has_selection()) {
    view = wire::DecodeView(request->selection());
  } else {
    view.parts = {.positions = true, .orientations = true, .velocities = true};
  }
  auto* call = new UnaryCall("QueryService/GetState", *call_context, *response);
  const auto scene = FindScene(context_, request->scene());
  const BodySelection bodies = wire::DecodeBodySelection(request->bodies());
  absl::Status status = scene.status();
  if (status.ok()) status = ValidateSelection(bodies);
  if (!status.ok()) {
    call->End(status);
    return call;
  }
  (*scene)->Read({.parts = view.parts}, call->control(),
                 [call, view, bodies](const absl::StatusOr<ReadAnswer>& answer) {
                   if (!answer.ok()) return call->End(answer.status());
                   call->End(EncodeSelectedState(*answer->frame, view, bodies, call->response()));
                 });
  return call;
}

ServerUnaryReactor* QueryService::GetContacts(CallbackServerContext* call_context,
                                              const v1::GetContactsRequest* request,
                                              v1::GetContactsResponse* response) {
  const wire::FrameView view{.parts = {.contacts = true}};
  return ReadScene(context_, request->scene(), {.parts = view.parts},
                   new UnaryCall("QueryService/GetContacts", *call_context, *response),
                   [view](const ReadAnswer& answer, v1::GetContactsResponse& out) {
                     wire::EncodeFrame(*answer.frame, view, *out.mutable_frame());
                   });
}

ServerUnaryReactor* QueryService::GetJoints(CallbackServerContext* call_context,
                                            const v1::GetJointsRequest* request,
                                            v1::GetJointsResponse* response) {
  return ReadScene(context_, request->scene(), {.parts = {}, .joints = true},
                   new UnaryCall("QueryService/GetJoints", *call_context, *response),
                   [](const ReadAnswer& answer, v1::GetJointsResponse& out) {
                     for (const JointRecord& joint : answer.joints) {
                       wire::EncodeJointState(joint, *out.add_joints());
                     }
                     out.set_step_index(answer.frame->step_index);
                   });
}

ServerUnaryReactor* QueryService::GetEnergy(CallbackServerContext* call_context,
                                            const v1::GetEnergyRequest* request,
                                            v1::GetEnergyResponse* response) {
  return ReadScene(context_, request->scene(), {.parts = {}, .energy = true},
                   new UnaryCall("QueryService/GetEnergy", *call_context, *response),
                   [](const ReadAnswer& answer, v1::GetEnergyResponse& out) {
                     wire::EncodeEnergy(answer.energy, *out.mutable_energy());
                     out.set_step_index(answer.frame->step_index);
                   });
}

ServerUnaryReactor* QueryService::GetDiagnostics(CallbackServerContext* call_context,
                                                 const v1::GetDiagnosticsRequest* request,
                                                 v1::GetDiagnosticsResponse* response) {
  return ReadScene(context_, request->scene(), {.parts = {.report = true}},
                   new UnaryCall("QueryService/GetDiagnostics", *call_context, *response),
                   [](const ReadAnswer& answer, v1::GetDiagnosticsResponse& out) {
                     wire::EncodeReport(answer.frame->report, *out.mutable_report());
                     out.set_mailbox_depth(static_cast<int32_t>(answer.mailbox_depth));
                     out.set_watcher_count(static_cast<int32_t>(answer.watcher_count));
                     out.set_fault(answer.info.fault);
                   });
}

ServerUnaryReactor* QueryService::GetStepProblem(CallbackServerContext* call_context,
                                                 const v1::GetStepProblemRequest* request,
                                                 v1::GetStepProblemResponse* response) {
  auto* call = new UnaryCall("QueryService/GetStepProblem", *call_context, *response);
  auto scene = FindScene(context_, request->scene());
  if (!scene.ok()) {
    call->End(scene.status());
    return call;
  }
  // Read at a step boundary; written out on a thread for that, because it may be large.
  (*scene)->Read(
      {.parts = {}, .problem = true}, call->control(),
      [this, call, request,
       client = context_.gate.NameClient(*call_context)](absl::StatusOr<ReadAnswer> answer) {
        if (!answer.ok()) return call->End(answer.status());
        if (answer->problem == nullptr) {
          return call->End(FieldError("scene", FormatValue(std::string_view(request->scene())),
                                      "must have made a step that kept its contact problem",
                                      absl::StatusCode::kNotFound));
        }
        context_.host.conversions().Submit<bool>(
            client, call->control(),
            [call, request, problem = std::move(answer->problem)](const AnalysisQueue::Stop&) {
              return EncodeStepProblem(*problem, *request, call->response());
            },
            [call](const absl::StatusOr<bool>& encoded) { call->End(encoded.status()); });
      });
  return call;
}

ServerUnaryReactor* QueryService::CastRays(CallbackServerContext* call_context,
                                           const v1::CastRaysRequest* request,
                                           v1::CastRaysResponse* response) {
  auto* call = new UnaryCall("QueryService/CastRays", *call_context, *response);
  auto query = wire::DecodeRayQuery(*request);
  if (!query.ok()) {
    call->End(query.status());
    return call;
  }
  auto rays = std::make_shared<const RayQuery>(*std::move(query));
  return ReadScene(context_, request->scene(), {.parts = {}, .rays = std::move(rays)}, call,
                   [](const ReadAnswer& answer, v1::CastRaysResponse& out) {
                     wire::EncodeRayHits(answer.ray_hits, *out.mutable_hits());
                     out.set_step_index(answer.frame->step_index);
                     out.set_layout_version(answer.frame->layout_version());
                   });
}

}  // namespace talus::rpc
