// File attributes in case text: keylen=2 keyoff=0 rec=40 block=512 …
#ifndef QUIRE_TESTS_CONFORMANCE_FILE_WORDS_H_
#define QUIRE_TESTS_CONFORMANCE_FILE_WORDS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "quire/attributes.h"
#include "tests/conformance/words.h"

namespace quire::conformance {

// What a case's file is when the case says nothing: KEYLEN 2, REC 40, room for thousands.
FileAttributes DefaultAttributes();

// `words` over the default attributes; not normalized, so that a case can try what CREATE refuses.
absl::StatusOr<FileAttributes> ReadAttributes(const std::vector<Word>& words);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_FILE_WORDS_H_
