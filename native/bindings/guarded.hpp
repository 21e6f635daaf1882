// Python threads may share any object of the module. Most calls keep the GIL, which makes threads
// take turns. Long calls release it, so an object that a long call changes also needs a mutex.
#pragma once

#include <nanobind/nanobind.h>

#include <concepts>
#include <mutex>
#include <utility>

namespace mineproof {

// A thread never waits for the mutex while it holds the GIL: the thread that holds the mutex may
// need the GIL, for example to release its last reference to a Python object. For the same reason
// `use` must not create Python containers or call Python code.
template <class T>
class Guarded {
  public:
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit Guarded(Arguments&&... arguments) : value_(std::forward<Arguments>(arguments)...) {}
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    // For brief work. Keeps the GIL, unless it has to wait for a long call of another thread.
    template <class Use>
    auto use(Use use) {
        std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) {
            nanobind::gil_scoped_release unlocked;
            lock.lock();
        }
        return use(value_);
    }

    // For long work, with the GIL released.
    template <class Use>
    auto use_without_gil(Use use) {
        nanobind::gil_scoped_release unlocked;
        std::lock_guard lock(mutex_);
        return use(value_);
    }

    // For long work that changes two objects.
    template <class Other, class Use>
    auto use_both_without_gil(Guarded<Other>& other, Use use) {
        nanobind::gil_scoped_release unlocked;
        std::scoped_lock lock(mutex_, other.mutex_);
        return use(value_, other.value_);
    }

  private:
    template <class Other>
    friend class Guarded;

    std::mutex mutex_;
    T value_;
};

}  // namespace mineproof
