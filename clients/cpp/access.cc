#include "clients/cpp/access.h"

#include <arpa/inet.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace talus::client {
namespace {

Error Refuse(const std::string& message) {
  Error error;
  error.code = Code::kInvalidArgument;
  error.message = message;
  return error;
}

constexpr size_t kMostTextBytes = size_t{1} << 20;  // all authorities of a system are 0.2 MiB

// What stands in the file; nothing for no file.
Result<std::string> ReadText(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostTextBytes + 1, '\0');
  if (!file) return Refuse(path + ": " + std::strerror(errno));
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return Refuse(path + ": " + std::strerror(errno));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() <= kMostTextBytes) return text;
  return Refuse(path + ": must hold at most " + std::to_string(kMostTextBytes) + " bytes");
}

bool HasPem(const std::string& text) { return text.find("-----BEGIN ") != std::string::npos; }

bool IsLocal(const std::string& address) {
  if (address.rfind("unix:", 0) == 0) return true;
  std::string host = address.substr(0, address.rfind(':'));
  if (host.size() > 1 && host.front() == '[') host = host.substr(1, host.size() - 2);
  if (host == "localhost") return true;
  in_addr v4{};
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  return inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6);
}

}  // namespace

Result<Access> ReadAccess(const AccessFiles& files) {
  Access access;
  struct Part {
    const std::string& path;
    std::string& text;
  };
  for (const Part& part :
       {Part{files.ca, access.ca_pem}, Part{files.certificate, access.certificate_pem},
        Part{files.key, access.key_pem}}) {
    Result<std::string> text = ReadText(part.path);
    if (!text) return text.error();
    if (!part.path.empty() && !HasPem(*text)) return Refuse(part.path + ": holds nothing in PEM");
    part.text = *std::move(text);
    access.tls = access.tls || !part.path.empty();
  }
  Result<std::string> token = ReadText(files.token);
  if (!token) return token.error();
  access.token = token->substr(0, token->find_first_of("\r\n"));
  if (!files.token.empty() && access.token.empty()) return Refuse(files.token + ": holds no token");
  return access;
}

std::optional<Error> FindMisuse(const std::string& address, const Access& access) {
  if (access.certificate_pem.empty() != access.key_pem.empty()) {
    return Refuse("a client certificate and its key need each other");
  }
  if (!access.token.empty() && !access.tls && !IsLocal(address)) {
    return Refuse("a token is not sent to " + address + " in plain text: use TLS");
  }
  return std::nullopt;
}

}  // namespace talus::client
