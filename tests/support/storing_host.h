// A scene host with a data directory of its own, a clock that the test turns, and the storage
// events it has told.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/session/scene_host.h"
#include "tests/support/ring.h"

namespace talus::testing {

class StoringHost : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "talus-host-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    options_.workers = 2;
    options_.workers_per_scene = 2;
    options_.limits.steps_per_call = kEndless;
    options_.data_directory = directory_.string();
    options_.report = [this](const StorageEvent& event) {
      MutexLock lock(mutex_);
      events_.push_back(event);
    };
    SetOptions();
    Open();
  }
  void TearDown() override {
    host_.reset();
    std::filesystem::remove_all(directory_);
  }
  // What the host is opened with besides.
  virtual void SetOptions() = 0;

  // As a server that was killed and starts again: nothing is drained. `clock` null: the machine's.
  void OpenWith(Clock* clock) {
    host_.reset();
    {
      MutexLock lock(mutex_);
      events_.clear();
    }
    auto opened = SceneHost::Open(options_, clock);
    ASSERT_TRUE(opened.ok()) << opened.status();
    host_ = *std::move(opened);
  }
  void Open() { OpenWith(&clock_); }

  SceneInfo Create(const std::string& id, const SceneDef& scene) {
    CreateSceneCall call;
    call.scene_id = id;
    call.source = scene;
    Answer<CreateSceneAnswer> answer;
    host_->registry().Create(std::move(call), answer.Done());
    return answer.Get().value().info;
  }
  absl::Status Delete(const std::string& id) {
    Answer<bool> answer;
    host_->registry().Delete(id, [done = answer.Done()](const absl::Status& status) {
      done(status.ok() ? absl::StatusOr<bool>(true) : status);
    });
    return answer.Get().status();
  }
  int CountEvents(const std::string& what, const std::string& resource) {
    MutexLock lock(mutex_);
    int count = 0;
    for (const StorageEvent& event : events_) {
      count += event.what == what && event.resource == resource ? 1 : 0;
    }
    return count;
  }

  std::filesystem::path directory_;
  ManualClock clock_;
  SceneHostOptions options_;
  std::unique_ptr<SceneHost> host_;

 private:
  Mutex mutex_;
  std::vector<StorageEvent> events_ TALUS_GUARDED_BY(mutex_);
};

}  // namespace talus::testing
