#include "server/security/tls_files.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <ctime>
#include <memory>

#include "server/security/guarded_file.h"

namespace talus {
namespace {

using TimePoint = std::chrono::system_clock::time_point;

struct Free {
  void operator()(BIO* bio) const { BIO_free(bio); }
  void operator()(X509* certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Bio = std::unique_ptr<BIO, Free>;
using Certificate = std::unique_ptr<X509, Free>;
using Key = std::unique_ptr<EVP_PKEY, Free>;

constexpr char kCertificateOption[] = "--tls-cert";
constexpr char kKeyOption[] = "--tls-key";
constexpr char kClientCaOption[] = "--tls-client-ca";

absl::Status FileError(const char* option, const std::string& path, const std::string& why) {
  ERR_clear_error();
  return absl::FailedPreconditionError(std::string(option) + ' ' + path + ": " + why);
}

// A key that asks for a password must not read it from the terminal.
int RefusePassword(char*, int, int, void*) { return -1; }

Bio OpenBytes(const std::string& bytes) {
  return Bio(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

Certificate ReadCertificate(const std::string& pem) {
  return Certificate(PEM_read_bio_X509(OpenBytes(pem).get(), nullptr, RefusePassword, nullptr));
}

TimePoint ToTime(const ASN1_TIME* time) {
  std::tm fields{};
  if (ASN1_TIME_to_tm(time, &fields) != 1) return TimePoint{};
  return std::chrono::system_clock::from_time_t(timegm(&fields));
}

std::string ToText(TimePoint time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm fields{};
  gmtime_r(&seconds, &fields);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text;
}

absl::StatusOr<TimePoint> CheckCertificate(const char* option, const std::string& path,
                                           const X509* certificate, TimePoint now) {
  const TimePoint begin = ToTime(X509_get0_notBefore(certificate));
  const TimePoint end = ToTime(X509_get0_notAfter(certificate));
  if (now < begin) return FileError(option, path, "is not valid before " + ToText(begin));
  if (now >= end) return FileError(option, path, "expired at " + ToText(end));
  return end;
}

}  // namespace

absl::StatusOr<TlsMaterial> LoadTls(const TlsFiles& files, TimePoint now) {
  TlsMaterial material;
  auto pem = ReadGuardedFile(kCertificateOption, files.certificate, FileAccess::kPublic);
  if (!pem.ok()) return pem.status();
  material.certificate_pem = *std::move(pem);
  const Certificate certificate = ReadCertificate(material.certificate_pem);
  if (certificate == nullptr) {
    return FileError(kCertificateOption, files.certificate, "holds no certificate in PEM");
  }
  auto expires = CheckCertificate(kCertificateOption, files.certificate, certificate.get(), now);
  if (!expires.ok()) return expires.status();
  material.expires = *expires;

  pem = ReadGuardedFile(kKeyOption, files.key, FileAccess::kGuarded);
  if (!pem.ok()) return pem.status();
  material.key_pem = *std::move(pem);
  const Key key(
      PEM_read_bio_PrivateKey(OpenBytes(material.key_pem).get(), nullptr, RefusePassword, nullptr));
  if (key == nullptr) {
    return FileError(kKeyOption, files.key, "holds no private key in PEM without a password");
  }
  if (X509_check_private_key(certificate.get(), key.get()) != 1) {
    return FileError(kKeyOption, files.key, "is not the key of " + files.certificate);
  }

  if (files.client_ca.empty()) return material;
  pem = ReadGuardedFile(kClientCaOption, files.client_ca, FileAccess::kPublic);
  if (!pem.ok()) return pem.status();
  material.client_ca_pem = *std::move(pem);
  const Certificate authority = ReadCertificate(material.client_ca_pem);
  if (authority == nullptr) {
    return FileError(kClientCaOption, files.client_ca, "holds no certificate in PEM");
  }
  auto valid = CheckCertificate(kClientCaOption, files.client_ca, authority.get(), now);
  if (!valid.ok()) return valid.status();
  return material;
}

}  // namespace talus
