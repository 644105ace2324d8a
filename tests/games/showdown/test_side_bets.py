"""Side bets on games that a file describes: on the end of a round, and on cards."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

import combin
from combin.base.errors import InputError
from combin.play.together import together
from combin.userfiles.collected import collect
from combin.verify import VERIFIED, verify

HANDS = {"straight flush": 40, "three of a kind": 30, "straight": 6, "flush": 4, "pair": 1}
#: Three-card hands of 22,100: facts of the deck.
NUMBERS = {"straight flush": 48, "three of a kind": 52, "straight": 720, "flush": 1096, "pair": 3744}


def bet(base: str, outcomes: dict[str, str], pays: dict[str, str], name: str = "bet") -> str:
    lines = [f'[[wager]]\nid = "{base.rsplit("/", 1)[0]}/{name}"\nname = "{name}"\nbeside = "{base}"\n[wager.outcome]']
    lines += [f'"{outcome}" = \'{text}\'' for outcome, text in outcomes.items()]
    lines += ["[wager.paytable.A]", *(f'"{outcome}" = "{pay}"' for outcome, pay in pays.items())]
    return "\n" + "\n".join(lines) + "\n"


def analysed(template: str, more: str, folder: Path) -> list[combin.Analysis]:
    path = folder / "game.toml"
    path.write_text((files("combin") / "templates" / f"{template}.toml").read_text() + more)
    book, identifiers = collect([str(path)])
    return [combin.analyze(i, book=book) for i in identifiers]


BASE = "house/three-card-poker/base"


@pytest.mark.parametrize("word", ["hand", "poker(player)"])
def test_a_bet_on_the_players_hand(word: str, tmp_path: Path) -> None:
    text = bet(BASE, {name: f'{word} >= "{name}"' for name in HANDS}, {n: f"{pay} to 1" for n, pay in HANDS.items()})
    _, found = analysed("three-card-poker", text, tmp_path)
    for name, number in NUMBERS.items():
        (outcome,) = [o for o in found.outcomes if o.outcome == name]
        assert outcome.probability == Fraction(number, 22100)
    if word == "hand":
        assert verify(found).state == VERIFIED


def test_a_bet_on_the_result_agrees_with_the_base_game(tmp_path: Path) -> None:
    text = bet(BASE, {"won": "won", "tied": "tied", "folded": "folded"},
               {"won": "1 to 1", "tied": "push", "folded": "push"})
    base, found = analysed("three-card-poker", text, tmp_path)
    shares = {o.outcome: o.probability for o in found.outcomes}
    for name, word in (("won", ", win"), ("tied", ", tie"), ("folded", "fold")):
        assert shares[name] == sum(o.probability for o in base.outcomes if word in o.outcome)


def test_hands_are_compared_after_a_fold_too(tmp_path: Path) -> None:
    text = bet(BASE, {"more": "hand > dealer_hand", "same": "hand == dealer_hand"},
               {"more": "1 to 1", "same": "push"})
    _, found = analysed("three-card-poker", text, tmp_path)
    shares = {o.outcome: o.probability for o in found.outcomes}
    assert shares["more"] == (1 - shares["same"]) / 2  # neither hand has an advantage


def test_a_bad_beat_looks_at_the_dealers_hand(tmp_path: Path) -> None:
    text = bet(BASE, {"beaten": 'lost and hand >= "straight"', "dealer": 'dealer_hand >= "three of a kind"'},
               {"beaten": "100 to 1", "dealer": "1 to 1"})
    base, found = analysed("three-card-poker", text, tmp_path)
    shares = {o.outcome: o.probability for o in found.outcomes}
    assert shares["beaten"] == sum(
        o.probability for o in base.outcomes
        if "lose" in o.outcome and o.outcome.endswith((", straight", "three of a kind", "straight flush")))
    assert 0 < shares["dealer"] < Fraction(100, 22100)


def test_the_game_with_a_side_bet(tmp_path: Path) -> None:
    text = bet(BASE, {"any": "True"}, {"any": "1 to 1"}, "sure") + bet(
        BASE, {"won": "won"}, {"won": "1 to 1"}, "won")
    base, _, _ = analysed("three-card-poker", text, tmp_path)
    (sure,) = together(base, "house/three-card-poker/sure/A").plays
    assert (sure.bonus, sure.bonus_variance, sure.covariance) == (1, 0, 0)
    assert (sure.base, sure.base_variance) == (base.game.expected_value, base.variance)
    (won,) = together(base, "house/three-card-poker/won/A").plays
    pairs = [(o.probability, o.returned - 1, 1 if ", win" in o.outcome else -1) for o in base.outcomes]
    assert won.covariance == sum(p * x * y for p, x, y in pairs) - sum(p * x for p, x, _ in pairs) * sum(
        p * y for p, _, y in pairs)


@pytest.mark.parametrize(("text", "said"), [
    (bet("house/nothing/base", {"won": "won"}, {"won": "1 to 1"}), "does not name a game"),
    (bet(BASE, {"won": "wins"}, {"won": "1 to 1"}), '"wins" is not known'),
    (bet(BASE, {"a": "won", "b": "pair(player)"}, {"a": "1 to 1", "b": "1 to 1"}), "cannot be combined"),
    (bet(BASE, {"a": 'hand >= "full house"'}, {"a": "1 to 1"}), "is not a hand of the order"),
    (bet(BASE, {"a": "won"}, {"c": "1 to 1"}), 'has no outcome "c"'),
])
def test_a_faulty_side_bet_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        analysed("three-card-poker", text, tmp_path)
    assert any(said in str(f) and "game.toml" in str(f) for f in refused.value.faults), refused.value


TRIPS = {"royal flush": 50, "straight flush": 40, "four of a kind": 30, "full house": 8, "flush": 6, "straight": 5,
         "three of a kind": 3}
UTH = "house/ultimate-texas-holdem/base"


@pytest.mark.slow
def test_trips_of_ultimate_texas_holdem(tmp_path: Path) -> None:
    text = bet(UTH, {n: f'hand >= "{n}"' for n in TRIPS}, {n: f"{p} to 1" for n, p in TRIPS.items()}, "trips")
    florida = {**TRIPS, "full house": 10, "flush": 8, "straight": 6}
    text += bet(UTH, {"tie": 'hand == dealer_hand and hand >= "three of a kind"',
                      **{n: f'hand > dealer_hand and hand >= "{n}"' for n in florida}},
                {"tie": "push", **{n: f"{p} to 1" for n, p in florida.items()}}, "florida")
    base, *found = analysed("ultimate-texas-holdem", text, tmp_path)
    assert (f"{float(100 * base.house_edge):.3f}", f"{float(100 * base.game.element_of_risk):.2f}") == ("2.185", "0.53")
    trips = found[0]
    assert [f"{float(100 * a.house_edge):.2f}" for a in found] == ["1.90", "4.88"]
    # where a flush pays 7 to 1 and a straight 4 to 1
    share = {o.outcome: o.probability for o in trips.outcomes}
    assert f"{float(100 * (trips.house_edge - share['flush'] + share['straight'])):.2f}" == "3.50"
