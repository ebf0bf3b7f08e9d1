// What a client shows the server, and what it asks the server to show: certificates and a token.
//
// Without any of it a connection is plain text, for loopback and unix sockets. A token never leaves
// the machine in plain text. The texts are PEM, not file names; ReadAccess reads files. Knows no
// connection.
#pragma once

#include <optional>
#include <string>

#include "clients/cpp/result.h"

namespace talus::client {

struct Access {
  bool tls = false;    // speak TLS
  std::string ca_pem;  // authorities the server's certificate must lead to; empty: the system's
  std::string certificate_pem;  // the client's own, with key_pem, where the server asks for one
  std::string key_pem;
  std::string server_name;  // name the server's certificate must have; empty: the address's
  std::string token;        // empty: none is sent
};

struct AccessFiles {
  std::string ca;
  std::string certificate;
  std::string key;
  std::string token;  // holds the token on its first line
};

// The access the files stand for; any of them makes it TLS, the token's excepted. INVALID_ARGUMENT
// names the file.
Result<Access> ReadAccess(const AccessFiles& files);

// Why `access` cannot be used with `address`: a token would travel in plain text beyond this
// machine, or a certificate lacks its key. Empty when it can.
std::optional<Error> FindMisuse(const std::string& address, const Access& access);

}  // namespace talus::client
