// The whole test framework: a failed check says where, and the executable returns 1.
#pragma once

#include <cstdio>

inline int failures = 0;

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
