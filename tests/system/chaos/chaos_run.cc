#include "tests/system/chaos/chaos_run.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/system/chaos/scene_recipe.h"

namespace talus::chaos {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Beyond the longest that calls may take by themselves.
constexpr double kMostSecondsToEnd = 600.0;
constexpr int kCheckers = 4;
// Sockets of clients that the server has yet to notice the end of, and its own files.
constexpr int64_t kMostFilesMore = 16;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

ChaosRun::ChaosRun(const ChaosOptions& options, std::string address)
    : options_(options),
      address_(std::move(address)),
      stage_{options.scenes * 3 / 5, options.scenes - options.scenes * 3 / 5},
      inspector_(std::make_unique<Caller>(address_, alarms_, tally_)) {
  for (int k = 0; k < options_.clients; ++k) {
    callers_.push_back(std::make_unique<Caller>(address_, alarms_, tally_));
  }
  for (int k = 0; k < stage_.owned; ++k) {
    Dice dice(options_.seed, k, -1);
    owners_.push_back(std::make_unique<Owner>(*callers_[static_cast<size_t>(k)],
                                              "own-" + std::to_string(k), dice));
  }
}

v1::GetServerInfoResponse ChaosRun::AskServer() {
  v1::GetServerInfoRequest request;
  v1::GetServerInfoResponse response;
  inspector_->Call(TALUS_CHAOS_CALL(server, ServerService, GetServerInfo), request, &response);
  return response;
}

void ChaosRun::Own(int number) {
  Owner& owner = *owners_[static_cast<size_t>(number)];
  for (int64_t turn = 0; !ending_ && owner.sound(); ++turn) {
    Dice dice(options_.seed, number, turn);
    owner.TakeTurn(dice);
    std::this_thread::sleep_for(milliseconds(dice.Draw(0, 400)));
  }
  if (owner.sound()) owner.Finish();
  --at_work_;
}

void ChaosRun::Harass(int number) {
  Disturber disturber(*callers_[static_cast<size_t>(number)], stage_, number - stage_.owned);
  for (int64_t turn = 0; !ending_; ++turn) {
    Dice dice(options_.seed, number, turn);
    disturber.TakeTurn(dice, turn);
    if (options_.vandal && number == stage_.owned) disturber.DoHarm(dice);
    std::this_thread::sleep_for(milliseconds(dice.Draw(0, 400)));
  }
  --at_work_;
}

void ChaosRun::Supervise() {
  const Clock::time_point start = Clock::now();
  const double pause_s = std::min(1.0, options_.seconds / 20.0);
  int64_t told = 0;
  while (at_work_ > 0) {
    const double passed = SecondsSince(start);
    if (passed > options_.seconds) ending_ = true;
    if (passed > options_.seconds + kMostSecondsToEnd) {
      std::fprintf(stderr, "chaos: %d clients never ended: a deadlock\n", at_work_.load());
      std::_Exit(1);
    }
    const v1::GetServerInfoResponse info = AskServer();
    const double mib = static_cast<double>(info.memory_bytes()) / (1 << 20);
    const double heap_mib = static_cast<double>(info.heap_bytes()) / (1 << 20);
    if (!ending_) memory_.Add(passed, mib);
    if (!ending_) heap_.Add(passed, heap_mib);
    if (static_cast<int64_t>(passed / 10.0) > told) {
      told = static_cast<int64_t>(passed / 10.0);
      std::fprintf(stderr,
                   "chaos: %4.0f of %.0f s, %lld calls, %lld harms, %lld scenes, %lld files, %.1f "
                   "MiB, %.1f of them heap, %d clients\n",
                   passed, options_.seconds, static_cast<long long>(tally_.call_count()),
                   static_cast<long long>(tally_.blame_count()),
                   static_cast<long long>(info.scene_count()),
                   static_cast<long long>(info.open_files()), mib, heap_mib, at_work_.load());
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
  }
}

void ChaosRun::Disturb() {
  const int64_t files_before = AskServer().open_files();
  for (const std::unique_ptr<Owner>& owner : owners_) owner->Create();
  std::vector<std::thread> threads;
  at_work_ = options_.clients;
  for (int k = 0; k < options_.clients; ++k) {
    threads.emplace_back([this, k] { k < stage_.owned ? Own(k) : Harass(k); });
  }
  Supervise();
  for (std::thread& thread : threads) thread.join();
  for (int k = stage_.owned; k < options_.clients; ++k) callers_[static_cast<size_t>(k)].reset();
  for (int k = 0; k < stage_.owned; ++k) callers_[static_cast<size_t>(k)]->Disconnect();
  // Of clients that have gone nothing stays open.
  const Clock::time_point end = Clock::now() + std::chrono::seconds(120);
  int64_t files = AskServer().open_files();
  while (files > files_before + kMostFilesMore && Clock::now() < end) {
    std::this_thread::sleep_for(milliseconds(200));
    files = AskServer().open_files();
  }
  std::printf("chaos: open files %lld before, %lld after\n", static_cast<long long>(files_before),
              static_cast<long long>(files));
  if (files > files_before + kMostFilesMore)
    tally_.Blame("files of clients that are gone stay open");
}

void ChaosRun::Check() {
  std::atomic<int> next = 0;
  std::vector<std::thread> threads;
  for (int k = 0; k < kCheckers; ++k) threads.emplace_back([&] { CheckScenes(next); });
  for (std::thread& thread : threads) thread.join();
  for (const std::unique_ptr<Owner>& owner : owners_) inputs_checked_ += owner->log().size();
  DeleteScenes();
}

void ChaosRun::CheckScenes(std::atomic<int>& next) {
  Caller caller(address_, alarms_, tally_);
  for (int k = next++; k < stage_.owned; k = next++) {
    const Owner& owner = *owners_[static_cast<size_t>(k)];
    if (!owner.sound()) continue;
    const std::string wrong =
        owner.log().Replay(caller, "again-" + std::to_string(k), SceneName(owner.id()));
    if (!wrong.empty()) tally_.Blame(owner.id() + ": " + wrong);
  }
}

void ChaosRun::DeleteScenes() {
  v1::ListScenesRequest request;
  request.set_page_size(1000);
  v1::ListScenesResponse page;
  inspector_->Call(TALUS_CHAOS_CALL(scene, SceneService, ListScenes), request, &page);
  for (const v1::SceneInfo& scene : page.scenes()) {
    v1::DeleteSceneRequest gone;
    gone.set_scene(scene.scene());
    v1::DeleteSceneResponse response;
    const grpc::Status status =
        inspector_->Call(TALUS_CHAOS_CALL(scene, SceneService, DeleteScene), gone, &response);
    if (!status.ok()) tally_.Blame("DeleteScene at the end: " + status.error_message());
  }
  const v1::GetServerInfoResponse info = AskServer();
  std::printf("chaos: without scenes %.1f MiB\n",
              static_cast<double>(info.memory_bytes()) / (1 << 20));
  if (info.scene_count() != 0) tally_.Blame("scenes are left");
}

void ChaosRun::JudgeGrowth(const std::string& what, const MemoryCurve& curve) {
  const double slope = curve.FindSlope();
  if (options_.most_mib_per_hour == 0.0 || slope <= options_.most_mib_per_hour) return;
  tally_.Blame(what + " grows by " + std::to_string(slope) + " MiB an hour");
}

bool ChaosRun::Report() {
  std::printf("chaos: calls\n%schaos: memory\n%schaos: heap\n%s", tally_.ToTable().c_str(),
              memory_.ToText().c_str(), heap_.ToText().c_str());
  JudgeGrowth("memory", memory_);
  JudgeGrowth("the heap", heap_);
  for (const std::string& rpc : tally_.FindUncalled()) tally_.Blame(rpc + " was never called");
  std::printf("chaos: %zu inputs of %d scenes given again undisturbed; %lld harms\n",
              inputs_checked_, stage_.owned, static_cast<long long>(tally_.blame_count()));
  return tally_.blame_count() == 0;
}

}  // namespace talus::chaos
