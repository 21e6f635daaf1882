// Long work can be stopped: it reaches a checkpoint now and then, where a hook may throw.
#pragma once

#include <cstdint>

namespace mineproof {

// Called about every millisecond of work, in the thread that works. To stop the work it throws
// something that the core does not catch. Objects stay usable: a call that was stopped has either
// changed nothing, or has done whole moves of a game.
using CheckpointHook = void (*)();
void set_checkpoint_hook(CheckpointHook hook);

// Work is measured like `Budget::nodes`: some ten nanoseconds per unit.
void checkpoint(std::int64_t work);

// Adds up work, so that short loops do not pay for a call.
class Work {
  public:
    void add(std::int64_t more) {
        done_ += more;
        if (done_ < worth_reporting) return;
        const auto done = done_;
        done_ = 0;
        checkpoint(done);
    }

  private:
    static constexpr std::int64_t worth_reporting = 1 << 14;

    std::int64_t done_ = 0;
};

}  // namespace mineproof
