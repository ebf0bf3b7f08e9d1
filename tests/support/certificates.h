// Certificates made on the spot, for tests of TLS: an authority and what it signs. Nothing of it is
// kept in the repository.
#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <string>

namespace talus::testing {

struct Issued {
  std::string certificate_pem;
  std::string key_pem;
};

// When a certificate is valid, seconds from now.
struct Validity {
  int64_t from_s = -3600;
  int64_t until_s = 3600;
};

class Authority {
 public:
  explicit Authority(const std::string& name) : name_(name), key_(EVP_EC_gen("P-256")) {
    certificate_ = Make(name, key_, {}, "CA:TRUE", "");
    pem_ = ToPem(certificate_);
  }
  ~Authority() {
    X509_free(certificate_);
    EVP_PKEY_free(key_);
  }
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;

  const std::string& pem() const { return pem_; }

  // For a server at localhost and 127.0.0.1, or for a client.
  Issued Issue(const std::string& name, const Validity& validity = {}) const {
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = Make(name, key, validity, "CA:FALSE", "DNS:localhost,IP:127.0.0.1");
    Issued issued{ToPem(certificate), KeyToPem(key)};
    X509_free(certificate);
    EVP_PKEY_free(key);
    return issued;
  }

 private:
  X509* Make(const std::string& name, EVP_PKEY* key, const Validity& validity,
             const char* constraints, const std::string& alternative_names) const {
    static int64_t serial = 1;
    X509* certificate = X509_new();
    X509_set_version(certificate, 2);
    ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), serial++);
    X509_gmtime_adj(X509_getm_notBefore(certificate), validity.from_s);
    X509_gmtime_adj(X509_getm_notAfter(certificate), validity.until_s);
    X509_set_pubkey(certificate, key);
    SetName(X509_get_subject_name(certificate), name);
    SetName(X509_get_issuer_name(certificate), name_);
    Extend(certificate, NID_basic_constraints, constraints);
    if (!alternative_names.empty()) {
      Extend(certificate, NID_subject_alt_name, alternative_names.c_str());
    }
    X509_sign(certificate, key_, EVP_sha256());
    return certificate;
  }
  static void SetName(X509_NAME* to, const std::string& name) {
    X509_NAME_add_entry_by_txt(to, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
  }
  static void Extend(X509* certificate, int kind, const char* value) {
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
  }
  static std::string TakeText(BIO* bio) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(bio, &bytes);
    std::string text(bytes, static_cast<size_t>(size));
    BIO_free(bio);
    return text;
  }
  static std::string ToPem(X509* certificate) {
    BIO* bio = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(bio, certificate);
    return TakeText(bio);
  }
  static std::string KeyToPem(EVP_PKEY* key) {
    BIO* bio = BIO_new(BIO_s_mem());
    PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
    return TakeText(bio);
  }

  const std::string name_;
  EVP_PKEY* key_;
  X509* certificate_ = nullptr;
  std::string pem_;
};

}  // namespace talus::testing
