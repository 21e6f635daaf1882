// Runs the suites named on the command line, or all of them.
#include <cstdio>
#include <cstring>

#include "tests/check.hpp"

int main(int count, char** names) {
    int ran = 0;
    for (const auto& suite : suites()) {
        bool named = count == 1;
        for (int i = 1; i < count; ++i)
            named = named || std::strcmp(names[i], suite.name) == 0;
        if (!named) continue;
        suite.run();
        ++ran;
    }
    if (ran == 0 || (count > 1 && ran != count - 1)) {
        std::printf("no such suite\n");
        return 2;
    }
    return failures != 0;
}
