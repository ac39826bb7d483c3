// Integers in byte strings. Little-endian for what we store in blocks and trail, big-endian for
// store keys (so that byte order is number order).
#ifndef QUIRE_SERVER_BASE_BYTES_H_
#define QUIRE_SERVER_BASE_BYTES_H_

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

static_assert(std::endian::native == std::endian::little, "stored integers are little-endian");

template <std::unsigned_integral T>
T LoadLittle(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

template <std::unsigned_integral T>
void StoreLittle(char* to, T value) {
  std::memcpy(to, &value, sizeof(value));
}

template <std::unsigned_integral T>
void StoreBig(char* to, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    to[i] = static_cast<char>(value >> (8 * (sizeof(T) - 1 - i)));
  }
}

template <std::unsigned_integral T>
T LoadBig(const char* from) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>((value << 8) | static_cast<unsigned char>(from[i]));
  }
  return value;
}

// Appends fields to a string; ByteReader takes them off again. Strings carry a 4-byte length.
class ByteWriter {
 public:
  explicit ByteWriter(std::string* out) : out_(out) {}
  template <std::unsigned_integral T>
  void Put(T value) {
    char buffer[sizeof(T)];
    StoreLittle(buffer, value);
    out_->append(buffer, sizeof(T));
  }
  void PutString(std::string_view text) {
    Put(static_cast<uint32_t>(text.size()));
    out_->append(text);
  }

 private:
  std::string* out_;
};

// Every Get after the end of the bytes gives zero or an empty string and makes ok() false: bytes
// from disc are never trusted, so check ok() once, after the last Get.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}
  template <std::unsigned_integral T>
  T Get() {
    if (left_.size() < sizeof(T)) return Fail<T>();
    const T value = LoadLittle<T>(left_.data());
    left_.remove_prefix(sizeof(T));
    return value;
  }
  std::string_view GetString() {
    const auto length = Get<uint32_t>();
    if (!ok_ || left_.size() < length) return Fail<std::string_view>();
    const std::string_view text = left_.substr(0, length);
    left_.remove_prefix(length);
    return text;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return left_.empty(); }

 private:
  template <typename T>
  T Fail() {
    ok_ = false;
    left_ = {};
    return T{};
  }
  std::string_view left_;
  bool ok_ = true;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_BYTES_H_
