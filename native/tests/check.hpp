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
#define SUITE(name) SUITE_COUNTED(name, __COUNTER__)
#define SUITE_COUNTED(name, number) SUITE_NUMBER(name, number)
#define SUITE_NUMBER(name, number) SUITE_FUNCTION(name, run_suite_##number, registration_##number)
#define SUITE_FUNCTION(name, run, registration)          \
    static void run();                                   \
    static const Registration registration{{name, run}}; \
    static void run()

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
