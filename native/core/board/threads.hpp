// Work shared by threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace mineproof {

// Calls `work(thread, i)` once for every i below `count`, in that many threads at once; the calling
// thread is thread 0. If a call throws, no further calls begin, and the exception is thrown again
// once all threads have stopped.
template <class Work>
void in_threads(std::size_t threads, std::size_t count, Work work) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::exception_ptr> errors(threads);
    const auto run = [&](std::size_t thread) {
        try {
            for (auto i = next++; i < count; i = next++)
                work(thread, i);
        } catch (...) {
            errors[thread] = std::current_exception();
            next = count;
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t thread = 1; thread < std::min(threads, count); ++thread)
            others.emplace_back(run, thread);
        run(0);
    }
    for (const auto& error : errors)
        if (error) std::rethrow_exception(error);
}

}  // namespace mineproof
