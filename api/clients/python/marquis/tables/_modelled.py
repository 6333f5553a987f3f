"""Codec 3: FORMAT.md, "Codec 3: modelled"."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from collections.abc import Sequence

from ._errors import DamagedTable

GIVEN = 254
HINT_BYTES = {255: 0, 253: 1, 252: 2, 251: 3}
"""Which byte of the hint a stage uses."""
FREQUENCIES = 1 << 14
LOWEST_STATE = 1 << 16


class _Distribution:
    """Symbols with the numbers that they own."""

    def __init__(self, symbols: list[int], frequencies: list[int]) -> None:
        self.symbols = symbols
        self.frequencies = frequencies
        self.starts = [sum(frequencies[:place]) for place in range(len(frequencies))]


class Model:
    """The model of a modelled stream: alphabet, stages and distributions."""

    def __init__(self, data: bytes, width: int) -> None:
        self._data, self._at, self.width = data, 0, width
        count = self._number(1)
        self.alphabet = [self._number(width) for _ in range(count)]
        self.symbol_of = {cell: symbol for symbol, cell in enumerate(self.alphabet)}
        self.escape, self.outside = count, count + 1
        self.stages: list[tuple[int, int, bytes]] = []
        """Kind or distance, fan, and the next context by context and input."""
        for _ in range(self._number(1)):
            kind, fan, before = self._number(1), self._number(2), self._number(1) + 1
            self.stages.append((kind, fan, self._take(before * fan)))
        self.distributions = [self._distribution() for _ in range(self._number(1) + 1)]
        if self._at != len(data):
            raise DamagedTable("a model is longer than its parts")

    def _take(self, length: int) -> bytes:
        part = self._data[self._at : self._at + length]
        if len(part) < length:
            raise DamagedTable("a model ends too early")
        self._at += length
        return part

    def _number(self, length: int) -> int:
        return int.from_bytes(self._take(length), "little")

    def _distribution(self) -> _Distribution:
        pairs = [(self._number(1), self._number(2)) for _ in range(self._number(1) + 1)]
        symbols, frequencies = [symbol for symbol, _ in pairs], [frequency for _, frequency in pairs]
        if sum(frequencies) != FREQUENCIES or max(symbols) > self.escape:
            raise DamagedTable("a distribution of a model does not add up")
        return _Distribution(symbols, frequencies)

    def decode(self, block: bytes, cells: int, given: Sequence[int] | None, hints: bytes | None) -> bytes:
        """The cells of a packed block.

        given: the cells of the given stream at the same slots.
        hints: the hints of the same slots.
        """
        try:
            return self._decode(block, cells, self._contexts(cells, given, hints))
        except IndexError as error:
            raise DamagedTable("a packed block ends too early") from error

    def _contexts(self, cells: int, given: Sequence[int] | None, hints: bytes | None) -> list[int]:
        """The contexts after the stages that do not use earlier symbols."""
        contexts = [0] * cells
        each = len(hints) // cells if hints is not None else 0
        for kind, fan, following in self.stages:
            if kind == GIVEN:
                if given is None:
                    raise DamagedTable("a model uses a given stream, and the stream has none")
                inputs: Sequence[int] = given
            elif kind in HINT_BYTES:
                if hints is None or HINT_BYTES[kind] >= each:
                    raise DamagedTable("a model uses a byte that the hints do not have")
                inputs = hints[HINT_BYTES[kind] :: each]
            else:
                continue
            contexts = [following[context * fan + own] for context, own in zip(contexts, inputs, strict=True)]
        return contexts

    def _decode(self, block: bytes, cells: int, contexts: list[int]) -> bytes:
        width, escape, outside = self.width, self.escape, self.outside
        earlier = [stage for stage in self.stages if stage[0] != GIVEN and stage[0] not in HINT_BYTES]
        lane = -(-cells // 4)
        states = [int.from_bytes(block[at : at + 4], "big") for at in (0, 4)]
        word, last = 8, len(block)
        symbols = [outside] * cells
        out = [0] * cells
        for step in range(lane):
            for number in range(4):
                at = number * lane + step
                if at >= cells:
                    break
                context = contexts[at]
                for distance, fan, following in earlier:
                    context = following[context * fan + (symbols[at - distance] if distance <= step else outside)]
                own = self.distributions[context]
                state = states[number & 1]
                low = state & (FREQUENCIES - 1)
                place = bisect_right(own.starts, low) - 1
                symbol = own.symbols[place]
                state = own.frequencies[place] * (state >> 14) + low - own.starts[place]
                if state < LOWEST_STATE:
                    state = state << 16 | block[word] << 8 | block[word + 1]
                    word += 2
                states[number & 1] = state
                if symbol == escape:
                    last -= width
                    cell = int.from_bytes(block[last : last + width], "little")
                    symbol = self.symbol_of.get(cell, escape)
                else:
                    cell = self.alphabet[symbol]
                symbols[at] = symbol
                out[at] = cell
        decoded = b"".join(cell.to_bytes(width, "little") for cell in out) if width > 1 else bytes(out)
        expected = LOWEST_STATE + (zlib.crc32(decoded) & 0xFFFF)
        if word != last or states != [expected, LOWEST_STATE]:
            raise DamagedTable("a packed block does not decode to its checksum; its hints or given cells may differ")
        return decoded
