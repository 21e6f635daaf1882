#include "bindings/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "board/cell.hpp"
#include "board/index.hpp"

namespace mineproof {

namespace {

template <class Number>
[[noreturn]] void refuse(const char* name, const std::string& value, Number least, Number most) {
    throw std::invalid_argument(std::string(name) + ": " + value + " is not from " +
                                std::to_string(least) + " to " + std::to_string(most));
}

// Short even for a number of many digits, which Python may refuse to write.
std::string text(const nb::int_& number) {
    const auto bits = nb::cast<std::int64_t>(number.attr("bit_length")());
    if (bits > 128) return "a number of " + std::to_string(bits) + " bits";
    return nb::str(number).c_str();
}

}  // namespace

std::int64_t to_number(const char* name, const nb::int_& number, std::int64_t least,
                       std::int64_t most) {
    int overflow = 0;
    const auto value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0 || value < least || value > most) refuse(name, text(number), least, most);
    return value;
}

std::uint64_t to_word(const char* name, const nb::int_& number, std::uint64_t least) {
    const auto value = PyLong_AsUnsignedLongLong(number.ptr());
    const bool overflow = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (overflow || value < least)
        refuse(name, text(number), least, std::numeric_limits<std::uint64_t>::max());
    return value;
}

int to_side(const char* name, const nb::int_& side) {
    return static_cast<int>(to_number(name, side, 1, std::numeric_limits<std::int32_t>::max()));
}

std::int32_t to_cell(const char* name, const nb::int_& cell, const Topology& topology) {
    return static_cast<std::int32_t>(to_number(name, cell, 0, topology.cells() - 1));
}

std::vector<std::int32_t> to_cells(const char* name, const std::vector<std::int64_t>& cells,
                                   const Topology& topology) {
    std::vector<std::int32_t> result;
    result.reserve(cells.size());
    for (const auto cell : cells) {
        if (cell < 0 || cell >= topology.cells())
            refuse(name, std::to_string(cell), 0, topology.cells() - 1);
        result.push_back(static_cast<std::int32_t>(cell));
    }
    return result;
}

std::int32_t to_first(const nb::int_& first, const Topology& topology, Start start) {
    return start == Start::any ? -1 : to_cell("first", first, topology);
}

std::vector<std::uint8_t> to_mines(const MineMask& mines) {
    // Not read as bool: NumPy allows other bytes than 0 and 1 in an array of bool.
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(mines.data());
    std::vector<std::uint8_t> result(mines.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = bytes[i] != 0;
    return result;
}

std::vector<std::uint8_t> to_mines(const MineMask& mines, const Topology& topology) {
    if (mines.size() != at(topology.cells()))
        throw std::invalid_argument("mines: " + std::to_string(mines.size()) +
                                    " values, expected " + std::to_string(topology.cells()));
    return to_mines(mines);
}

std::vector<std::int8_t> to_codes(const char* name, const Codes& codes, const Topology& topology) {
    const auto shape = [](auto rows, auto cols) {
        return "(" + std::to_string(rows) + ", " + std::to_string(cols) + ")";
    };
    if (codes.shape(0) != at(topology.rows()) || codes.shape(1) != at(topology.cols()))
        throw std::invalid_argument(std::string(name) + ": shape " +
                                    shape(codes.shape(0), codes.shape(1)) + ", expected " +
                                    shape(topology.rows(), topology.cols()));
    std::vector<std::int8_t> result(codes.data(), codes.data() + codes.size());
    // Without a branch, so that the compiler can use vector instructions.
    unsigned wrong = 0;
    for (const auto code : result)
        wrong |=
            static_cast<unsigned>(code < cell::pending) | static_cast<unsigned>(code > max_degree);
    if (wrong == 0) return result;
    const auto place = std::ranges::find_if_not(result, cell::is_code) - result.begin();
    throw std::invalid_argument(std::string(name) + ": " + topology.name(static_cast<int>(place)) +
                                " has the code " + std::to_string(result[at(place)]) +
                                ", which is not from " + std::to_string(cell::pending) + " to " +
                                std::to_string(max_degree));
}

Channel to_channel(const std::optional<Weights>& weights) {
    Channel channel;
    if (!weights) return channel;
    channel.exact = false;
    for (std::size_t i = 0; i < channel.table.size(); ++i) {
        const double weight = weights->data()[i];
        if (!(weight >= 0.0) || !std::isfinite(weight))
            throw std::invalid_argument("weights: " + std::to_string(weight) +
                                        " is negative or not a number");
        channel.table[i] = weight;
        const bool is_loss = i % symbols == static_cast<std::size_t>(no_clue_symbol);
        channel.loses_clues = channel.loses_clues || (is_loss && weight > 0.0);
    }
    return channel;
}

Prior to_prior(const std::optional<nb::int_>& mines, std::optional<double> density) {
    if (mines && density) throw std::invalid_argument("density: the number of mines is given too");
    if (mines) return {Prior::Kind::total, to_number("mines", *mines, 0, most_told_mines), 0.0};
    if (!density) return {};
    if (!(0.0 < *density && *density < 1.0))
        throw std::invalid_argument("density: " + std::to_string(*density) +
                                    " is not between 0 and 1");
    return {Prior::Kind::density, 0, *density};
}

Budget to_budget(const nb::int_& nodes, const nb::int_& bytes) {
    return {to_number("nodes", nodes, 0), to_number("bytes", bytes, 0)};
}

}  // namespace mineproof
