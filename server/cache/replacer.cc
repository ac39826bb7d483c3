#include "server/cache/replacer.h"

namespace quire {
namespace {

Frame* Sweep(FrameList& clock) {
  // Two rounds: the first may only take marks away.
  for (uint64_t steps = 2 * clock.size(); steps > 0; --steps) {
    Frame* frame = clock.front();
    if (frame->pins == 0 && !frame->referenced) return frame;
    if (frame->pins == 0) frame->referenced = false;
    clock.Remove(frame);
    clock.PushBack(frame);
  }
  return nullptr;
}

}  // namespace

void Replacer::ChangeUse(Frame* frame, BlockUse use) {
  Remove(frame);
  frame->use = use;
  Add(frame);
}

Frame* Replacer::Victim(uint64_t pool_frames) {
  FrameList& index = Clock(BlockUse::kIndex);
  if (Frame* frame = Sweep(Clock(BlockUse::kScanned))) return frame;
  if (index.size() > pool_frames / 2) {
    if (Frame* frame = Sweep(index)) return frame;
  }
  FrameList& probation = Clock(BlockUse::kProbation);
  if (probation.size() > pool_frames / 4) {
    if (Frame* frame = Sweep(probation)) return frame;
  }
  if (Frame* frame = Sweep(Clock(BlockUse::kData))) return frame;
  if (Frame* frame = Sweep(probation)) return frame;
  return Sweep(index);
}

uint64_t Replacer::size() const {
  uint64_t size = 0;
  for (const FrameList& clock : clocks_) size += clock.size();
  return size;
}

}  // namespace quire
