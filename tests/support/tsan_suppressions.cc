// What ThreadSanitizer cannot see: the packaged Abseil is not instrumented, so the reference count
// of a Status that two threads share looks like no synchronisation at all. Part of every test in
// the ThreadSanitizer build.
extern "C" const char* __tsan_default_suppressions();

extern "C" const char* __tsan_default_suppressions() {
  return "race:libabsl_status.so\nrace:libabsl_cord.so\n";
}
