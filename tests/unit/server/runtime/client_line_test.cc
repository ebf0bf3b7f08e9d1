#include "server/runtime/client_line.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace talus {
namespace {

// Notes in `log` what becomes of the call.
LineCall Named(std::string name, std::vector<std::string>& log) {
  return {.run = [&log, name] { log.push_back(name); },
          .refuse = [&log, name](const absl::Status&) { log.push_back("no " + name); }};
}

class ClientLineTest : public ::testing::Test {
 protected:
  // The refused one, if any, is told at once.
  void Add(ClientLine& line, const std::string& client, const std::string& name) {
    std::optional<LineCall> refused = line.Add(client, Named(name, log_));
    if (refused.has_value()) refused->refuse(absl::OkStatus());
  }
  // Runs the next call to its end; false: there is none.
  bool Serve(ClientLine& line) {
    std::optional<ClientLine::Turn> turn = line.TakeNext();
    if (!turn.has_value()) return false;
    turn->call.run();
    line.EndTurn(turn->client);
    return true;
  }

  std::vector<std::string> log_;
};

TEST_F(ClientLineTest, ClientsTakeTurnsAndTheirCallsKeepTheirOrder) {
  ClientLine line(8);
  for (const char* name : {"a1", "a2", "a3"}) Add(line, "a", name);
  Add(line, "c", "c1");
  for (const char* name : {"b1", "b2"}) Add(line, "b", name);
  EXPECT_EQ(line.held(), 6);
  while (Serve(line)) {
  }
  EXPECT_EQ(log_, (std::vector<std::string>{"a1", "c1", "b1", "a2", "b2", "a3"}));
  EXPECT_EQ(line.held(), 0);
}

TEST_F(ClientLineTest, WhoComesAgainAndAgainPassesNobodyWhoWaits) {
  ClientLine line(8);
  Add(line, "z", "z1");
  Add(line, "z", "z2");
  for (int k = 0; k < 3; ++k) {
    Add(line, "a", "a");
    ASSERT_TRUE(Serve(line));
  }
  EXPECT_EQ(log_, (std::vector<std::string>{"z1", "a", "z2"}));
}

TEST_F(ClientLineTest, AClientHasOneCallAtWork) {
  ClientLine line(8);
  Add(line, "a", "a1");
  Add(line, "a", "a2");
  const std::optional<ClientLine::Turn> first = line.TakeNext();
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(line.TakeNext().has_value());
  Add(line, "b", "b1");
  const std::optional<ClientLine::Turn> second = line.TakeNext();
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->client, "b");
  EXPECT_EQ(line.held(), 3);
  line.EndTurn("a");
  EXPECT_EQ(line.held(), 2);
  ASSERT_TRUE(Serve(line));
  EXPECT_EQ(log_, std::vector<std::string>{"a2"});
}

TEST_F(ClientLineTest, WhoHoldsMostGivesUpItsLastCall) {
  ClientLine line(4);
  for (const char* name : {"a1", "a2", "a3", "a4", "a5"}) Add(line, "a", name);
  EXPECT_EQ(log_, std::vector<std::string>{"no a5"}) << "he holds all: it is his own";
  Add(line, "b", "b1");
  Add(line, "b", "b2");
  EXPECT_EQ(log_, (std::vector<std::string>{"no a5", "no a4", "no a3"}));
  // Two and two: a place more would be one more than the other has.
  Add(line, "b", "b3");
  EXPECT_EQ(log_.back(), "no b3");
  Add(line, "c", "c1");
  EXPECT_EQ(log_.back(), "no a2");
  EXPECT_EQ(line.held(), 4);
}

TEST_F(ClientLineTest, WhatIsAtWorkIsNotGivenUp) {
  ClientLine line(2);
  Add(line, "a", "a1");
  ASSERT_TRUE(line.TakeNext().has_value());
  Add(line, "a", "a2");
  Add(line, "b", "b1");
  EXPECT_EQ(log_, std::vector<std::string>{"no a2"});
  Add(line, "c", "c1");
  EXPECT_EQ(log_.back(), "no c1") << "one each is nobody's too much";
  EXPECT_EQ(line.held(), 2);
}

TEST_F(ClientLineTest, GivesBackWhatWaits) {
  ClientLine line(8);
  Add(line, "a", "a1");
  Add(line, "a", "a2");
  Add(line, "b", "b1");
  ASSERT_TRUE(line.TakeNext().has_value());
  EXPECT_EQ(line.TakeWaiting().size(), 2U);
  EXPECT_EQ(line.held(), 1);
  line.EndTurn("a");
  EXPECT_EQ(line.held(), 0);
  EXPECT_FALSE(Serve(line));
}

}  // namespace
}  // namespace talus
