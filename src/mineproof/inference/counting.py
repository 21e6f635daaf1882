"""The number of layouts, as an exact integer of any size.

The core counts the layouts of each component modulo primes. This module combines the residues,
multiplies the components, and writes the result in full.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from mineproof import _core

__all__ = ["count_layouts", "decimal_digits"]

_PRIME_BITS: Final = 31
_SHORT_BITS: Final = 2048


def count_layouts(posterior: _core.Posterior, mines: int | None) -> int:
    """Return the number of layouts that fit, with this many mines or, if None, with any number."""
    parts = [_component(posterior, index) for index in range(posterior.components)]
    fewest = sum(part[0] for part in parts)
    product = _multiply_all([part[1] for part in parts])
    if mines is None:
        return sum(product) << posterior.interior
    left = mines - posterior.known_mines - fewest
    ways = _choices(posterior.interior, left)
    return sum(count * rest for count, rest in zip(product, ways, strict=False))


def decimal_digits(number: int) -> str:
    """Write a non-negative integer of any length in decimal digits.

    Examples
    --------
    >>> decimal_digits(10**5000 + 7) == "1" + "0" * 4999 + "7"
    True
    """
    if number.bit_length() <= _SHORT_BITS:
        return str(number)
    # str() refuses long numbers and takes quadratic time; the decimal module multiplies fast.
    with decimal.localcontext(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX) as context:
        context.traps[decimal.Inexact] = True
        powers = [decimal.Decimal(1 << _SHORT_BITS)]
        while _SHORT_BITS << len(powers) < number.bit_length():
            powers.append(powers[-1] * powers[-1])
        return format(_to_decimal(number, powers), "f")


def _to_decimal(number: int, powers: Sequence[decimal.Decimal]) -> decimal.Decimal:
    """Convert by halves, where ``powers[i]`` is 2 to the power of ``_SHORT_BITS << i``."""
    if not powers:
        return decimal.Decimal(number)
    *smaller, power = powers
    bits = _SHORT_BITS << len(smaller)
    high, low = number >> bits, number & ((1 << bits) - 1)
    return _to_decimal(high, smaller) * power + _to_decimal(low, smaller)


def _component(posterior: _core.Posterior, index: int) -> tuple[int, list[int]]:
    """Return the fewest mines of a component, and its layouts for each number from there on."""
    needed = posterior.component_bits(index) // (_PRIME_BITS - 1) + 1
    primes = _primes(needed)
    fewest, residues = posterior.residues(index, primes)
    return fewest, [_from_residues(column, primes) for column in zip(*residues, strict=True)]


@cache
def _primes(count: int) -> list[int]:
    """Return the largest primes below 2^31, all above 2^30."""
    candidates = range(2**_PRIME_BITS - 1, 2 ** (_PRIME_BITS - 1), -2)
    found = (number for number in candidates if _is_prime(number))
    return [next(found) for _ in range(count)]


def _is_prime(number: int) -> bool:
    """Apply the Miller-Rabin test, which is exact below 2^32 with these bases."""
    odd = number - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in (2, 7, 61):
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True


@cache
def _inverses(count: int) -> list[int]:
    """Return, for each prime, the inverse of the product of the primes before it."""
    inverses, product = [], 1
    for prime in _primes(count):
        inverses.append(pow(product % prime, -1, prime))
        product *= prime
    return inverses


def _from_residues(residues: Sequence[int], primes: Sequence[int]) -> int:
    """Return the smallest number with these residues, by the Chinese remainder theorem."""
    value, modulus = 0, 1
    for residue, prime, inverse in zip(residues, primes, _inverses(len(primes)), strict=True):
        value += modulus * ((residue - value) % prime * inverse % prime)
        modulus *= prime
    return value


def _multiply_all(polynomials: list[list[int]]) -> list[int]:
    while len(polynomials) > 1:
        pairs = zip(polynomials[::2], polynomials[1::2], strict=False)
        paired = [_multiply(a, b) for a, b in pairs]
        if len(polynomials) % 2:
            paired.append(polynomials[-1])
        polynomials = paired
    return polynomials[0] if polynomials else [1]


def _multiply(a: list[int], b: list[int]) -> list[int]:
    """Multiply two polynomials as integers, with digits wide enough that nothing carries over."""
    width = (sum(a).bit_length() + sum(b).bit_length() + 8) // 8
    packed = _pack(a, width) * _pack(b, width)
    digits = packed.to_bytes(width * (len(a) + len(b) - 1), "little")
    return [
        int.from_bytes(digits[begin : begin + width], "little")
        for begin in range(0, len(digits), width)
    ]


def _pack(polynomial: list[int], width: int) -> int:
    return int.from_bytes(b"".join(c.to_bytes(width, "little") for c in polynomial), "little")


def _choices(cells: int, mines: int) -> Iterator[int]:
    """Yield the number of ways to lay ``mines`` among the cells, then one fewer, and so on."""
    while mines > cells:
        yield 0
        mines -= 1
    if mines < 0:
        return
    ways = math.comb(cells, mines)
    while True:
        yield ways
        if mines == 0:
            return
        ways = ways * mines // (cells - mines + 1)
        mines -= 1
