"""Conditions on hands that are drawn out, against every order of the cards of small shoes and published figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import perm
from pathlib import Path

import pytest
from click.testing import CliRunner

from combin.analysis.engine import analyze
from combin.analysis.model import Analysis
from combin.analysis.removal import effects
from combin.base.errors import InputError
from combin.cli.commands import cli
from combin.deals.cards import Shoe, card, name
from combin.deals.deal_kinds import of_drawn_hands
from combin.deals.drawn_roles import VARIES, hands_of
from combin.report import identity
from combin.rulebook.book import shipped
from combin.rulebook.terms import DealOptions
from combin.userfiles.paytables import add_file
from combin.verify import verify
from combin.wagers.condition_text import ConditionError
from combin.wagers.conditions import parse
from combin.wagers.drawn_columns import seen_of
from combin.wagers.literal import holds
from combin.wagers.wager_outcomes import roles_of

from ..shared import analysed

VALUE = {"A": 1, **{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 10)}


def shoe_of(text: str) -> Shoe:
    """Two decks without every card that is not named."""
    held = Counter(map(card, text.split()))
    return Shoe(2, tuple(c for c in range(52) for _ in range(2 - held[c])))


def orders(cards: Sequence[str], number: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every order of that number of these cards, with how often it comes among the physical ones."""

    def go(dealt: tuple[str, ...], left: Counter[str], ways: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if len(dealt) == number:
            yield dealt, ways
            return
        for c in sorted(left):
            if left[c]:
                yield from go((*dealt, c), left - Counter([c]), ways * left[c])

    yield from go((), Counter(cards), 1)


def total(hand: Sequence[str]) -> tuple[int, bool]:
    points = sum(VALUE[c[0]] for c in hand)
    soft = any(c[0] == "A" for c in hand) and points <= 11
    return points + 10 * soft, soft


def dealt_out(cards: Sequence[str], players: int, hits: bool) -> Iterator[tuple[dict[str, tuple[str, ...]], Fraction]]:
    """Every player's hand and dealer's finished hand, card by card, with its probability."""

    def dealer(
        player: tuple[str, ...], hand: tuple[str, ...], left: Counter[str], chance: Fraction
    ) -> Iterator[tuple[dict[str, tuple[str, ...]], Fraction]]:
        points, soft = total(hand)
        if len(hand) >= 2 and (points > 17 or (points == 17 and not (soft and hits))):
            yield {"player": player, "dealer": hand, "upcard": hand[:1], "hole card": hand[1:2]}, chance
            return
        for c in sorted(left):
            yield from dealer(player, (*hand, c), left - Counter([c]), chance * Fraction(left[c], left.total()))

    for player, ways in orders(cards, players):
        yield from dealer(player, (), Counter(cards) - Counter(player), Fraction(ways, perm(len(cards), players)))


def counted(text: str, condition: str, shoe: Shoe, soft_17: str = "stands") -> Fraction:
    """The probability of a condition by combin."""
    node = parse(condition, roles_of(text))
    table = of_drawn_hands(text, DealOptions(soft_17=soft_17), seen_of((node,), text, ("met",))).table(shoe)
    return Fraction(table.count(table["met"]), table.deals)


DEALER_SHOE = "As Ah 2s 3h 6s 6s 7d 8h Ts Th Jd Ks"
DEALER = (
    "total(dealer) == 22",
    "total(dealer) > 21 and suited(dealer)",
    "same_colour(dealer) and not suited(dealer)",
    'size(dealer) >= 4 and highest(upcard) <= "6"',
    'suited(dealer) and count(upcard, "spades") == 1',
    'same_colour(dealer) and suited(upcard + hole_card) and total(dealer) > 21',
    "blackjack(dealer) or soft(dealer)",
    'straight_flush(dealer) or three_of_a_kind(dealer)',
    'straight(dealer, ace="low") and lowest(dealer) <= "6"',
    "pair(dealer) and most_of_a_rank(dealer) == 2 and ranks(dealer) >= 3",
    "hard_total(dealer) + size(dealer) == 23 and not two_pair(dealer)",
    'count(dealer, "J K") == 1 and baccarat(dealer) != 0',
    "same_rank(first_two(dealer))",
)
BESIDE = (
    "total(dealer) > 21 and blackjack(player)",
    "suited(dealer) and suited(player)",
    'same_colour(dealer) and matches(player, upcard) >= 1',
    "total(dealer + player) == 31 and size(cards) >= 5",
    'count(cards, "A") == 2 and lowest(hole_card) >= "T"',
    "pair(player) and pair(dealer)",
    'suited(dealer) and total(player) >= 14 and count(upcard, "hearts") == 1',
    'total(dealer) > 21 and blackjack(player) or lowest(hole_card) == "6"',
)


@pytest.mark.parametrize("soft_17", ["stands", "hits"])
def test_the_dealer_by_every_order_of_a_small_shoe(soft_17: str) -> None:
    deals = list(dealt_out(DEALER_SHOE.split(), 0, soft_17 == "hits"))
    assert sum(chance for _, chance in deals) == 1
    for condition in DEALER:
        node = parse(condition, roles_of("dealer draws out"))
        literal = sum((chance for deal, chance in deals if holds(node, deal)), Fraction(0))
        assert 0 < literal < 1, condition
        assert counted("dealer draws out", condition, shoe_of(DEALER_SHOE), soft_17) == literal, condition


SMALL_SHOE = "As Ah 6s 6h 7d Ts Th Jd"


def test_a_player_beside_the_dealer_by_every_order_of_a_small_shoe() -> None:
    text = "player 2, dealer draws out"
    deals = list(dealt_out(SMALL_SHOE.split(), 2, False))
    for condition in BESIDE:
        node = parse(condition, roles_of(text))
        literal = sum((chance for deal, chance in deals if holds(node, deal)), Fraction(0))
        assert 0 < literal < 1, condition
        assert counted(text, condition, shoe_of(SMALL_SHOE)) == literal, condition


def third_cards(player: str, banker: str, third: str) -> tuple[bool, bool]:
    """Whether player and banker draw, from the trade's table of points."""
    p, b = (sum(VALUE[r] for r in hand) % 10 for hand in (player, banker))
    if p >= 8 or b >= 8:
        return False, False
    if p >= 6:
        return False, b <= 5
    t = VALUE[third] % 10
    draws = {3: t != 8, 4: 2 <= t <= 7, 5: 4 <= t <= 7, 6: t in (6, 7), 7: False}
    return True, draws.get(b, True)


BACCARAT_SHOE = "As 2h 3s 5s 5h 6d 8s Tc"
BACCARAT = (
    "baccarat(banker) > baccarat(player)",
    "baccarat(banker) == 7 and size(banker) == 3 and baccarat(player) < 7",
    "size(player) + size(banker) == 6 and baccarat(player) == baccarat(banker)",
    "pair(first_two(player)) or suited(first_two(banker))",
    "suited(player) and size(player) == 3",
    "same_colour(banker) and not suited(banker) and pair(cards)",
    'count(player, "5 6") == 2 and highest(banker) <= "9"',
    'straight(player, ace="low") and size(player) == 3',
)


def test_baccarat_by_every_order_of_a_small_shoe() -> None:
    cards = BACCARAT_SHOE.split()
    nodes = {condition: parse(condition, roles_of("baccarat")) for condition in BACCARAT}
    found: Counter[str] = Counter()
    for dealt, ways in orders(cards, 6):
        player, banker, third = dealt[:2], dealt[2:4], dealt[4:]
        draws, banker_draws = third_cards("".join(c[0] for c in player), "".join(c[0] for c in banker), third[0][0])
        hands = {"player": player + third[:draws], "banker": banker + third[draws : draws + banker_draws]}
        hands |= {"first_two(player)": player, "first_two(banker)": banker}
        for condition, node in nodes.items():
            found[condition] += ways * holds(node, hands)
    for condition in BACCARAT:
        assert found[condition], condition
        chance = Fraction(found[condition], perm(len(cards), 6))
        assert counted("baccarat", condition, shoe_of(BACCARAT_SHOE)) == chance, condition


# ---- published figures


def user_wager(folder: Path, deal: str, outcomes: dict[str, str], pays: dict[str, str], decks: int) -> Analysis:
    lines = ["[[wager]]", 'id = "house/game/own"', 'name = "Own"', f'deal = "{deal}"', f"decks = [{decks}, 8]"]
    lines += ["[wager.outcome]", *(f"\"{name}\" = '{text}'" for name, text in outcomes.items())]
    lines += ["[wager.paytable.x]", *(f'"{name}" = "{pay}"' for name, pay in pays.items())]
    return analysed(folder, "\n".join(lines) + "\n", decks)


@pytest.mark.parametrize(("decks", "published"), [(1, "0.072401"), (6, "0.072591"), (8, "0.072599")])
def test_dealer_22(tmp_path: Path, decks: int, published: str) -> None:
    a = user_wager(tmp_path, "dealer draws out", {"22": "total(dealer) == 22"}, {"22": "push"}, decks)
    assert f"{float(a.outcomes[0].probability):.6f}" == published
    assert verify(a, claims=False).passed


BETS = {
    "banker": "baccarat(banker) > baccarat(player)",
    "banker otherwise": "baccarat(banker) > baccarat(player) and baccarat(banker) != 6",
    "banker but 7": "baccarat(banker) > baccarat(player) and not (baccarat(banker) == 7 and size(banker) == 3)",
    "player": "baccarat(player) > baccarat(banker)",
    "tie": "baccarat(player) == baccarat(banker)",
    "banker six": "baccarat(banker) == 6 and baccarat(player) < 6",
    "dragon 7": "baccarat(banker) == 7 and size(banker) == 3 and baccarat(player) < 7",
    "panda 8": "baccarat(player) == 8 and size(player) == 3 and baccarat(banker) < 8",
    "pair": "pair(first_two(player))",
    "big tiger": "baccarat(banker) == 6 and size(banker) == 3 and baccarat(player) < 6",
    "small tiger": "baccarat(banker) == 6 and size(banker) == 2 and baccarat(player) < 6",
    "natural": "baccarat(player) >= 8 and size(player) == 2 and size(banker) == 2 "
               "and baccarat(player) > baccarat(banker)",
    "natural tie": "baccarat(player) >= 8 and size(player) == 2 and size(banker) == 2 "
                   "and baccarat(player) == baccarat(banker)",
    **{f"by {n}": f"baccarat(player) - baccarat(banker) == {n} and size(player + banker) > 4" for n in range(4, 10)},
}  # fmt: skip


def test_baccarat_of_eight_decks(tmp_path: Path) -> None:
    a = user_wager(tmp_path, "baccarat", BETS, {"banker": "19 to 20", "tie": "push"}, 8)
    assert a.deals == 4_998_398_275_503_360
    counts = [o.combinations for o in a.outcomes]
    assert counts == [2_292_252_566_437_888, 475_627_426_473_216, 2_230_518_282_592_256]


@pytest.mark.parametrize(
    ("pays", "edge"),
    [
        ({"banker": "19 to 20", "tie": "push"}, "1.0579"),
        ({"player": "1 to 1", "tie": "push"}, "1.2351"),
        ({"tie": "8 to 1"}, "14.3596"),
        ({"banker six": "1 to 2", "banker otherwise": "1 to 1", "tie": "push"}, "1.46"),  # no commission
        ({"dragon 7": "push", "banker but 7": "1 to 1", "tie": "push"}, "1.0183"),  # EZ Baccarat
        ({"dragon 7": "40 to 1"}, "7.6113"),
        ({"panda 8": "25 to 1"}, "10.1876"),
        ({"pair": "11 to 1"}, "10.3614"),
        ({"natural": "1 to 1", "natural tie": "push", "by 9": "30 to 1", "by 8": "10 to 1", "by 7": "6 to 1",
          "by 6": "4 to 1", "by 5": "2 to 1", "by 4": "1 to 1"}, "2.6517"),  # Dragon Bonus on the player
    ],
)  # fmt: skip
def test_published_edges_of_baccarat(tmp_path: Path, pays: dict[str, str], edge: str) -> None:
    a = user_wager(tmp_path, "baccarat", BETS, pays, 8)
    assert f"{100 * float(1 - a.returned):.{len(edge.partition('.')[2])}f}" == edge


def test_a_published_buster_bonus_for_a_player_blackjack(tmp_path: Path) -> None:
    """The bonus lines replace the plain lines. The published house edge is 6.20 %."""
    bust = {f"{n}": f"total(dealer) > 21 and size(dealer) == {n}" for n in range(3, 8)}
    bust["8"] = "total(dealer) > 21 and size(dealer) >= 8"
    natural = {f"{n} blackjack": f"{bust[n]} and blackjack(player)" for n in ("8", "7")}
    pays = {"8 blackjack": 2000, "7 blackjack": 800, "8": 250, "7": 50, "6": 18, "5": 4, "4": 2, "3": 2}
    lines = {line: f"{pay} to 1" for line, pay in pays.items()}
    a = user_wager(tmp_path, "player 2, dealer draws out", bust | natural, lines, 6)
    assert f"{100 * float(1 - a.returned):.2f}" == "6.20"


# ---- removed cards, numbers of decks, refusals


@pytest.mark.parametrize("deal", ["dealer draws out", "baccarat"])
def test_the_effects_of_removal_are_those_of_smaller_shoes(tmp_path: Path, deal: str) -> None:
    dealer = {"x": "total(dealer) > 21", "y": "total(dealer) > 21 and suited(dealer)"}
    bets = {"x": BETS["tie"], "y": "same_rank(first_two(player))"}
    a = user_wager(tmp_path, deal, bets if deal == "baccarat" else dealer, {"y": "9 to 1", "x": "2 to 1"}, 1)
    found = {name(e.card): e.returned for e in effects(a)}
    assert len(found) == 52
    for removed in ("Ah", "6c", "Qs"):
        assert found[removed] == a.replace(without=(card(removed),)).returned
    assert found["Ah"] == found["As"]  # no suit is singled out
    assert found["Qs"] == found["Td"]


@pytest.mark.parametrize(
    ("deal", "condition", "said"),
    [
        ("dealer draws out", "suits(dealer) == 2", "suits(dealer) cannot be counted for a hand that is drawn out"),
        ("dealer draws out", 'count(dealer, "hearts") == 2', "cannot be counted"),
        ("dealer draws out", 'poker(dealer) >= "pair"', "poker(dealer) cannot be counted"),
        ("dealer draws out", "size(dealer + upcard) == 3", "upcard is counted twice in one hand"),
        ("dealer draws out", "matches(dealer, upcard) == 2", "upcard is compared with itself"),
        ("player 2, dealer draws out", "suited(dealer + player)", "together with other cards; use it for each hand"),
        ("player 2, dealer draws out", "suited(first_two(player))", "is for hands that are drawn out"),
        ("player 2, dealer draws out", "matches(player, dealer) == 1", "matches(dealer) cannot be counted"),
        ("baccarat", "first_two(player)", "is a hand, not true or false; write for example pair(first_two(player))"),
        ("baccarat", "pair(upcard)", 'no role is called "upcard"'),
        ("baccarat", "first_two(player) == 2", "is a hand"),
        ("baccarat", "pair(first_two(player) + player)", "counted twice"),
    ],
)
def test_what_is_refused_in_one_sentence(deal: str, condition: str, said: str) -> None:
    with pytest.raises(ConditionError) as caught:
        parse(condition, roles_of(deal))
    (fault,) = caught.value.faults
    assert said in str(fault)


def test_conditions_that_distinguish_too_many_hands_are_refused() -> None:
    with pytest.raises(InputError, match="distinguish more than 3,000,000 final hands"):
        counted("player 5, dealer draws out", 'straight(player) and highest(dealer) == "Q"', Shoe(6))


@pytest.mark.parametrize(
    ("text", "said"),
    [("upcard 1, dealer draws out", '"upcard" is a part of the drawn-out hand'),
     ("player 0, dealer draws out", '"player" has no cards')],
)  # fmt: skip
def test_deals_that_are_not_sound(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        roles_of(text)


def test_a_shoe_that_can_run_out_is_refused() -> None:
    with pytest.raises(InputError, match="can run out before the hand is complete"):
        counted("dealer draws out", "total(dealer) == 22", shoe_of("2s 2h 3s 3h 4s"))


def test_the_roles_of_deals_that_are_drawn_out() -> None:
    drawn = {"dealer": VARIES, "upcard": 1, "hole card": 1}
    assert hands_of("dealer draws out") == drawn
    assert hands_of("first card 1, dealer draws out") == {"first card": 1, **drawn}
    assert hands_of("player 2, dealer 2") is None
    assert hands_of("player plays the chart, dealer draws out") is None


# ---- the guide


def of_guide(page: str, file: str, folder: Path) -> Path:
    """The example of a page that begins with the file's name."""
    text = (Path(__file__).parents[2] / "docs" / "guide" / page).read_text(encoding="utf-8")
    [example] = [e for e in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if e.startswith(f"# {file}\n")]
    path = folder / file
    path.write_text(example, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("page", "file", "decks", "given", "returns"),
    [
        ("drawn-hands.md", "bust-bonus.toml", 6, {}, None),
        ("drawn-hands.md", "banker.toml", 8, {}, ["98.9421", "98.5419", "92.3887"]),
        ("envy.md", "two-pair-envy.toml", 1, {"meter": "2000"}, ["76.0384"]),
    ],
)
def test_the_examples_of_the_guide(
    tmp_path: Path, page: str, file: str, decks: int, given: dict[str, str], returns: list[str] | None
) -> None:
    book, identifiers = add_file(shipped(), str(of_guide(page, file, tmp_path)))
    found = [f"{100 * float(analyze(i, decks=decks, set=given, book=book).returned):.4f}" for i in identifiers]
    assert found == returns if returns else len(found) == 1


@pytest.mark.parametrize("file", ["bust-bonus.toml", "banker.toml"])
def test_a_report_names_the_kernel_of_such_a_bet(tmp_path: Path, file: str) -> None:
    """Six cards of baccarat and a dealer's upcard are listed by the kernel of shoes."""
    book, [identifier, *_] = add_file(shipped(), str(of_guide("drawn-hands.md", file, tmp_path)))
    a = analyze(identifier, decks=8, book=book)
    assert "shoe.pyx" in [kernel for kernel, _ in identity.kernels([a])]
    target = tmp_path / "r.md"
    found = CliRunner().invoke(cli, ["report", str(tmp_path / file), "--decks", "8", "--quick", "-o", str(target)])
    assert found.exit_code == 0, found.output
    assert identifier in target.read_text(encoding="utf-8")
