// gRPC's threads for callbacks: shared by all channels of a process, started with the first and
// ended with the last.
#ifndef QUIRE_CLIENT_TRANSPORT_CALLBACK_THREADS_H_
#define QUIRE_CLIENT_TRANSPORT_CALLBACK_THREADS_H_

namespace quire {

// Keeps the threads for the life of the process, at no other cost. Call before making a channel,
// any thread, as often as you like.
//
// Why: the last reference to a channel often goes in a callback, on one of these very threads. gRPC
// 1.51 then ends the threads from within themselves and stops the process ("ref_counted.h:
// assertion failed: prior > 0").
void KeepCallbackThreads();

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CALLBACK_THREADS_H_
