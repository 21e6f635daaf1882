// Python threads may share any object of the module. Most calls keep the GIL, which makes threads
// take turns. Long calls release it, so an object that a long call changes also needs a mutex.
#pragma once

#include <atomic>
#include <concepts>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace mineproof {

// A mutex that knows its owner. A signal may interrupt a long call, and the handler of the signal
// may use the object of that call: an error is better than waiting for oneself.
class Mutex {
  public:
    bool try_lock() {
        refuse_owner();
        if (!mutex_.try_lock()) return false;
        owner_ = std::this_thread::get_id();
        return true;
    }
    void lock() {
        refuse_owner();
        mutex_.lock();
        owner_ = std::this_thread::get_id();
    }
    void unlock() {
        owner_ = std::thread::id{};
        mutex_.unlock();
    }

  private:
    void refuse_owner() const {
        if (owner_ == std::this_thread::get_id())
            throw std::runtime_error("the object is in use by the call that a signal interrupted");
    }

    std::mutex mutex_;
    std::atomic<std::thread::id> owner_;
};

// A thread never waits for the mutex while it holds the GIL: the thread that holds the mutex may
// need the GIL, for example to release its last reference to a Python object. For the same reason
// `use` must not create Python containers or call Python code.
//
// `ReleasedGil` releases the GIL while it lives. Tests have a GIL of their own.
template <class T, class ReleasedGil>
class GuardedBy {
  public:
    template <class... Arguments>
        requires std::constructible_from<T, Arguments...>
    explicit GuardedBy(Arguments&&... arguments) : value_(std::forward<Arguments>(arguments)...) {}
    GuardedBy(const GuardedBy&) = delete;
    GuardedBy& operator=(const GuardedBy&) = delete;

    // For brief work. Keeps the GIL, unless it has to wait for a long call of another thread.
    template <class Use>
    auto use(Use use) {
        std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) {
            ReleasedGil unlocked;
            lock.lock();
        }
        return use(value_);
    }

    // For long work, with the GIL released.
    template <class Use>
    auto use_without_gil(Use use) {
        ReleasedGil unlocked;
        std::lock_guard lock(mutex_);
        return use(value_);
    }

    // For long work that changes two objects.
    template <class Other, class Use>
    auto use_both_without_gil(GuardedBy<Other, ReleasedGil>& other, Use use) {
        ReleasedGil unlocked;
        std::scoped_lock lock(mutex_, other.mutex_);
        return use(value_, other.value_);
    }

  private:
    template <class Other, class Released>
    friend class GuardedBy;

    Mutex mutex_;
    T value_;
};

}  // namespace mineproof
