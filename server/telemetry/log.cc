#include "server/telemetry/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>

namespace talus::telemetry {
namespace {

constexpr char kTextPattern[] = "%Y-%m-%dT%H:%M:%S.%fZ %l %v";
constexpr char kJsonPattern[] = R"({"time":"%Y-%m-%dT%H:%M:%S.%fZ","level":"%l",%v})";

struct Sink {
  std::shared_ptr<spdlog::logger> logger;
  std::atomic<LogFormat> format{LogFormat::kText};

  Sink()
      : logger(std::make_shared<spdlog::logger>(
            "talus", std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
    logger->set_pattern(kTextPattern, spdlog::pattern_time_type::utc);
    logger->set_level(spdlog::level::info);
    logger->flush_on(spdlog::level::debug);
  }
};

// Leaked on purpose: threads of gRPC may log until the process ends.
Sink& TheSink() {
  static Sink& sink = *new Sink();
  return sink;
}

spdlog::level::level_enum ToSpdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarning:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

// A JSON string without its quotes; also good for text lines.
std::string Escape(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      escaped += '\\';
      escaped += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      escaped += "\\u00";
      escaped += kHex[(static_cast<unsigned char>(c) >> 4) & 15];
      escaped += kHex[static_cast<unsigned char>(c) & 15];
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string MakeText(std::string_view event, std::span<const LogField> fields) {
  std::string line(event);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    const bool plain =
        !field.value.empty() && field.value.find_first_of(" =\"\\") == std::string::npos;
    line += plain ? Escape(field.value) : '"' + Escape(field.value) + '"';
  }
  return line;
}

std::string MakeJson(std::string_view event, std::span<const LogField> fields) {
  std::string line = "\"event\":\"" + Escape(event) + '"';
  for (const LogField& field : fields) {
    line += ",\"" + Escape(field.key) + "\":\"" + Escape(field.value) + '"';
  }
  return line;
}

}  // namespace

void ConfigureLog(LogLevel level, LogFormat format) {
  Sink& sink = TheSink();
  sink.format = format;
  sink.logger->set_pattern(format == LogFormat::kJson ? kJsonPattern : kTextPattern,
                           spdlog::pattern_time_type::utc);
  sink.logger->set_level(ToSpdlog(level));
}

bool IsLogged(LogLevel level) { return TheSink().logger->should_log(ToSpdlog(level)); }

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  LogFields(level, event, {fields.begin(), fields.size()});
}

void LogFields(LogLevel level, std::string_view event, std::span<const LogField> fields) {
  if (!IsLogged(level)) return;
  Sink& sink = TheSink();
  const std::string line =
      sink.format.load() == LogFormat::kJson ? MakeJson(event, fields) : MakeText(event, fields);
  sink.logger->log(ToSpdlog(level), spdlog::string_view_t(line.data(), line.size()));
}

std::string FormatText(std::string_view event, std::initializer_list<LogField> fields) {
  return MakeText(event, {fields.begin(), fields.size()});
}

std::string FormatJson(std::string_view event, std::initializer_list<LogField> fields) {
  return MakeJson(event, {fields.begin(), fields.size()});
}

}  // namespace talus::telemetry
