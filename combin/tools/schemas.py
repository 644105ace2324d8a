"""JSON Schema of the files that users write, for editors: generated from what their readers are typed by.

A reader says more than a schema can: whether a line pays less than a rarer one, whether an outcome exists.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from importlib.resources import files
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from ..analysis.wheels import WheelTerms
from ..bank.plan import BankTerms, PlannedTerms, PlanTerms
from ..base.toml_tables import (
    AMOUNT,
    BY_BET,
    DAY,
    FILLED,
    REST,
    SEVERAL,
    PerPaytable,
    Text,
    WholeNumber,
    keys_of,
    schema_of,
)
from ..deals.player_chart import ChartTerms
from ..play.blackjack import BlackjackTerms
from ..play.chase_the_flush import ChaseTerms
from ..play.high_card_flush import HighCardTerms, WhenTerms
from ..play.showdown import ShowdownTerms
from ..policy.criteria import CRITERIA
from ..policy.model import Requirement, Waiver
from ..policy.pages import pages
from ..policy.reader import PolicyTerms
from ..policy.settings import SettingsTerms
from ..policy.values import deck_list, only_true, to_or_for
from ..rulebook.book import shipped
from ..rulebook.model import WagerHead
from ..rulebook.terms import Terms
from ..userfiles.cover import DAY as DAY_FORM
from ..userfiles.cover import Cover, Signatory
from ..userfiles.paytables import WAGER_FILE_KEYS, WagerTerms
from .regenerate import Catalogue, Entry

DRAFT = "http://json-schema.org/draft-07/schema#"
KINDS = ("paytable", "policy", "settings", "cover", "plan", "catalogue", "strategy", "chart", "wheel")
Schema = dict[str, Any]

#: The class of a strategy's file, by its game.
STRATEGIES: Mapping[str, type] = {
    "high-card-flush": HighCardTerms, "chase-the-flush": ChaseTerms, "blackjack": BlackjackTerms,
    "blackjack-switch": BlackjackTerms, "showdown": ShowdownTerms,
}  # fmt: skip

#: What each key of a file is, by the table of keys.toml.
KEYS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    (files("combin.tools") / "keys.toml").read_text(encoding="utf-8"))
PAY = "What the outcome pays: 300 to 1, 50 for 1, $250, 100% of meter, push; sums with +."

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": ["string", "number"]}
STAKE: Schema = {**NUMBER, "exclusiveMinimum": 0}
FILLED_TEXT: Schema = {"type": "string", "pattern": r"\S"}
DATE: Schema = {"type": "string", "pattern": f"^{DAY_FORM.pattern}$"}
DECKS: Schema = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 8}, "minItems": 1}


def text(kind: str) -> str:
    """Return the schema of a kind of file as JSON."""
    return json.dumps(schema(kind), ensure_ascii=False, indent=1) + "\n"


def schema(kind: str) -> Schema:
    bodies: Mapping[str, Callable[[], Schema]] = {
        "paytable": _paytable, "policy": _policy, "settings": _settings,
        "cover": _cover, "plan": _plan, "catalogue": _catalogue, "strategy": _strategy,
        "chart": lambda: _worded(ChartTerms, "strategy", {}),
        "wheel": lambda: _worded(WheelTerms, "wheel", {"weights": {"minProperties": 1}}),
    }  # fmt: skip
    return {"$schema": DRAFT, "$id": f"combin/schema/{kind}/1", "title": f"combin {kind} file", **bodies[kind]()}


def _object(properties: Mapping[str, Schema], **more: Any) -> Schema:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False, **more}


def _list(items: Schema, description: str) -> Schema:
    return {"type": "array", "items": items, "minItems": 1, "description": description}


def _described(table: str, values: Mapping[str, Schema]) -> dict[str, Schema]:
    return {key: {**value, "description": KEYS[table].get(key, "")} for key, value in values.items()}


def typed(wanted: Any) -> Schema:
    """Return the schema of an annotation: what `combin.base.toml_tables` reads by it."""
    origin = get_origin(wanted)
    if wanted is Any:
        return {}
    if origin in (Union, UnionType):
        kinds = [typed(a) for a in get_args(wanted) if a is not NoneType]
        return kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if origin is Annotated:
        kind, mark = get_args(wanted)
        if isinstance(mark, WholeNumber):
            return {"type": "integer", "minimum": mark.least, "maximum": mark.most}
        if mark is SEVERAL:
            return {"anyOf": [typed(get_args(kind)[0]), typed(kind)]}
        if mark is BY_BET:
            inner = typed(kind)
            return {**inner, "additionalProperties": {"anyOf": [inner["additionalProperties"], inner]}}
        return TEXT if isinstance(mark, Text) and mark is not FILLED else {
            AMOUNT: NUMBER, FILLED: FILLED_TEXT, DAY: TEXT}[mark]
    if origin is Literal:
        return {"enum": list(get_args(wanted))}
    if origin is PerPaytable:
        inner = typed(get_args(wanted)[0])
        return {"anyOf": [inner, {"type": "object", "additionalProperties": inner}]}
    if origin is tuple:
        return {"type": "array", "items": typed(get_args(wanted)[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": typed(get_args(wanted)[1])}
    if isinstance(wanted, type) and is_dataclass(wanted):
        keys = schema_of(wanted)
        needed = [key for key, (_, _, is_needed) in keys.items() if is_needed]
        table = _object({key: typed(keys[key][1]) for key in keys_of(wanted)})
        table |= {"additionalProperties": typed(keys[REST][1])["additionalProperties"]} if REST in keys else {}
        return {**table, "required": needed} if needed else table
    return {"type": {str: "string", bool: "boolean", int: "integer"}[wanted]}


def _suggesting(known: Iterable[str]) -> Schema:
    """Return the schema of a text for which editors suggest known ids or globs."""
    return {"anyOf": [{"enum": list(known)}, TEXT]}


def _globs() -> list[str]:
    """Return a glob over the paytables of each wager of the catalogue."""
    return [f"{wager}/*" for wager in shipped().wagers]


def _paytable() -> Schema:
    stated = [typed(kind)["properties"] for kind in (WagerTerms, WagerHead, Terms)]
    properties = {key: next(values[key] for values in stated if key in values) for key in WAGER_FILE_KEYS}
    table = properties["paytable"]["additionalProperties"]
    table["additionalProperties"]["description"] = PAY
    table["properties"]["decks"] |= DECKS
    waivers = properties["waiver"]["items"]
    waivers["properties"] = _described("waiver", waivers["properties"])
    details = {"based_on": _suggesting(shipped().wagers), "decks": DECKS, "paytable": {"minProperties": 1}}
    described = _described("wager", {key: {**value, **details.get(key, {})} for key, value in properties.items()})
    wager = _object(described, required=["paytable"], anyOf=[{"required": ["based_on"]}, {"required": ["id", "name"]}])
    return _object({"wager": _list(wager, "The wagers whose paytables the file gives.")}, required=["wager"])


def _bound(key: str) -> Schema:
    """Return the schema of what a check of a requirement may be given, by its reader."""
    read = CRITERIA[key].read
    if read is only_true:
        return {"const": True}
    if read is deck_list:
        return DECKS
    return {"enum": ["to", "for"]} if read is to_or_for else NUMBER


def _policy() -> Schema:
    globs = _suggesting(_globs())
    applies = {"anyOf": [globs, {"type": "array", "items": globs, "minItems": 1}]}
    titles = {page.key: f"{page.id}: {page.title}. {page.what}" for page in pages().values()}
    rule = _worded(Requirement, "requirement", {"applies_to": applies, "decks": DECKS})
    rule["properties"] |= {key: {**_bound(key), "description": titles[key]} for key in CRITERIA}
    table = _worded(PolicyTerms, "policy", {})
    table["properties"] |= _described("policy", {"rule": {"type": "array", "items": rule}, "waiver": _waivers()})
    return table


def _waivers() -> Schema:
    return {"type": "array", "items": _worded(Waiver, "waiver", {})}


def _settings() -> Schema:
    table = _worded(SettingsTerms, "settings", {})
    table["properties"] |= _described("settings", {"waiver": _waivers()})
    return table


def _worded(kind: type, name: str, details: Mapping[str, Schema]) -> Schema:
    """Return the schema of a class, with what each key is; ``details`` says more of a value than its annotation."""
    table = typed(kind)
    silent = {f.name: {"default": f.default} for f in fields(kind) if isinstance(f.default, str | int) and f.default}
    values = {key: {**value, **details.get(key, {}), **silent.get(key, {})}
              for key, value in table["properties"].items()}
    return {**table, "properties": _described(name, values)}


def _cover() -> Schema:
    signatory = _worded(Signatory, "signatory", {})
    return _worded(Cover, "cover", {"received": DATE, "issued": DATE, "signatory": {"items": signatory}})


def _plan() -> Schema:
    bank = _worded(BankTerms, "bank", {})
    wager = _worded(PlannedTerms, "plan_wager", {
        "id": _suggesting(shipped().ids()), "stake": STAKE, "wheel": {"minProperties": 1}})
    return _worded(PlanTerms, "plan", {"bank": bank, "wager": {"items": wager, "minItems": 1}})


def _catalogue() -> Schema:
    patterns = {**_suggesting(_globs()), "pattern": r"\S"}
    entry = _worded(Entry, "entry", {
        "patterns": {"items": patterns, "minItems": 1}, "files": {"minItems": 1}, "decks": DECKS})
    entry["anyOf"] = [{"required": ["patterns"]}, {"required": ["files"]}]
    return _worded(Catalogue, "catalogue", {"analysis": {"items": entry, "minItems": 1}})


def _strategy() -> Schema:
    when = {"when": {"items": _worded(WhenTerms, "when", {})}}
    return {"oneOf": [
        _worded(kind, "strategy", {"game": {"const": game}, **when}) for game, kind in STRATEGIES.items()]}
