// Errors of the volume layer: one function per error, the number and the sentence decided here.
#ifndef QUIRE_SERVER_VOLUME_ERRORS_H_
#define QUIRE_SERVER_VOLUME_ERRORS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "quire/file_name.h"

namespace quire::volume_error {

absl::Status NoSuchFile(const FileName& name);                          // 11
absl::Status FileExists(const FileName& name);                          // 10
absl::Status WrongVolume(const FileName& name, std::string_view here);  // 14
absl::Status PartitionHere(uint32_t partition, std::string_view here);  // 10
absl::Status PartitionElsewhere(uint32_t partition, std::string_view volume,
                                std::string_view here);                               // 14
absl::Status SecondaryByName(const FileName& name, std::string_view primary_volume);  // 72
absl::Status PendingPartition(const FileName& name);                                  // 72
absl::Status StaleRoute(const FileName& name);                                        // 60
absl::Status FileInUse(const FileName& name, std::string_view opener);                // 12
absl::Status NotOpen(uint64_t open_id);                                               // 16
absl::Status BadSecurity(std::string_view security);                                  // 22
absl::Status NotAllowed(const FileName& name, char right, std::string_view security, uint32_t group,
                        uint32_t user);                                            // 48
absl::Status LeaseExpired(uint64_t open_id);                                       // 60
absl::Status RestartedWithLocks(uint64_t open_id, uint32_t locks);                 // 60
absl::Status ChangesLost(std::string_view volume, uint64_t first, uint64_t last);  // 122
absl::Status ReadNotKept();                                                        // 31
absl::Status ResumedElsewhere(uint64_t open_id);                                   // 60
absl::Status StreamGone(uint64_t open_id);                                         // 60
absl::Status StreamDetached(std::string_view volume);                              // 66
absl::Status SequenceTooOld(uint64_t sequence, uint64_t acked_through);            // 22
absl::Status SessionOnly();                                                        // 22
absl::Status Cancelled();                                                          // 40
absl::Status LockTimedOut(const FileName& name, std::string_view what);            // 40
absl::Status LockCycle(std::string_view cycle);                                    // 40
absl::Status WaitGivenUp();                                                        // 40
absl::Status Locked(const FileName& name, std::string_view what);                  // 73
absl::Status TooManyLocks(uint32_t limit);                                         // 35
absl::Status LockTableFull(uint32_t limit);                                        // 31
absl::Status AnswersFull(uint32_t bytes);                                          // 31
absl::Status BadSyncDepth(uint32_t depth);                                         // 22
absl::Status NoSuchLockMode(uint32_t mode);                                        // 2
absl::Status KeyChanged();                                                         // 46
absl::Status KeyLength(size_t length, uint32_t expected);                          // 21
absl::Status PositionOfOtherFile(size_t length, uint32_t key_length);              // 22
absl::Status OpenTableFull(uint32_t limit);                                        // 35
absl::Status AlreadyOpen(uint64_t open_id);                                        // 22
absl::Status ReadOnlyOpen(const FileName& name);                                   // 49
absl::Status WriteOnlyOpen(const FileName& name);                                  // 49
absl::Status NotExecuted();                                                        // 22
absl::Status BatchTooLarge(size_t bytes, size_t operations);                       // 21
absl::Status TooManyBatches(uint32_t credits);                                     // 31
absl::Status ChunkTooLarge(uint64_t bytes);                                        // 21
absl::Status ScanEnded();                                                          // 1
absl::Status LoadStopped();                                                        // 22
absl::Status MalformedChunk();                                                     // 22
absl::Status NotOneOperation(size_t count);                                        // 22
absl::Status NothingToAlter();                                                     // 22
absl::Status AuditIsBuffered();                                                    // 2
absl::Status BadPageToken();                                                       // 22
absl::Status VolumeLatched(std::string_view volume, const absl::Status& cause);    // 66
absl::Status VolumeStopping(std::string_view volume);                              // 66
absl::Status OutcomeUnknown(std::string_view volume, const absl::Status& cause);   // 66
absl::Status DirectoryInUse(std::string_view directory, std::string_view owner);   // 12
absl::Status DirectoryRefused(std::string_view directory, std::string_view what);  // 66
absl::Status OtherVolume(std::string_view directory, std::string_view holds,
                         std::string_view wanted);                              // 22
absl::Status StoreMissing(std::string_view directory, std::string_view trail);  // 59
absl::Status BadOption(std::string_view sentence);                              // 22
absl::Status BadStore(std::string_view what);                                   // 59
absl::Status RedoDoesNotApply(const FileName& name, std::string_view why);      // 59
absl::Status OutOfMemory();           // 31, nothing was done
absl::Status OutOfMemoryInChange();   // 66, why it latches
absl::Status EndedWithoutFlushing();  // 66, why it latches when it is made to crash
// 59: a value on disc that a newer program wrote.
absl::Status NewerFormat(std::string_view what, uint32_t format, uint32_t known);
absl::Status PurgedWhileScanned(const FileName& name);  // 60

}  // namespace quire::volume_error

#endif  // QUIRE_SERVER_VOLUME_ERRORS_H_
