// The test framework: suites that register themselves, and checks that report where they fail.
#pragma once

#include <cstdio>
#include <vector>

inline int failures = 0;

struct Suite {
    const char* name;
    void (*run)();
};

inline std::vector<Suite>& suites() {
    static std::vector<Suite> all;
    return all;
}

struct Registration {
    explicit Registration(Suite suite) { suites().push_back(suite); }
};

// The tests of one file. The name is the file's path without `test_` and extension.
#define SUITE(name)                                            \
    static void run_suite();                                   \
    static const Registration registration{{name, run_suite}}; \
    static void run_suite()

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            ++failures;                                                         \
            std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
        }                                                                       \
    } while (false)

#define CHECK_THROWS(expression, exception)                 \
    do {                                                    \
        bool thrown = false;                                \
        try {                                               \
            static_cast<void>(expression);                  \
        } catch (const exception&) {                        \
            thrown = true;                                  \
        }                                                   \
        CHECK(thrown && #expression " throws " #exception); \
    } while (false)
