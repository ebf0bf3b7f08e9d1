#include "server/rpc/access_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "server/rpc/call_counts.h"
#include "server/rpc/call_gate.h"

namespace talus::rpc {
namespace {

// `Service/Rpc` of every RPC in the schemas below proto/, read as text: a schema that nobody links
// is found as well.
std::set<std::string> FindSchemaRpcs() {
  static const std::regex pattern(R"(^(service|\s+rpc) (\w+))");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(TALUS_PROTO_FOLDER)) {
    if (entry.path().extension() != ".proto") continue;
    std::ifstream file(entry.path());
    std::string service;
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, pattern)) continue;
      if (match[1] == "service") {
        service = match[2];
      } else {
        found.insert(service + '/' + match[2].str());
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
                       name == "CastRays" || name == "ServerReflectionInfo";
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
  EXPECT_EQ(PeerHost("ipv6:%5B::1%5D:41234"), "ipv6:::/64");
  EXPECT_EQ(PeerHost("ipv6:[fe80::1]:41234"), "ipv6:fe80::/64");
  EXPECT_EQ(PeerHost("ipv6:%5Bfe80::1%25eth0%5D:41234"), "ipv6:fe80::/64");
  // Whoever has a network has all addresses of it, and whoever has another network is another.
  EXPECT_EQ(PeerHost("ipv6:[2001:db8:1:2:3:4:5:6]:1"), "ipv6:2001:db8:1:2::/64");
  EXPECT_EQ(PeerHost("ipv6:[2001:db8:1:2::7]:2"), "ipv6:2001:db8:1:2::/64");
  EXPECT_EQ(PeerHost("ipv6:[2001:db8:1:3::7]:2"), "ipv6:2001:db8:1:3::/64");
  EXPECT_EQ(PeerHost("ipv6:%5B::ffff:10.0.0.7%5D:41234"), "ipv4:10.0.0.7");
  EXPECT_EQ(PeerHost("ipv6:nonsense:1"), "ipv6");
  EXPECT_EQ(PeerHost("unix:/run/talus.sock"), "unix");
  EXPECT_EQ(PeerHost("unix:"), "unix");
}

}  // namespace
}  // namespace talus::rpc
