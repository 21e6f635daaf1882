#include "board/checkpoint.hpp"

#include <atomic>

namespace mineproof {

namespace {

constexpr std::int64_t between_calls = 100'000;

std::atomic<CheckpointHook> the_hook = nullptr;
thread_local std::int64_t left = between_calls;

}  // namespace

void set_checkpoint_hook(CheckpointHook hook) {
    the_hook = hook;
}

void checkpoint(std::int64_t work) {
    if (left > work) {
        left -= work;
        return;
    }
    left = between_calls;
    if (const auto hook = the_hook.load(std::memory_order_relaxed)) hook();
}

}  // namespace mineproof
