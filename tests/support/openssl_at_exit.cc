// OpenSSL keeps its memory when the process of a test ends.
#include <openssl/crypto.h>

namespace talus::testing {
namespace {

// The last channel of a test tries again to connect, and a server of this process shakes hands
// with it, in threads of gRPC that outlive `main` (grpc_shutdown_blocking does not wait for all of
// them). OpenSSL's clean-up at exit would forget what these threads allocated: a leak to the
// address sanitizer, in one run of ten of the TLS tests on a busy machine.
const int kKept = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr);

}  // namespace
}  // namespace talus::testing
