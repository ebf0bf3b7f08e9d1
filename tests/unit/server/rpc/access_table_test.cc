#include "server/rpc/access_table.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "server/rpc/call_counts.h"
#include "server/rpc/call_gate.h"

namespace talus::rpc {
namespace {

// `Service/Rpc` of every RPC in the schemas below proto/.
std::set<std::string> FindSchemaRpcs() {
  std::set<std::string> found;
  const std::filesystem::path root = TALUS_PROTO_FOLDER;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".proto") continue;
    const std::string name = std::filesystem::relative(entry.path(), root).string();
    const auto* file = google::protobuf::DescriptorPool::generated_pool()->FindFileByName(name);
    EXPECT_NE(file, nullptr) << name;
    if (file == nullptr) continue;
    for (int i = 0; i < file->service_count(); ++i) {
      const auto& service = *file->service(i);
      for (int k = 0; k < service.method_count(); ++k) {
        found.insert(service.name() + '/' + service.method(k)->name());
      }
    }
  }
  return found;
}

TEST(AccessTable, HasALineForEveryRpcAndNoOther) {
  std::set<std::string> lines;
  for (const RpcAccess& rpc : AllRpcs()) {
    EXPECT_TRUE(lines.insert(std::string(rpc.method)).second) << rpc.method << " twice";
    EXPECT_EQ(FindRpc(rpc.method), &rpc);
  }
  std::set<std::string> expected = FindSchemaRpcs();
  EXPECT_GE(expected.size(), 29u);
  expected.insert("ServerReflection/ServerReflectionInfo");
  EXPECT_EQ(lines, expected);
}

TEST(AccessTable, WhatChangesSomethingNeedsMoreThanRead) {
  for (const RpcAccess& rpc : AllRpcs()) {
    const std::string name(rpc.method.substr(rpc.method.find('/') + 1));
    const bool reads = name.rfind("Get", 0) == 0 || name.rfind("List", 0) == 0 ||
                       name.rfind("Watch", 0) == 0 || name.rfind("Download", 0) == 0 ||
                       name == "ServerReflectionInfo";
    EXPECT_EQ(rpc.scope == Scope::kRead, reads) << rpc.method;
  }
  EXPECT_EQ(FindRpc("SnapshotService/DeleteSnapshot")->scope, Scope::kAdmin);
  EXPECT_EQ(FindRpc("SceneService/Nonsense"), nullptr);
}

TEST(CallCounts, CountByRpcAndCode) {
  const RpcAccess& rpc = *FindRpc("SceneService/GetScene");
  const int64_t ok = CallsEnded(rpc, absl::StatusCode::kOk);
  const int64_t missing = CallsEnded(rpc, absl::StatusCode::kNotFound);
  CountCall(rpc.method, absl::StatusCode::kNotFound);
  CountCall(rpc.method, absl::StatusCode::kNotFound);
  CountCall("SceneService/Nonsense", absl::StatusCode::kOk);
  EXPECT_EQ(CallsEnded(rpc, absl::StatusCode::kOk), ok);
  EXPECT_EQ(CallsEnded(rpc, absl::StatusCode::kNotFound), missing + 2);
}

TEST(CallGate, APeerIsOneClientWhicheverConnectionHeUses) {
  EXPECT_EQ(PeerHost("ipv4:10.0.0.7:41234"), "ipv4:10.0.0.7");
  EXPECT_EQ(PeerHost("ipv6:[fe80::1]:41234"), "ipv6:[fe80::1]");
  EXPECT_EQ(PeerHost("ipv6:%5B::1%5D:41234"), "ipv6:%5B::1%5D");
  EXPECT_EQ(PeerHost("unix:/run/talus.sock"), "unix");
  EXPECT_EQ(PeerHost("unix:"), "unix");
}

}  // namespace
}  // namespace talus::rpc
