"""`combin init`: commented files to start from, a paytable and a policy for a wager, a side bet, a game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import ceil, floor
from pathlib import Path

from ..analysis.engine import analyze
from ..analysis.model import Analysis
from ..base.errors import Fault, fault, nearest, raise_all
from ..base.exact import is_number, ratio
from ..base.output import write_whole
from ..deals.drawn_roles import VARIES
from ..rulebook import parameters
from ..rulebook.book import RESERVED, Resolved, Rulebook, Wager, extended
from ..rulebook.terms import Unknown
from ..userfiles.templates import template
from ..wagers.condition_words import role_name
from ..wagers.wager_outcomes import roles_of

PAYTABLES, POLICY, OWN = "paytables.toml", "policy.toml", "wager.toml"
#: The name of the user's first paytable.
NAME = "house-1"
#: The value of a meter in a first policy, in dollars.
METER = "10000"


def start(book: Rulebook, wager_id: str, folder: str) -> list[str]:
    """Write both files into the folder and return their paths; an existing file is never replaced."""
    wager = book.wagers.get(wager_id.removesuffix("/*"))
    if wager is None:
        raise fault(f'there is no wager "{wager_id}"',
                    nearest(wager_id, book.wagers, otherwise="combin list shows them"))
    check_new(folder, (PAYTABLES, POLICY))
    first = next(iter(wager.paytables))
    book = extended(book)
    book.with_paytables(replace(wager, paytables={NAME: replace(wager.paytables[first], id=NAME)}))
    resolved = book.resolve(f"{wager.id}/{NAME}")
    analysis = analyze(resolved.id, decks=book.default_decks(resolved)[-1], book=book)
    unknown = {name: _first_value(analysis.resolved, name) for name in analysis.unknowns}
    if unknown:
        analysis = analysis.replace(set=unknown)
    return write_new(folder, {
        PAYTABLES: paytable_text(wager, first, analysis), POLICY: policy_text(analysis, unknown)})


def check_new(folder: str, names: Iterable[str]) -> None:
    """Raise `InputError` unless the folder exists and has none of the files."""
    if not Path(folder).is_dir():
        what = "is not a folder" if Path(folder).exists() else "the folder does not exist"
        raise fault(what, "make it first", file=folder)
    targets = [Path(folder) / name for name in names]
    raise_all([Fault("exists and is not replaced", "move it, or give another --folder", str(target))
               for target in targets if target.exists()])


def write_new(folder: str, texts: Mapping[str, str]) -> list[str]:
    """Write files into a folder and return their paths; raises `InputError` if one exists, and writes none then."""
    check_new(folder, texts)
    for name, text in texts.items():
        target = Path(folder) / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text)
    return [str(Path(folder) / name) for name in texts]


def start_game(game: str, folder: str) -> list[str]:
    """Write the template of a game with decisions and return its path; an existing file is never replaced."""
    return write_new(folder, {f"{game}.toml": template(game)})


def start_own(deal: str, folder: str) -> list[str]:
    """Write a user-defined wager on a deal, and return its path; an existing file is never replaced."""
    return write_new(folder, {OWN: own_text(deal, roles_of(deal))})


#: Outcomes of hands that are drawn out, with conditions and pays, by the first such hand of the deal.
_EXAMPLES = {
    "dealer": {
        "bust with six cards or more": ("total(dealer) > 21 and size(dealer) >= 6", "20 to 1"),
        "suited bust": ("total(dealer) > 21 and suited(dealer)", "15 to 1"),
        "bust of a low upcard": ('total(dealer) > 21 and highest(upcard) <= "6"', "1 to 1"),
    },
    "player": {
        "perfect pair": ("pair(first_two(player)) and suited(first_two(player))", "25 to 1"),
        "banker wins with six": ("baccarat(banker) == 6 and baccarat(player) < 6", "6 to 1"),
        "tie": ("baccarat(player) == baccarat(banker)", "push"),
    },
}


def _on_first_cards(roles: Mapping[str, int]) -> dict[str, tuple[str, str]]:
    """Return outcomes of first cards, with conditions and pays."""
    cards = sum(roles.values())
    if cards == 1:
        return {
            "ace of spades": ('count(cards, "As") == 1', "30 to 1"),
            "ace": ('count(cards, "A") == 1', "4 to 1"),
        }
    two = next((role_name(role) for role, number in roles.items() if number > 1), "cards")
    same = "three of a kind" if roles.get(two.replace("_", " "), cards) > 4 else "pair"
    return {
        "suited": ("suited(cards)", "4 to 1"),
        same: (f"{same.replace(' ', '_')}({two})", "2 to 1"),
        "all red": ('count(cards, "red") == size(cards)', "push"),
    }


def own_text(deal: str, roles: Mapping[str, int]) -> str:
    """Return a commented user-defined wager on these roles."""
    cards = sum(roles.values())
    drawn = [role_name(role) for role, number in roles.items() if number == VARIES]
    outcomes = _EXAMPLES[drawn[0]] if drawn else _on_first_cards(roles)
    hands = [role_name(role) for role in roles if role_name(role).isidentifier()]
    names = ", ".join([*hands, *(f"first_two({role})" for role in drawn)])
    decks = "[1]" if cards > 4 else "[6, 8]"
    return "\n".join([
        f"# A wager of your own. Its figures: combin analyze {OWN}",
        f"# Checked by an independent method: combin verify {OWN}",
        "",
        "[[wager]]",
        'id = "house/game/my-wager"     # three parts, in lower case with hyphens',
        'name = "My wager"',
        f"deal = {quoted(deal)}",
        f"decks = {decks}",
        "",
        "# Each outcome is a condition on the cards. combin words lists the words, combin words pair explains one.",
        f"# A hand is {names}, cards for all that is dealt, or hands joined by +.",
        "[wager.outcome]",
        *(f"{quoted(name)} = '{condition}'" for name, (condition, _) in outcomes.items()),
        "",
        "# The pays. A deal is settled by the first line that applies.",
        '# Pays: "300 to 1", "50 for 1", "2.5 to 1", "$250", "push". Add tables under other names.',
        "[wager.paytable.A]",
        *(f"{quoted(name)} = {quoted(pay)}" for name, (_, pay) in outcomes.items()),
        "",
    ])


def _first_value(resolved: Resolved, name: str) -> str:
    """Return the value of an unknown in a first policy: a tenth of its greatest value, if it has one."""
    most = (parameters.settings(resolved).get(name) or resolved.unknowns.get(name, Unknown())).most
    if name == "stake":
        return "1"
    return METER if most is None else str(ratio(most) / 10)


def quoted(text: str) -> str:
    """Return a TOML basic string."""
    return json.dumps(text, ensure_ascii=False)


def paytable_text(wager: Wager, letter: str, a: Analysis) -> str:
    """Return the text of a file with the paytable of an analysis under another name."""
    paytable = a.resolved.paytable
    width = max(len(quoted(outcome)) for outcome, _ in paytable.lines)
    lines = [
        f"# Paytables of your own for {wager.name}.",
        f"# Check them against the policy: combin check {PAYTABLES} --policy {POLICY}",
        "",
        "[[wager]]",
        "# Everything but the pays comes from this wager; combin list shows the others.",
        f"based_on = {quoted(a.resolved.wager_id)}",
        "",
        f"# The pays of its paytable {letter} ({a.clause}). Change them, or add tables under other names.",
        "# A deal is settled by the first line that applies, so the higher pay comes first.",
        '# Pays: "300 to 1", "50 for 1", "2.5 to 1", "$250", "100% of main meter", "push".',
        f"[wager.paytable.{NAME}]",
    ]
    if a.resolved.decks_tied:
        lines.append(f"decks = {list(a.resolved.decks)}  # numbers of decks from which it may be dealt")
    lines += [
        f"{quoted(outcome).ljust(width)} = {quoted(pay)}" for outcome, pay in paytable.lines if outcome not in RESERVED
    ]
    return "\n".join(lines) + "\n"


def policy_text(a: Analysis, unknown: dict[str, str]) -> str:
    """Return the text of a policy that the paytable meets by a margin of a few percent."""
    lines = [
        f"# What {PAYTABLES} must satisfy; combin rules lists the checks that a requirement may state.",
        "",
        "[[rule]]",
        'name = "House side bets"',
        f"applies_to = [{quoted(a.resolved.wager_id + '/*')}]  # ids or globs; * also matches slashes",
        '# readings = "all"       # every reading of the document must pass',
    ]
    if len(a.resolved.decks) > 1:
        lines.append(f"decks = [{a.decks}]              # numbers of decks that are checked")
    if a.game is not None:
        lines.append('basis = "ante"          # or "initial", "average": the unit of the return')
    if a.has_stake and is_number(a.returned):
        least, most = floor(a.returned * 50) * 2 - 2, ceil(a.returned * 50) * 2 + 2
        lines += [f'return_min = "{least}%"'] * (least > 0) + [f'return_max = "{most}%"']
    frequency = a.game.win_frequency if a.game is not None else a.hit_frequency
    if is_number(frequency):
        below = floor(frequency * 100)
        lines += [f'hit_frequency_min = "{below}%"'] if below else [f'hit_frequency_max = "{ceil(frequency * 100)}%"']
    if unknown:
        lines += ["", "[rule.set]  # values of unknowns"]
        lines += [f"{name} = {quoted(value)}" for name, value in unknown.items()]
    return "\n".join(lines) + "\n"
