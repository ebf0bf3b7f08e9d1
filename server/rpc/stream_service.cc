#include "server/rpc/stream_service.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include <memory>
#include <utility>

#include "server/rpc/watch_feed.h"
#include "server/rpc/watch_reactor.h"
#include "server/rpc/watch_request.h"
#include "solver/base/status.h"

namespace talus::rpc {
namespace {

template <typename Request>
absl::StatusOr<Request> ParseRequest(const grpc::ByteBuffer& bytes) {
  grpc::ByteBuffer buffer = bytes;  // shares the slices; parsing consumes the buffer
  Request request;
  if (!grpc::SerializationTraits<Request>::Deserialize(&buffer, &request).ok()) {
    return absl::InvalidArgumentError("the request is no " + Request::descriptor()->name());
  }
  return request;
}

struct FeedPlan {
  std::unique_ptr<WatchFeed> feed;
  int64_t message_limit = 0;
};

absl::StatusOr<FeedPlan> PlanFrames(const ServiceContext& context, const grpc::ByteBuffer& bytes) {
  TALUS_ASSIGN_OR_RETURN(const auto message, ParseRequest<v1::WatchStateRequest>(bytes));
  TALUS_ASSIGN_OR_RETURN(WatchRequest request, DecodeWatchRequest(message));
  TALUS_ASSIGN_OR_RETURN(auto scene, FindScene(context, message.scene()));
  return FeedPlan{
      std::make_unique<FrameFeed>(std::move(scene), std::move(request.options), request.view),
      request.frame_limit};
}

absl::StatusOr<FeedPlan> PlanEvents(const ServiceContext& context, const grpc::ByteBuffer& bytes) {
  TALUS_ASSIGN_OR_RETURN(const auto message, ParseRequest<v1::WatchEventsRequest>(bytes));
  TALUS_ASSIGN_OR_RETURN(EventWatchOptions options, DecodeEventWatch(message));
  TALUS_ASSIGN_OR_RETURN(auto scene, FindScene(context, message.scene()));
  return FeedPlan{std::make_unique<EventFeed>(std::move(scene), std::move(options)), 0};
}

WatchReactor* Begin(WatchReactor* reactor, absl::StatusOr<FeedPlan> plan) {
  if (plan.ok()) {
    reactor->Start(std::move(plan->feed), plan->message_limit);
  } else {
    reactor->Refuse(plan.status());
  }
  return reactor;
}

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* StreamService::WatchState(
    grpc::CallbackServerContext* call_context, const grpc::ByteBuffer* request_bytes) {
  return Begin(WatchReactor::Make(*call_context, context_, "StreamService/WatchState"),
               PlanFrames(context_, *request_bytes));
}

grpc::ServerWriteReactor<grpc::ByteBuffer>* StreamService::WatchEvents(
    grpc::CallbackServerContext* call_context, const grpc::ByteBuffer* request_bytes) {
  return Begin(WatchReactor::Make(*call_context, context_, "StreamService/WatchEvents"),
               PlanEvents(context_, *request_bytes));
}

}  // namespace talus::rpc
