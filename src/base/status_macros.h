// base/status_macros.h: early return for absl::Status and absl::StatusOr.
#ifndef CUDADOCTOR_BASE_STATUS_MACROS_H_
#define CUDADOCTOR_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define CUDADOCTOR_CONCAT_INNER(a, b) a##b
#define CUDADOCTOR_CONCAT(a, b) CUDADOCTOR_CONCAT_INNER(a, b)

// Returns the status of `expression` from the calling function unless it is OK.
#define RETURN_IF_ERROR(expression)                                      \
  do {                                                                   \
    if (absl::Status status = (expression); !status.ok()) return status; \
  } while (false)

// Assigns the value of a StatusOr `expression` to `target`, or returns its status.
#define ASSIGN_OR_RETURN(target, expression) \
  ASSIGN_OR_RETURN_INNER(CUDADOCTOR_CONCAT(status_or_, __LINE__), target, expression)
#define ASSIGN_OR_RETURN_INNER(status_or, target, expression) \
  auto status_or = (expression);                              \
  if (!status_or.ok()) return std::move(status_or).status();  \
  target = *std::move(status_or)

#endif  // CUDADOCTOR_BASE_STATUS_MACROS_H_
