// Handing errors on: return what is not OK, take the value of what is.
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define TALUS_RETURN_IF_ERROR(expression)                               \
  do {                                                                  \
    if (absl::Status talus_status = (expression); !talus_status.ok()) { \
      return talus_status;                                              \
    }                                                                   \
  } while (false)

// `declaration` = the value of `expression`, a StatusOr.
#define TALUS_ASSIGN_OR_RETURN(declaration, expression) \
  TALUS_ASSIGN_OR_RETURN_AT(TALUS_STATUS_NAME(__LINE__), declaration, expression)
#define TALUS_STATUS_NAME(line) TALUS_STATUS_JOIN(talus_status_or_, line)
#define TALUS_STATUS_JOIN(a, b) a##b
#define TALUS_ASSIGN_OR_RETURN_AT(name, declaration, expression) \
  auto name = (expression);                                      \
  if (!name.ok()) return name.status();                          \
  declaration = *std::move(name)
