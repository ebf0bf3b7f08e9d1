// How what was found is judged.
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "clients/cli/doctor.h"

namespace talus::cli {
namespace {

using State = Finding::State;

constexpr double kMostSkewS = 5.0;
constexpr double kSlowRoundTripUs = 5'000.0;
constexpr int kDaysToWarn = 30;

// `1.2` of `1.2.3`.
std::string WithoutPatch(const std::string& version) {
  return version.substr(0, version.rfind('.'));
}

std::string Format(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Finding JudgeCertificate(const std::string& pem, std::chrono::system_clock::time_point now) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  BIO_free(bio);
  if (certificate == nullptr) {
    return {"certificate", State::kWarning, "the server's certificate cannot be read", ""};
  }
  std::tm fields{};
  ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &fields);
  X509_free(certificate);
  const double seconds = std::difftime(timegm(&fields), std::chrono::system_clock::to_time_t(now));
  const int days = static_cast<int>(std::floor(seconds / 86'400.0));
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%d", &fields);
  if (seconds <= 0) {
    return {"certificate", State::kBad, std::string("expired on ") + date,
            "give the server a new one with --tls-cert and --tls-key and start it again"};
  }
  const bool soon = days < kDaysToWarn;
  return {"certificate", soon ? State::kWarning : State::kGood,
          std::to_string(days) + " days left, until " + date,
          soon ? "renew it: --tls-cert and --tls-key of the server, then start it again" : ""};
}

Finding JudgeVersions(const std::string& server, const std::string& client) {
  const std::string found = "server " + server + ", talusctl " + client;
  if (WithoutPatch(server) == WithoutPatch(client)) return {"version", State::kGood, found, ""};
  return {"version", State::kWarning, found, "use a client of the server's version"};
}

Finding JudgeClock(double skew_s) {
  const std::string found = Format("%+.1f s against this machine", skew_s);
  if (std::abs(skew_s) <= kMostSkewS) return {"clock", State::kGood, found, ""};
  return {"clock", State::kWarning, found,
          "set both clocks (NTP): certificates and logs depend on them"};
}

Finding JudgeUse(const std::string& name, int64_t used, int64_t limit, const std::string& advice) {
  const std::string found = std::to_string(used) + " of " + std::to_string(limit);
  if (used >= limit) return {name, State::kBad, found, advice};
  if (10 * used >= 9 * limit) return {name, State::kWarning, found, advice};
  return {name, State::kGood, found, ""};
}

Finding JudgeRoundTrips(std::vector<double> microseconds) {
  std::sort(microseconds.begin(), microseconds.end());
  const double median = microseconds[microseconds.size() / 2];
  const std::string found = Format("median %.0f us", median) +
                            Format(", slowest %.0f us", microseconds.back()) + " of " +
                            std::to_string(microseconds.size());
  if (median <= kSlowRoundTripUs) return {"round trip", State::kGood, found, ""};
  return {"round trip", State::kWarning, found,
          "a far or busy server: step many steps a call, or use Control with pipelining"};
}

}  // namespace talus::cli
