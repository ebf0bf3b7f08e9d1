#include "tests/conformance/cpp/exchange_runner.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "tests/conformance/cpp/fatal.h"

namespace talus::conformance {
namespace {

void Describe(const client::Error& error, std::string* code, std::string* reason) {
  *code = client::CodeName(error.code);
  *reason = talus::v1::ErrorReason_Name(error.detail.reason());
}

ValueKind KindOf(const v1::Expectation& expectation) {
  using v1::Expectation;
  switch (expectation.check_case()) {
    case Expectation::kInteger:
      return v1::VALUE_KIND_INTEGER;
    case Expectation::kText:
    case Expectation::kNotEmpty:
      return v1::VALUE_KIND_TEXT;
    case Expectation::kEnumerator:
      return v1::VALUE_KIND_ENUMERATOR;
    case Expectation::kBoolean:
      return v1::VALUE_KIND_BOOLEAN;
    default:
      return v1::VALUE_KIND_NUMBER;
  }
}

}  // namespace

void ExchangeRunner::Fail(const std::string& why) {
  ++tally_.failed;
  std::printf("    FAIL %s\n", why.c_str());
}

const Value& ExchangeRunner::Saved(const std::string& name) const {
  const auto found = saved_.find(name);
  if (found == saved_.end()) Fatal("nothing was saved as '" + name + "'");
  return found->second;
}

ExchangeRunner::Answer ExchangeRunner::ReadStream(const v1::Exchange& exchange,
                                                  std::unique_ptr<AnyStream> stream) {
  Answer answer;
  answer.root.is_list = true;
  const auto wanted = static_cast<size_t>(exchange.collect());
  while (wanted == 0 || answer.root.messages.size() < wanted) {
    MessagePointer message = stream->Read();
    if (message == nullptr) {
      const auto end = stream->Finish();
      if (!end) Describe(end.error(), &answer.code, &answer.reason);
      return answer;
    }
    answer.root.messages.push_back(std::move(message));
  }
  if (!exchange.stream().empty()) streams_[exchange.stream()] = std::move(stream);
  return answer;
}

ExchangeRunner::Answer ExchangeRunner::Call(const v1::Exchange& exchange) {
  if (exchange.method().empty()) {
    auto found = streams_.extract(exchange.stream());
    if (found.empty()) Fatal("no open stream '" + exchange.stream() + "'");
    return ReadStream(exchange, std::move(found.mapped()));
  }
  const Method* method = FindMethod(exchange.method());
  if (method == nullptr) Fatal("unknown method '" + exchange.method() + "'");
  MessagePointer request = method->new_request();
  if (!exchange.request().UnpackTo(request.get())) {
    Fatal("the request of '" + exchange.name() + "' is not of its method's type");
  }
  for (const v1::Use& use : exchange.uses()) {
    WriteValue(request.get(), use.path(), Saved(use.from()));
  }
  if (method->open) return ReadStream(exchange, method->open(client_, *request));
  Answer answer;
  auto response = method->call(client_, *request);
  if (response) {
    answer.root.messages.push_back(*response);
  } else {
    Describe(response.error(), &answer.code, &answer.reason);
    answer.root.messages.push_back(
        std::make_shared<talus::v1::ErrorDetail>(response.error().detail));
  }
  return answer;
}

std::string ExchangeRunner::JudgeValue(const v1::Expectation& expectation, const Root& root,
                                       std::string* printed) {
  using v1::Expectation;
  const auto check = expectation.check_case();
  const bool compares = check == Expectation::kSameAs || check == Expectation::kDifferentFrom;
  const Value* saved = nullptr;
  if (check == Expectation::kSameAs) saved = &Saved(expectation.same_as());
  if (check == Expectation::kDifferentFrom) saved = &Saved(expectation.different_from());
  const Value value =
      ReadValue(root, expectation.path(), compares ? saved->kind : KindOf(expectation));
  *printed = PrintValue(value);
  if (value.absent) return "is absent";
  bool holds = false;
  switch (check) {
    case Expectation::kNumber:
      holds = value.number == expectation.number() ||
              std::abs(value.number - expectation.number()) <= expectation.tolerance();
      if (!holds) {
        return std::to_string(value.number) + " is not " + std::to_string(expectation.number());
      }
      break;
    case Expectation::kInteger:
      holds = value.text == std::to_string(expectation.integer());
      break;
    case Expectation::kText:
      holds = value.text == expectation.text();
      break;
    case Expectation::kEnumerator:
      holds = value.text == expectation.enumerator();
      break;
    case Expectation::kBoolean:
      holds = value.text == (expectation.boolean() ? "true" : "false");
      break;
    case Expectation::kSameAs:
      holds = Equal(value, *saved);
      break;
    case Expectation::kDifferentFrom:
      holds = !Equal(value, *saved);
      break;
    case Expectation::kAbove:
      holds = value.number > expectation.above();
      break;
    case Expectation::kBelow:
      holds = value.number < expectation.below();
      break;
    case Expectation::kNotEmpty:
      holds = !value.text.empty();
      break;
    default:
      Fatal("an expectation of '" + expectation.path() + "' checks nothing");
  }
  return holds ? "" : "expected " + expectation.ShortDebugString();
}

std::string ExchangeRunner::Judge(const v1::Expectation& expectation, const Root& root,
                                  std::string* printed) {
  if (expectation.check_case() == v1::Expectation::kSize) {
    const int64_t size = ReadSize(root, expectation.path());
    *printed = size < 0 ? "absent" : std::to_string(size);
    return size == expectation.size() ? "" : "expected size " + std::to_string(expectation.size());
  }
  if (expectation.check_case() == v1::Expectation::kAbsent) {
    const bool absent = IsAbsent(root, expectation.path());
    *printed = absent ? "absent" : "present";
    return absent ? "" : "expected nothing there";
  }
  return JudgeValue(expectation, root, printed);
}

void ExchangeRunner::Check(const v1::Expectation& expectation, const Root& root) {
  ++tally_.checks;
  std::string printed;
  const std::string why = Judge(expectation, root, &printed);
  if (expectation.unprinted()) printed.assign(1, '~');
  const bool size = expectation.check_case() == v1::Expectation::kSize;
  std::printf(size ? "  size(%s)=%s\n" : "  %s=%s\n", expectation.path().c_str(), printed.c_str());
  if (!why.empty()) Fail(why);
}

void ExchangeRunner::Run(const v1::Exchange& exchange) {
  ++tally_.exchanges;
  const Answer answer = Call(exchange);
  std::printf("exchange %s code=%s", exchange.name().c_str(), answer.code.c_str());
  if (answer.code != "OK") std::printf(" reason=%s", answer.reason.c_str());
  std::printf("\n");
  const std::string code = exchange.code().empty() ? "OK" : exchange.code();
  if (answer.code != code || (code != "OK" && answer.reason != exchange.reason())) {
    Fail("expected code " + code + " " + exchange.reason());
    return;
  }
  for (const v1::Expectation& expectation : exchange.expects()) Check(expectation, answer.root);
  for (const v1::Save& save : exchange.saves()) {
    const Value value = ReadValue(answer.root, save.path(), save.kind());
    std::printf("  save %s=%s\n", save.as().c_str(),
                save.unprinted() ? "~" : PrintValue(value).c_str());
    saved_[save.as()] = value;
  }
}

}  // namespace talus::conformance
