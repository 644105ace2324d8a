"""Classes of the deals of a shoe, one role at a time.

A role draws a multiset of labels (what the wager sees of a card) out of what the
earlier roles left. Each row carries the suit permutations that still fix it; of
the multisets that these map onto one another only the smallest is kept, and its
weight is multiplied by the length of the orbit. What later roles can do to a row
depends on its stabilizer alone, so that no canonical form of the whole deal is
ever computed.

Time goes into the images of candidate multisets: rows × C(labels + k - 1, k) ×
stabilizer, some 30,000 images for three cards of any shoe, a few milliseconds for
the largest deal of first cards. The number of decks only changes weights.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memset

from binomials cimport binomial

cdef enum:
    MOST_CARDS = 8


cdef inline int compare_image(const uint8_t* pick, int k, const uint8_t* image_of) noexcept nogil:
    """-1, 0 or 1 as the sorted image of ``pick`` is smaller, equal or larger."""
    cdef uint8_t image[MOST_CARDS]
    cdef uint8_t label
    cdef int i, j
    for i in range(k):
        label = image_of[pick[i]]
        j = i
        while j > 0 and image[j - 1] > label:
            image[j] = image[j - 1]
            j -= 1
        image[j] = label
    for i in range(k):
        if image[i] < pick[i]:
            return -1
        if image[i] > pick[i]:
            return 1
    return 0


cdef inline int64_t ways_to_draw(const uint8_t* pick, int k, const int32_t* left) noexcept nogil:
    """The number of ways to draw a sorted multiset; a run of equal labels takes its cards together.

    No product is larger than the number of deals, which combin.deals.first_cards holds below 2^59.
    """
    cdef int64_t ways = 1
    cdef int run, i = 0
    while i < k:
        run = 1
        while i + run < k and pick[i + run] == pick[i]:
            run += 1
        ways *= binomial(left[pick[i]], run)
        i += run
    return ways


cdef inline int orbit(
    const uint8_t* pick, int k, const uint8_t[:, ::1] images, uint32_t group, uint32_t* fixed
) noexcept nogil:
    """The number of images of a multiset under a group, or 0 where it is not the smallest; ``fixed``: its stabilizer."""
    cdef int g, compared, order = 0, kept = 0
    fixed[0] = 0
    for g in range(<int> images.shape[0]):
        if not (group >> g) & 1:
            continue
        order += 1
        compared = compare_image(pick, k, &images[g, 0])
        if compared < 0:
            return 0
        if compared == 0:
            fixed[0] |= (<uint32_t> 1) << g
            kept += 1
    return order // kept


cdef inline bint next_multiset(uint8_t* pick, int k, int labels) noexcept nogil:
    """Step to the next multiset in lexicographic order; false behind the last."""
    cdef int i = k - 1
    cdef uint8_t label
    while i >= 0 and pick[i] == labels - 1:
        i -= 1
    if i < 0:
        return False
    label = pick[i] + 1
    while i < k:
        pick[i] = label
        i += 1
    return True


def extend(
    int64_t start,
    int64_t stop,
    const int32_t[:, ::1] left,
    const uint32_t[::1] stabilizers,
    const uint8_t[::1] active,
    const uint8_t[:, ::1] images,
    int k,
    int32_t[::1] parent,
    uint8_t[:, ::1] picks,
    int64_t[::1] weight,
    uint32_t[::1] stabilizer,
):
    """Let one role of ``k`` cards draw behind the rows [start, stop); return the rows written.

    left         (rows, labels): cards left of each label
    stabilizers  (rows,): bit g is set where permutation g fixes the row
    active       (rows,): 0 where the wager does not look at this role; the row
                 then gets a single successor with every label 255
    images       (permutations, labels): the label that permutation g makes of a label
    parent, picks, weight, stabilizer: the rows written; weight holds the number of
                 ways times the length of the orbit, not yet times the parent's weight
    """
    cdef int64_t row, written = 0
    cdef int labels = <int> left.shape[1]
    cdef uint8_t pick[MOST_CARDS]
    cdef uint32_t fixed
    cdef int64_t ways, size
    cdef int i, images_of
    cdef bint more
    if k < 1 or k > MOST_CARDS:
        raise ValueError("a role has 1 to 8 cards")
    with nogil:
        for row in range(start, stop):
            if not active[row]:
                size = 0
                for i in range(labels):
                    size += left[row, i]
                parent[written] = <int32_t> row
                for i in range(k):
                    picks[written, i] = 255
                weight[written] = binomial(size, k)
                stabilizer[written] = stabilizers[row]
                written += 1
                continue
            memset(pick, 0, sizeof(pick))
            more = True
            while more:
                ways = ways_to_draw(pick, k, &left[row, 0])
                images_of = orbit(pick, k, images, stabilizers[row], &fixed) if ways else 0
                if images_of:
                    parent[written] = <int32_t> row
                    for i in range(k):
                        picks[written, i] = pick[i]
                    weight[written] = ways * images_of
                    stabilizer[written] = fixed
                    written += 1
                more = next_multiset(pick, k, labels)
    return written
