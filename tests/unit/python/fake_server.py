"""A scripted gRPC server in this process: answers each method as a test tells it to."""

import threading
import time
from concurrent import futures

import grpc
import numpy as np
from talus import methods
from talus.v1 import error_pb2, frame_pb2, stream_service_pb2


class FakeServer(grpc.GenericRpcHandler):
    """`answers` maps method name -> function(request, context) returning the response (or an iterator of them)."""

    def __init__(self):
        self.answers = {}
        self.requests = []
        self._server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
        self._server.add_generic_rpc_handlers((self,))
        port = self._server.add_insecure_port("127.0.0.1:0")
        self.address = f"127.0.0.1:{port}"
        self._server.start()

    def service(self, handler_call_details):
        for method in methods.ALL:
            if method.path == handler_call_details.method:
                return self._handler(method)
        return None

    def _handler(self, method):
        def answer(request, context):
            self.requests.append((method.name, request))
            return self.answers[method.name](request, context)

        make = grpc.unary_stream_rpc_method_handler if method.streams else grpc.unary_unary_rpc_method_handler
        return make(
            answer,
            request_deserializer=method.request_type.FromString,
            response_serializer=method.response_type.SerializeToString,
        )

    def stop(self):
        self._server.stop(0).wait()

    def last(self):
        return self.requests[-1][1]


def abort(code, reason, message="no", **detail):
    """An answer that fails with an error detail."""

    def answer(request, context):
        blob = error_pb2.ErrorDetail(reason=error_pb2.ErrorReason.Value("ERROR_REASON_" + reason), **detail)
        context.set_trailing_metadata((("talus-error-bin", blob.SerializeToString()),))
        context.abort(code, message)

    return answer


def sleep_until_cancelled(seen: threading.Event):
    """An answer that never comes; `seen` is set when the call has ended."""

    def answer(request, context):
        if not context.add_callback(seen.set):
            seen.set()  # it had ended before this was asked
        while context.is_active():
            time.sleep(0.01)
        context.abort(grpc.StatusCode.CANCELLED, "cancelled")

    return answer


def make_frame(index, rows=2, layout=False):
    frame = frame_pb2.Frame(step_index=index, layout_version=1)
    frame.bodies.positions_world_m = np.full(3 * rows, float(index)).tobytes()
    if layout:
        frame.layout.layout_version = 1
        frame.layout.body_ids.extend(range(1, rows + 1))
    return frame


def endless_frames(request, context):
    index = 0
    while context.is_active():
        yield stream_service_pb2.WatchStateResponse(frame=make_frame(index, layout=index == 0), dropped_since_last=index)
        index += 1
        time.sleep(0.002)


def endless_events(request, context):
    sequence = 0
    while context.is_active():
        yield stream_service_pb2.WatchEventsResponse(events=[stream_service_pb2.SceneEvent(kind=1, sequence=sequence)])
        sequence += 1
        time.sleep(0.002)
