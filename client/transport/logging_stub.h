// Writes a line for every call made through a Service, with its outcome and duration.
#ifndef QUIRE_CLIENT_TRANSPORT_LOGGING_STUB_H_
#define QUIRE_CLIENT_TRANSPORT_LOGGING_STUB_H_

#include <functional>
#include <memory>
#include <string>

#include "quire/service.h"

namespace quire {

// Takes one line without its end. Called from any thread; must not block.
using LogSink = std::function<void(const std::string& line)>;

// Lines read "CREATE $DATA01.A.B: ok (312 us)". Sessions, scans and loads get a line when they
// start and one when they end; batches and pages get none.
std::shared_ptr<Service> MakeLoggingStub(std::shared_ptr<Service> inner, LogSink sink);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_LOGGING_STUB_H_
