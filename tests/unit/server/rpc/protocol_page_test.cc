// docs/PROTOCOL.md promises complete tables: of the reasons, the limits, the services and the
// features. What the schema or the server has and the page has not is found here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "server/rpc/features.h"
#include "talus/v1/error.pb.h"
#include "talus/v1/server_service.pb.h"

namespace talus::rpc {
namespace {

using ::testing::HasSubstr;

std::string ReadPage() {
  std::ifstream file(TALUS_PROTO_FOLDER "../docs/PROTOCOL.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_GT(text.str().size(), 10'000u) << "docs/PROTOCOL.md cannot be read";
  return text.str();
}

TEST(ProtocolPage, HasEveryReason) {
  const std::string page = ReadPage();
  const auto* reasons = v1::ErrorReason_descriptor();
  for (int i = 0; i < reasons->value_count(); ++i) {
    if (reasons->value(i)->number() == v1::ERROR_REASON_UNSPECIFIED) continue;
    const std::string name = reasons->value(i)->name().substr(std::string("ERROR_REASON_").size());
    EXPECT_THAT(page, HasSubstr(" | " + name + " | "));
  }
}

TEST(ProtocolPage, HasEveryLimit) {
  const std::string page = ReadPage();
  for (int i = 0; i < v1::Limits::descriptor()->field_count(); ++i)
    EXPECT_THAT(page, HasSubstr("\n| `" + v1::Limits::descriptor()->field(i)->name() + "` | `--"));
}

TEST(ProtocolPage, HasEveryService) {
  const std::string page = ReadPage();
  for (const std::string& service : ListServices()) {
    if (service == "grpc.reflection.v1alpha.ServerReflection") continue;  // told beside the other
    EXPECT_THAT(page, HasSubstr("\n| `" + service + "`"));
  }
}

TEST(ProtocolPage, TellsOfEachFeatureWhatTheServerTells) {
  const std::string page = ReadPage();
  v1::GetFeaturesResponse bare;
  v1::GetFeaturesResponse storing;
  EncodeFeatures(false, false, bare);
  EncodeFeatures(true, true, storing);
  for (int i = 0; i < bare.features_size(); ++i) {
    const v1::Feature& feature = storing.features(i);
    std::string offered = feature.offered() ? "yes" : "no";
    if (feature.offered() != bare.features(i).offered()) {
      offered = "with `--scenes` or `--data-dir`";
    }
    EXPECT_THAT(page, HasSubstr("\n| " + std::to_string(feature.number()) + " | " + feature.name() +
                                " | " + offered + " | "));
  }
}

}  // namespace
}  // namespace talus::rpc
