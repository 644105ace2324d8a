"""What a document leaves to the operator or to chance: settings (numbers) and unknowns (symbols)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from types import MappingProxyType

from .errors import fault, nearest
from .exact import Exact, ratio
from .rulebook import Resolved

FLAG = "--set"


def names(resolved: Resolved) -> tuple[str, ...]:
    """Every parameter of a paytable: its settings, then the unknowns of its pays, in order."""
    found = dict.fromkeys(resolved.settings)
    for _, pay in resolved.payments:
        found.update(dict.fromkeys(pay.unknowns))
        if pay.needs_stake:
            found["stake"] = None
    return tuple(found)


def check_names(items: Iterable[Resolved], chosen: Mapping[str, str]) -> None:
    """Refuse a value for a name that none of the paytables has."""
    known = sorted({name for item in items for name in names(item)})
    for name, text in chosen.items():
        if name not in known:
            raise fault(
                f'no parameter of these wagers is called "{name}"',
                nearest(name, known) if known else "they have no parameters",
                file=FLAG,
                place=f"{name}={text}",
            )


def values(resolved: Resolved, chosen: Mapping[str, str]) -> dict[str, Exact | None]:
    """Every parameter with its exact value; None for an unknown that nobody set.

    Raises `InputError` for a value that is no number, out of range, or against what
    the document fixes.
    """
    found: dict[str, Exact | None] = {}
    for name in names(resolved):
        setting = resolved.settings.get(name)
        place = f"{name}={chosen[name]}" if name in chosen else ""
        if name in chosen:
            value = ratio(chosen[name], what=f"the value of {name}", file=FLAG, place=place)
        elif setting is not None and setting.default is not None:
            value = ratio(setting.default)
        else:
            found[name] = None
            continue
        found[name] = value
        if setting is not None and setting.fixed and setting.default is not None and value != ratio(setting.default):
            raise fault(
                f"{name} is fixed at {setting.default} ({setting.clause})", "leave it out", file=FLAG, place=place
            )
        least = ratio(setting.least) if setting and setting.least is not None else Fraction(0)
        if value < least or (name == "stake" and value <= 0):
            raise fault(
                f"{name} cannot be {value}",
                "a stake is above 0" if name == "stake" else f"give at least {least}",
                file=FLAG,
                place=place,
            )
        if setting and setting.most is not None and value > ratio(setting.most):
            raise fault(
                f"{name} cannot be {value} ({setting.clause})", f"give at most {setting.most}", file=FLAG, place=place
            )
    return found


def shown(resolved: Resolved, found: Mapping[str, Exact | None]) -> Mapping[str, Exact | None]:
    """The parameters as an analysis shows them."""
    return MappingProxyType({name: found.get(name) for name in names(resolved)})
