// What SET and CREATE have in common when they run.
#ifndef QUIRE_CLIENT_FUP_SET_PARAMETERS_H_
#define QUIRE_CLIENT_FUP_SET_PARAMETERS_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "client/fup/create_parameter.h"
#include "client/fup/create_settings.h"
#include "client/fup/session.h"

namespace quire {

// Applies the parameters in order; LIKE asks the file system for the file. All or none.
absl::Status ApplyParameters(absl::Span<const CreateParameter> parameters, FupSession& session,
                             CreateSettings& settings);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_SET_PARAMETERS_H_
