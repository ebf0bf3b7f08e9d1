#include "server/rpc/info_encoding.h"

#include "server/session/resource_name.h"
#include "server/wire/settings_codec.h"

namespace talus::rpc {

namespace {

void EncodeRun(const RunInfo& run, v1::RunInfo& message) {
  message.set_running(run.running);
  if (run.call.real_time_factor.has_value()) {
    message.set_real_time_factor(*run.call.real_time_factor);
  }
  message.set_steps_done(run.steps_done);
  message.set_measured_factor(run.measured_factor);
  message.set_lag_s(run.lag_s);
}

}  // namespace

void EncodeSceneInfo(const SceneInfo& info, v1::SceneInfo& message) {
  message.set_scene(FormatSceneName(info.id));
  message.set_step_index(info.step_index);
  message.set_time_s(info.time_s);
  message.set_body_count(info.body_count);
  message.set_emitter_count(info.emitter_count);
  message.set_particles_pending(info.particles_pending);
  message.set_joint_count(info.joint_count);
  message.set_layout_version(info.layout_version);
  message.set_state_hash(info.state_hash);
  wire::EncodeSettings(info.settings, *message.mutable_settings());
  message.set_fault(info.fault);
  message.set_lease_holder(info.holder);
  message.set_evicted(info.evicted);
  message.set_idle_ttl_s(info.idle_ttl_s);
  EncodeRun(info.run, *message.mutable_run());
}

void EncodeSnapshotInfo(const SnapshotInfo& info, v1::SnapshotInfo& message) {
  if (!info.id.empty()) message.set_snapshot(FormatSnapshotName(info.id));
  message.set_step_index(info.step_index);
  message.set_state_hash(info.state_hash);
  message.set_byte_size(info.byte_size);
  message.set_created_unix_ms(info.created_unix_ms);
}

void EncodeLimits(const Limits& limits, v1::Limits& message) {
  message.set_message_bytes(limits.message_bytes);
  message.set_memory_bytes(limits.memory_bytes);
  message.set_connections(limits.connections);
  message.set_scenes(limits.scenes);
  message.set_bodies_per_scene(limits.bodies_per_scene);
  message.set_contacts_per_scene(limits.contacts_per_scene);
  message.set_steps_per_call(limits.steps_per_call);
  message.set_scenes_per_client(limits.scenes_per_client);
  message.set_steps_per_second(limits.steps_per_second);
  message.set_mailbox_depth(limits.mailbox_depth);
  message.set_watchers_per_scene(limits.watchers_per_scene);
  message.set_snapshot_bytes(limits.snapshot_bytes);
  message.set_snapshots(limits.snapshots);
  message.set_model_bytes(limits.model_bytes);
  message.set_analyses(limits.analyses);
  message.set_storage_bytes(limits.storage_bytes);
  message.set_recordings(limits.recordings);
  message.set_recording_bytes(limits.recording_bytes);
  message.set_recordings_per_scene(limits.recordings_per_scene);
  message.set_pipeline_depth(limits.pipeline_depth);
  message.set_lease_seconds(limits.lease_seconds);
  message.set_calls_per_second(limits.calls_per_second);
  message.set_call_burst(limits.call_burst);
}

}  // namespace talus::rpc
