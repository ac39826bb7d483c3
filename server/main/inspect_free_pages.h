// Which pages of an LMDB file hold nothing. LMDB never writes a page that was taken and given back
// within one transaction, and one at the end of the file may leave it shorter than its page count:
// such a file is whole.
#ifndef QUIRE_SERVER_MAIN_INSPECT_FREE_PAGES_H_
#define QUIRE_SERVER_MAIN_INSPECT_FREE_PAGES_H_

#include <lmdb.h>

namespace quire {

// Whether every page from `first` to `last` is on the list of free pages that `snapshot` (read
// only) sees. False as well when that list is damaged. O(pages on the list).
bool AllPagesFree(MDB_txn* snapshot, size_t first, size_t last);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_FREE_PAGES_H_
