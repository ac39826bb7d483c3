// R-A4: field and enumerator numbers are never reused. The golden text holds every number; a line
// may be added, none may change or go. QUIRE_REWRITE_GOLDEN=1 writes it anew.
#include "google/protobuf/descriptor.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "gtest/gtest.h"
#include "quire/text.h"
#include "quire/v1/common.pb.h"
#include "quire/v1/file.pb.h"
#include "quire/v1/measure.pb.h"
#include "quire/v1/record.pb.h"

namespace quire {
namespace {

namespace pb = google::protobuf;

std::string TypeName(const pb::FieldDescriptor& field) {
  if (field.message_type() != nullptr) return field.message_type()->full_name();
  if (field.enum_type() != nullptr) return field.enum_type()->full_name();
  return field.type_name();
}

void Describe(const pb::Descriptor& message, std::string* out) {
  StrAppend(out, "message ", message.full_name(), "\n");
  for (int i = 0; i < message.field_count(); ++i) {
    const pb::FieldDescriptor& field = *message.field(i);
    StrAppend(out, "  ", field.number(), " ", field.name(), " ",
              field.is_repeated() ? "repeated " : "", TypeName(field), "\n");
  }
}

void Describe(const pb::EnumDescriptor& enumeration, std::string* out) {
  StrAppend(out, "enum ", enumeration.full_name(), "\n");
  for (int i = 0; i < enumeration.value_count(); ++i) {
    StrAppend(out, "  ", enumeration.value(i)->number(), " ", enumeration.value(i)->name(), "\n");
  }
}

void Describe(const pb::ServiceDescriptor& service, std::string* out) {
  StrAppend(out, "service ", service.full_name(), "\n");
  for (int i = 0; i < service.method_count(); ++i) {
    const pb::MethodDescriptor& method = *service.method(i);
    StrAppend(out, "  ", method.name(), " (", method.client_streaming() ? "stream " : "",
              method.input_type()->full_name(), ") -> (",
              method.server_streaming() ? "stream " : "", method.output_type()->full_name(), ")\n");
  }
}

std::string DescribeAll() {
  std::string out;
  for (const pb::FileDescriptor* file :
       {v1::ErrorDetail::descriptor()->file(), v1::FileInfo::descriptor()->file(),
        v1::Batch::descriptor()->file(), v1::Counter::descriptor()->file()}) {
    for (int i = 0; i < file->message_type_count(); ++i) Describe(*file->message_type(i), &out);
    for (int i = 0; i < file->enum_type_count(); ++i) Describe(*file->enum_type(i), &out);
    for (int i = 0; i < file->service_count(); ++i) Describe(*file->service(i), &out);
  }
  return out;
}

TEST(DescriptorTest, RA4NumbersAreThoseOfTheGoldenText) {
  const std::string path = QUIRE_SOURCE_DIR "/tests/golden/proto_descriptor.txt";
  const std::string now = DescribeAll();
  if (std::getenv("QUIRE_REWRITE_GOLDEN") != nullptr) std::ofstream(path) << now;
  std::ifstream file(path);
  std::stringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(now, golden.str()) << "the wire has changed; if lines were only added, run this test "
                                  "with QUIRE_REWRITE_GOLDEN=1 and commit the golden text";
}

TEST(DescriptorTest, RA4EveryEnumHasAnUnspecifiedZero) {
  for (const pb::FileDescriptor* file :
       {v1::ErrorDetail::descriptor()->file(), v1::FileInfo::descriptor()->file(),
        v1::Batch::descriptor()->file(), v1::Counter::descriptor()->file()}) {
    for (int i = 0; i < file->enum_type_count(); ++i) {
      const pb::EnumValueDescriptor& zero = *file->enum_type(i)->value(0);
      EXPECT_EQ(zero.number(), 0);
      EXPECT_TRUE(std::string_view(zero.name()).ends_with("_UNSPECIFIED")) << zero.name();
    }
  }
}

}  // namespace
}  // namespace quire
