#include "server/rpc/access_table.h"

#include <unordered_map>
#include <vector>

namespace talus::rpc {
namespace {

using Index = std::unordered_map<std::string_view, const RpcAccess*>;

std::vector<RpcAccess> MakeTable() {
#define TALUS_LINE(kind, service, name, scope, note) \
  {#service "/" #name, Scope::scope, AuditNote::note, 0},
  std::vector<RpcAccess> table = {TALUS_ALL_RPCS(TALUS_LINE)};
#undef TALUS_LINE
  for (size_t i = 0; i < table.size(); ++i) table[i].index = i;
  return table;
}

const std::vector<RpcAccess>& Table() {
  static const std::vector<RpcAccess>& table = *new std::vector<RpcAccess>(MakeTable());
  return table;
}

const Index& TheIndex() {
  static const Index& index = *[] {
    auto* made = new Index;
    for (const RpcAccess& rpc : Table()) made->emplace(rpc.method, &rpc);
    return made;
  }();
  return index;
}

}  // namespace

std::span<const RpcAccess> AllRpcs() { return Table(); }

const RpcAccess* FindRpc(std::string_view method) {
  const Index& index = TheIndex();
  const auto found = index.find(method);
  return found == index.end() ? nullptr : found->second;
}

}  // namespace talus::rpc
