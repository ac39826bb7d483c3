// Watches the standard health service of a server, as a load balancer would.
#ifndef QUIRE_TESTS_SUPPORT_HEALTH_WATCH_H_
#define QUIRE_TESTS_SUPPORT_HEALTH_WATCH_H_

#include <memory>
#include <string>
#include <vector>

namespace quire {

inline constexpr int kServing = 1;
inline constexpr int kNotServing = 2;

class HealthWatch {
 public:
  // Starts the stream of the server as a whole at "host:port".
  explicit HealthWatch(const std::string& address);
  ~HealthWatch();  // ends it

  // What the server has said so far.
  std::vector<int> said() const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_HEALTH_WATCH_H_
