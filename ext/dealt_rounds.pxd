"""Cards dealt from a shuffled shoe, and the records of rounds, for the kernels that play rounds.

Rounds come in blocks. Each block has a random stream made from the seed and the block's number,
so the same seed gives the same rounds for any number of threads.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from doors cimport shaped

cdef enum:
    MOST_CARDS = 416


cdef struct Shoe:
    uint64_t state
    int size
    int at                      # number of cards dealt
    # 0..51; the ones dealt come first, in order. Bytes would stall: the compiler takes them for parts of the state.
    uint16_t[MOST_CARDS] card


cdef inline uint64_t draw(uint64_t* state) noexcept nogil:
    """splitmix64"""
    cdef uint64_t z
    state[0] += <uint64_t> 0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void open_block(Shoe* shoe, const uint8_t* cards, int size, uint64_t seed, uint64_t block) noexcept nogil:
    """Start the stream of a block with all cards in order; without ``cards`` they are 0, 1, 2…"""
    cdef int i
    shoe.state = seed
    shoe.state = draw(&shoe.state) ^ block
    shoe.state = draw(&shoe.state)
    shoe.size = size
    for i in range(size):
        shoe.card[i] = i if cards == NULL else cards[i]


cdef inline int next_card(Shoe* shoe) noexcept nogil:
    """Deal a random card of those left, 0..51.

    32 random bits choose one of at most 416 cards: the error of a probability is at most 2^-32.
    """
    cdef int j = shoe.at + <int> (((draw(&shoe.state) >> 32) * <uint64_t> (shoe.size - shoe.at)) >> 32)
    cdef uint16_t card = shoe.card[j]
    shoe.card[j] = shoe.card[shoe.at]
    shoe.card[shoe.at] = card
    shoe.at += 1
    return card


cdef inline void deal(Shoe* shoe, int cards) noexcept nogil:
    """Deal a round of ``cards`` cards; the others stay for the next round."""
    shoe.at = 0
    while shoe.at < cards:
        next_card(shoe)


cdef struct Records:
    # A row for each round, written only if all rounds have one.
    bint kept
    int spots
    int cards
    int32_t* ends       # [round][spot], the index of the spot in the counts
    uint8_t* dealt      # [round][card], the first cards as dealt


cdef inline int open_records(
    Records* records, int32_t[:, ::1] ends, uint8_t[:, ::1] dealt, int most, int each, int others, Py_ssize_t rounds,
) except -1:
    """Records of up to ``most`` spots, each dealt ``each`` cards, and of ``others`` cards."""
    shaped(1 <= ends.shape[1] <= most and ends.shape[0] >= 1 and dealt.shape[0] == ends.shape[0]
           and dealt.shape[1] == each * ends.shape[1] + others,
           f"ends (rounds, 1 to {most} spots) and dealt (rounds, {each} spots + {others})")
    records.kept = ends.shape[0] >= rounds
    records.spots, records.cards = <int> ends.shape[1], <int> dealt.shape[1]
    records.ends, records.dealt = &ends[0, 0], &dealt[0, 0]
    return 0


cdef inline void keep_cards(const Records* records, Py_ssize_t row, const Shoe* shoe) noexcept nogil:
    cdef int i
    if records.kept:
        for i in range(records.cards):
            records.dealt[row * records.cards + i] = <uint8_t> shoe.card[i]


cdef inline void keep_end(const Records* records, Py_ssize_t row, int spot, int end) noexcept nogil:
    if records.kept:
        records.ends[row * records.spots + spot] = end
