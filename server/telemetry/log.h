// The server's log: one line an event on standard error, as text or as JSON, times in UTC.
//
// An event is a short fixed phrase plus named fields, so that a reader can filter without parsing
// prose. This is the only face of the logging library that server/rpc sees. Thread-safe. Nothing is
// logged for each step below `debug`.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace talus::telemetry {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
enum class LogFormat { kText, kJson };

struct LogField {
  std::string_view key;
  std::string value;
};

// Sets what is written from now on. Without it: text, from kInfo up.
void ConfigureLog(LogLevel level, LogFormat format);

// False spares the caller the making of fields that nobody would see.
bool IsLogged(LogLevel level);

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});
// The same with as many fields as there happen to be.
void LogFields(LogLevel level, std::string_view event, std::span<const LogField> fields);

// The line's content without time and level, as Log writes it; control characters and quotes are
// escaped, so that a field from a request cannot forge a line.
std::string FormatText(std::string_view event, std::initializer_list<LogField> fields);
std::string FormatJson(std::string_view event, std::initializer_list<LogField> fields);

}  // namespace talus::telemetry
