"""Text out of a corpus: an order-2 Markov chain over its pieces, walked by seeded choices.

A state is a place of the corpus, and a step goes to a place that followed the same two tokens
somewhere: so the text holds together, and strays only where the corpus itself could have gone on
otherwise. Each paragraph ends with EOS; after that any paragraph may begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from pathlib import Path

from batchtui.plugins.models.vocabulary import EOS, PieceVocabulary, pieces

CORPUS = Path(__file__).parents[2] / "assets" / "corpus"

CHUNK = 64  # tokens written at a time: as many as one BLAKE2b digest has bytes


class Chain:
    """A corpus as tokens, and how it may be gone through.

    Attributes:
        vocabulary: the tokens that a text can be made of.
        tokens: the corpus, with EOS around each paragraph; place 0 is where every walk begins.
        following: for each place, those that may come next; one for each time that the corpus has
            it, so that what is frequent there is frequent here.
    """

    def __init__(self, paragraphs: Iterable[str]) -> None:
        split = [pieces(paragraph) for paragraph in paragraphs]
        if not split:
            raise ValueError("the corpus is empty: want one paragraph or more")
        self.vocabulary = PieceVocabulary(piece for paragraph in split for piece in paragraph)
        self.tokens = [EOS]
        for paragraph in split:
            self.tokens += [*self.vocabulary.encode("".join(paragraph)), EOS]
        self.following = self._follow()

    def _follow(self) -> list[tuple[int, ...]]:
        followers: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        before, contexts = EOS, []
        for place, token in enumerate(self.tokens):
            # What came before EOS says nothing about what comes after.
            contexts.append((EOS, EOS) if token == EOS else (before, token))
            followers[contexts[-1]].append(place + 1)
            before = token
        followers[EOS, EOS].pop()  # nothing follows the end of the corpus
        shared = {context: tuple(places) for context, places in followers.items()}
        return [shared[context] for context in contexts]


class Walk:
    """One text of a chain, written as far as it was asked for.

    ``tokens[n]`` depends on the chain, the key and ``n`` alone.
    """

    __slots__ = ("_chain", "_draws", "_draws_at", "_key", "_place", "tokens")

    def __init__(self, chain: Chain, key: bytes) -> None:
        self.tokens: list[int] = []
        self._chain, self._key = chain, key
        self._place = 0
        self._draws, self._draws_at = b"", -1

    def reach(self, length: int) -> list[int]:
        """Go on until there are so many tokens or more; returns all of them."""
        while len(self.tokens) < length:
            self._write_chunk()
        return self.tokens

    def draw(self, position: int) -> int:
        """A number from 0 to 255 that belongs to a position as its token does."""
        number, offset = divmod(position, CHUNK)
        if number != self._draws_at:
            self._draws, self._draws_at = self._digest(number, b"draw"), number
        return self._draws[offset]

    def _write_chunk(self) -> None:
        following, source, place = self._chain.following, self._chain.tokens, self._place
        write = self.tokens.append
        for choice in self._digest(len(self.tokens) // CHUNK, b"walk"):
            places = following[place]
            place = places[choice % len(places)]
            write(source[place])
        self._place = place

    def _digest(self, number: int, purpose: bytes) -> bytes:
        """Random bytes that are a stable function of all that is named."""
        data = number.to_bytes(8, "little")
        return blake2b(data, digest_size=CHUNK, key=self._key, person=purpose).digest()


def corpus_paragraphs() -> list[str]:
    """The paragraphs of the corpus that comes with the package."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(CORPUS.glob("*.txt"))]
    return [paragraph for text in texts for paragraph in text.strip().split("\n\n")]


@cache
def bundled_chain() -> Chain:
    """The chain of the bundled corpus; made once, then shared."""
    return Chain(corpus_paragraphs())
