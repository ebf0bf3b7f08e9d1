// The certificate, key and client authorities a server speaks TLS with, read from PEM files and
// checked before anything listens.
//
// Promises that what it returns fits together: the key belongs to the certificate and the
// certificate is valid now. Errors name the option and the file. It does not speak TLS.
#pragma once

#include <chrono>
#include <string>

#include "absl/status/statusor.h"

namespace talus {

struct TlsFiles {
  std::string certificate;  // chain, the server's own first
  std::string key;
  std::string client_ca;  // not empty: callers must show a certificate signed by one of these
};

struct TlsMaterial {
  std::string certificate_pem;
  std::string key_pem;
  std::string client_ca_pem;  // empty: callers need no certificate
  std::chrono::system_clock::time_point expires;
};

// FAILED_PRECONDITION: what is wrong with which file.
absl::StatusOr<TlsMaterial> LoadTls(const TlsFiles& files,
                                    std::chrono::system_clock::time_point now);

}  // namespace talus
