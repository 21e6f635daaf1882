// Stopping long calls: by a signal such as Ctrl-C, or from another thread.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bindings/module.hpp"
#include "board/checkpoint.hpp"

namespace nb = nanobind;
using namespace nanobind::literals;

namespace mineproof {

namespace {

struct Cancelled : std::exception {
    const char* what() const noexcept override { return "cancelled from another thread"; }
};

using Flag = std::shared_ptr<std::atomic<bool>>;

// Those that the thread has entered, the innermost last.
std::vector<Flag>& entered() {
    static thread_local std::vector<Flag> flags;
    return flags;
}

class Cancel {
  public:
    void set() const { *flag_ = true; }
    bool is_set() const { return *flag_; }

    void enter() const { entered().push_back(flag_); }
    void leave() const {
        auto& flags = entered();
        const auto last = std::find(flags.rbegin(), flags.rend(), flag_);
        if (last == flags.rend())
            throw std::runtime_error("a Cancel must be left in the thread that entered it");
        flags.erase(last.base() - 1);
    }

  private:
    Flag flag_ = std::make_shared<std::atomic<bool>>(false);
};

// Python runs the handlers of signals only in its main thread, and only when asked. Asking needs
// the GIL, so it is done rarely.
void look() {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds between_questions{50};
    static thread_local Clock::time_point last{};
    for (const auto& flag : entered())
        if (*flag) throw Cancelled{};
    if (Clock::now() - last < between_questions) return;
    const nb::gil_scoped_acquire locked;
    last = Clock::now();
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void bind_cancel(nb::module_& m) {
    nb::exception<Cancelled>(m, "Cancelled", m.attr("MineproofError"));
    nb::class_<Cancel>(m, "Cancel")
        .def(nb::init<>())
        .def("set", &Cancel::set)
        .def_prop_ro("is_set", &Cancel::is_set)
        .def("__enter__",
             [](nb::handle_t<Cancel> self) {
                 nb::cast<const Cancel&>(self).enter();
                 return self;
             })
        .def(
            "__exit__",
            [](const Cancel& self, nb::handle, nb::handle, nb::handle) { self.leave(); },
            "kind"_a.none(), "error"_a.none(), "trace"_a.none());
    set_checkpoint_hook(&look);
}

}  // namespace mineproof
