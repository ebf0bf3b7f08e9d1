#include "server/runtime/client_line.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "solver/base/check.h"

namespace talus {

std::optional<LineCall> ClientLine::Add(const std::string& client, LineCall call) {
  std::optional<LineCall> refused;
  if (held_ >= depth_) {
    const auto found = clients_.find(client);
    const int64_t own = found == clients_.end() ? 0 : found->second.held();
    const auto most = std::max_element(
        clients_.begin(), clients_.end(),
        [](const auto& a, const auto& b) { return a.second.held() < b.second.held(); });
    // A client with two calls has one that waits.
    if (most->second.held() <= own + 1) return call;
    refused = std::move(most->second.waiting.back());
    most->second.waiting.pop_back();
    --held_;
  }
  const auto [place, is_new] = clients_.try_emplace(client);
  Client& owner = place->second;
  if (is_new) owner.since = ++events_;
  owner.waiting.push_back(std::move(call));
  ++held_;
  return refused;
}

std::optional<ClientLine::Turn> ClientLine::TakeNext() {
  auto next = clients_.end();
  for (auto client = clients_.begin(); client != clients_.end(); ++client) {
    if (client->second.at_work || client->second.waiting.empty()) continue;
    if (next == clients_.end() || client->second.since < next->second.since) next = client;
  }
  if (next == clients_.end()) return std::nullopt;
  Client& client = next->second;
  Turn turn{next->first, std::move(client.waiting.front())};
  client.waiting.pop_front();
  client.at_work = true;
  client.since = ++events_;
  return turn;
}

void ClientLine::EndTurn(const std::string& client) {
  const auto found = clients_.find(client);
  TALUS_CHECK(found != clients_.end() && found->second.at_work);
  found->second.at_work = false;
  --held_;
  ForgetIdle(found);
}

std::vector<LineCall> ClientLine::TakeWaiting() {
  std::vector<LineCall> taken;
  for (auto client = clients_.begin(); client != clients_.end();) {
    const auto next = std::next(client);
    for (LineCall& call : client->second.waiting) taken.push_back(std::move(call));
    client->second.waiting.clear();
    ForgetIdle(client);
    client = next;
  }
  held_ -= static_cast<int64_t>(taken.size());
  return taken;
}

void ClientLine::ForgetIdle(std::map<std::string, Client>::iterator client) {
  if (client->second.held() == 0) clients_.erase(client);
}

}  // namespace talus
