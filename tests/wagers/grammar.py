"""Random conditions on a deal, as Hypothesis draws them, and random cards for it."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from combin.wagers.vocabulary import CARDS, FIVE_CARD_HANDS, NUMBER, POKER, RANK, THREE_CARD_HANDS, TRUTH, WORDS, Word

ROLES: tuple[dict[str, int], ...] = (
    {"player": 2, "upcard": 1},
    {"player": 3},
    {"first card": 1, "second card": 1},
    {"player": 2, "dealer": 2},
    {"player": 3, "board": 2, "hole card": 1},
    {"player": 7},
)
_SIGNS = st.sampled_from(["==", "!=", "<", "<=", ">", ">="])


def hands(roles: Mapping[str, int], least: int, most: int) -> list[tuple[tuple[str, ...], str]]:
    """Every hand of ``least`` to ``most`` cards: its roles and its text."""
    names = list(roles)
    found = []
    for bits in range(1, 1 << len(names)):
        members = tuple(name for i, name in enumerate(names) if bits >> i & 1)
        if least <= sum(roles[m] for m in members) <= most:
            found.append((members, " + ".join(m.replace(" ", "_") for m in members)))
    return found


@st.composite
def calls(draw: st.DrawFn, roles: Mapping[str, int], word: Word) -> tuple[str, int]:
    """A call of a word, and the number of cards of its first hand."""
    given: list[str] = []
    used: set[str] = set()
    size = 0
    for least, most in word.hands:
        found = [h for h in hands(roles, least, most) if not used & set(h[0])]
        if word.gives == POKER:
            found = [h for h in found if sum(roles[r] for r in h[0]) != 4]
        members, text = draw(st.sampled_from(found))
        used |= set(members)
        size = size or sum(roles[m] for m in members)
        given.append(text)
    if word.takes_cards:
        # A text of cards names ranks, or suits and colours, and cards beside either.
        suits = draw(st.booleans())
        known = [w for w, c in CARDS.items() if len(c) == 1 or (len({t % 13 for t in c}) == 13) == suits]
        given.append('"' + " ".join(draw(st.lists(st.sampled_from(sorted(known)), min_size=1, max_size=3))) + '"')
    for option, values in word.options.items():
        if draw(st.booleans()):
            given.append(f'{option}="{draw(st.sampled_from(values))}"')
    return f"{word.name}({', '.join(given)})", size


def possible(roles: Mapping[str, int], gives: str) -> list[Word]:
    found = []
    for word in WORDS.values():
        if word.gives != gives:
            continue
        fits = [hands(roles, least, most) for least, most in word.hands]
        if gives == POKER:
            fits = [[h for h in fits[0] if sum(roles[r] for r in h[0]) != 4]]
        if not all(fits):
            continue
        if len(fits) == 2 and not any(not set(a[0]) & set(b[0]) for a in fits[0] for b in fits[1]):
            continue
        if len(fits) == 2 and any(all(set(a[0]) & set(b[0]) for b in fits[1]) for a in fits[0]):
            continue  # some first hand overlaps every second hand
        found.append(word)
    return found


@st.composite
def numbers(draw: st.DrawFn, roles: Mapping[str, int], depth: int) -> str:
    kind = draw(st.integers(0, 4 if depth else 1))
    if kind <= 2:
        word = draw(st.sampled_from(possible(roles, NUMBER)))
        return draw(calls(roles, word))[0]
    if kind == 3:
        left, right = draw(numbers(roles, depth - 1)), draw(numbers(roles, depth - 1))
        return f"({left} {draw(st.sampled_from('+-*'))} {right})"
    yes = draw(numbers(roles, depth - 1))
    return f"({yes} if {draw(truths(roles, depth - 1))} else {draw(st.integers(0, 9))})"


@st.composite
def truths(draw: st.DrawFn, roles: Mapping[str, int], depth: int) -> str:
    kind = draw(st.integers(0, 7 if depth else 3))
    if kind == 0 and possible(roles, TRUTH):
        return draw(calls(roles, draw(st.sampled_from(possible(roles, TRUTH)))))[0]
    if kind == 1:
        words = [*possible(roles, RANK), *possible(roles, POKER)]
        word = draw(st.sampled_from(words))
        text, size = draw(calls(roles, word))
        known = list("23456789TJQKA") if word.gives == RANK else THREE_CARD_HANDS if size == 3 else FIVE_CARD_HANDS
        return f'{text} {draw(_SIGNS)} "{draw(st.sampled_from(known))}"'
    if kind <= 3:
        left = draw(numbers(roles, max(depth - 1, 0)))
        return f"{left} {draw(_SIGNS)} {draw(st.integers(0, 22))}"
    left, right = draw(truths(roles, depth - 1)), draw(truths(roles, depth - 1))
    if kind == 4:
        return f"not ({left})"
    if kind == 5:
        return f"(({left}) if ({right}) else ({draw(truths(roles, depth - 1))}))"
    return f"({left} {'and' if kind == 6 else 'or'} {right})"


@st.composite
def deals(draw: st.DrawFn, roles: Mapping[str, int], decks: int = 2) -> dict[str, tuple[int, ...]]:
    """Card types for each role; no card occurs more often than the number of decks."""
    stack = [c for c in range(52) for _ in range(decks)]
    # Cards of few ranks and suits meet more conditions.
    few = draw(st.booleans())
    if few:
        stack = [c for c in stack if c % 13 in (3, 4, 5, 6, 8, 12)]
    chosen = draw(st.permutations(stack))
    dealt, at = {}, 0
    for role, cards in roles.items():
        dealt[role] = tuple(chosen[at : at + cards])
        at += cards
    return dealt


def dealt(example: str, roles: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """``"7h 7s, Qd"`` by role."""
    return dict(zip(roles, (tuple(hand.split()) for hand in example.split(",")), strict=True))
