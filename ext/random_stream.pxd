"""Cards dealt from a shuffled deck, for the kernels that play rounds.

Rounds come in blocks. Each block has a random stream made from the seed and the block's number,
so the same seed gives the same rounds for any number of threads.
"""

from libc.stdint cimport uint64_t


cdef struct Deck:
    uint64_t state
    int[52] card    # 0..51; the ones dealt last come first


cdef inline uint64_t draw(uint64_t* state) noexcept nogil:
    """splitmix64"""
    cdef uint64_t z
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void open_block(Deck* deck, uint64_t seed, uint64_t block) noexcept nogil:
    """Start a new deck and the stream of one block."""
    cdef int card
    deck.state = seed
    deck.state = draw(&deck.state) ^ block
    deck.state = draw(&deck.state)
    for card in range(52):
        deck.card[card] = card


cdef inline void deal(Deck* deck, int cards) noexcept nogil:
    """Put ``cards`` random cards first in the deck, in random order; the others stay for the next round.

    32 random bits choose one of at most 52 cards: the error of a probability is at most 2^-32.
    """
    cdef int i, j
    for i in range(cards):
        j = i + <int> (((draw(&deck.state) >> 32) * <uint64_t> (52 - i)) >> 32)
        deck.card[i], deck.card[j] = deck.card[j], deck.card[i]
