"""JSON Schema of the files that users write, for editors: generated from what their readers are typed by.

A reader says more than a schema can: whether a line pays less than a rarer one, whether an outcome exists.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

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
from ..policy.criteria import CRITERIA
from ..policy.model import Waiver
from ..policy.pages import pages
from ..policy.reader import PolicyTerms, RequirementTerms
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
KINDS = ("paytable", "policy", "settings", "cover", "plan", "catalogue")
Schema = dict[str, Any]

#: What the keys of a wager in a paytable file are.
WAGER: Mapping[str, str] = {
    "based_on": "A wager of the catalogue, from which everything but the pays is taken.",
    "paytable": "The paytables by name: an outcome's pay for each line.",
    "id": "The id of a wager of your own, of three parts in lower case: house/blackjack/hot-three.",
    "name": "What the wager is called.",
    "clause": "The clause of a document that describes it.",
    "about": "A remark on the wager.",
    "deal": "What is dealt: roles and numbers of cards, such as player 2, upcard 1.",
    "game": "The game with decisions that it is played by, such as blackjack.",
    "where": "Names for conditions that other conditions use.",
    "outcome": "What each outcome is: a condition on the cards. combin words lists the vocabulary.",
    "outcomes": "The name of a registered outcome function, in the place of conditions.",
    "suits": "The suits that an outcome function singles out.",
    "dealer_cards": "How many of a hand's cards are the dealer's and shared by all players.",
    "shared": "Roles whose cards all seats share, in addition to dealer, upcard, hole card and board.",
    "seats": "The seats of a full table; seven where it is left out.",
    "options": "Options of the game or of the outcome function, such as raises or soft_17.",
    "added": "Pays that are sums of others: an outcome and the outcomes whose pays it adds.",
    "deal_options": "How hands are drawn out: soft_17 and twenty.",
    "shoe": "The number of cards of some ranks in each deck, such as T = 0: no ten-spots.",
    "setting": "Quantities that always have a value, such as the stake.",
    "unknown": "Quantities that stay symbols until --set gives them a value, such as a meter.",
    "extra": "Pays in addition to the outcomes, by paytable.",
    "promotion": "Whether it has no stake of its own.",
    "only_at_stake": "Outcomes that are paid only at one stake, with that stake.",
    "wheel": "Symbols of a wheel and what they pay, by paytable.",
    "community": "What other players are paid where two symbols come up: by table, its stake, paytables and pays.",
    "community_options": "What community pay is for: the symbol of another player's spin, or another player's hand.",
    "meter_options": "Whether a share that is paid leaves the meter, and how several winners of a round are paid.",
    "envy": "Hands, and what they pay other players, by paytable.",
    "beside": "The id of a game with a round, on which this is a side bet.",
    "round": "A game's round: order of hands, stakes, streets and choices. combin words lists its keys.",
    "stake_returned_with_prize": "Whether a prize in dollars comes on top of the stake.",
    "decks": "Numbers of decks from which the wager may be dealt.",
    "waiver": "Findings that are accepted on paytables of this wager, each with its reason.",
}
REQUIREMENT: Mapping[str, str] = {
    "name": "What the requirement is called in messages.",
    "applies_to": "Ids, or globs over ids; a star crosses slashes.",
    "decks": "Numbers of decks at which it is judged; those that a paytable states otherwise.",
    "readings": "all: every way to read the document has to pass.",
    "basis": "What the return of a game with decisions is per.",
    "undecided": "With pass, figures that depend on an unknown of the document pass.",
    "at_stake": "The stake in dollars at which payout_max is judged.",
    "meter": "The unknown for which the break-even value is found.",
    "set": "Values of unknowns and settings.",
    "reading": "Choices of readings.",
}
TOP: Mapping[str, str] = {
    "name": "What the policy is called.",
    "description": "One sentence on it.",
    "extends": "Policies whose requirements are taken over: files, or combin:NAME.",
    "undecided": "What an undecided figure is, unless a requirement says otherwise.",
    "file_waivers": "The checks and requirements that files of paytables may waive; by default none.",
    "rule": "The requirements.",
    "waiver": "Findings that are accepted, each with its reason.",
}
WAIVER: Mapping[str, str] = {
    "id": "The paytable, or a glob over ids.",
    "rule": "A check such as RTP001, or the name of a requirement; every one without it.",
    "reason": "Why the finding is accepted.",
    "expires": "The last day on which it is, compared with --today.",
    "paytable": "The paytable of the wager; every one in this file without it.",
}
SETTINGS: Mapping[str, str] = {
    "policy": "The policy file, or combin:NAME.",
    "paytables": "Folders, files, globs of files, or ids.",
    "baseline": "The file of accepted findings.",
    "waiver": "Findings that are accepted, each with its reason.",
    "map": "What clients call outcomes in sheets: a table for each glob over files.",
    "odds": "What bare odds such as 75:1 are in clients' sheets.",
}
COVER: Mapping[str, str] = {
    "laboratory": "Who tested.",
    "client": "Whom the report is for.",
    "report": "The number of the report.",
    "jurisdiction": "Where the game is to be offered.",
    "submission": "The number of the submission.",
    "revision": "The revision of the report.",
    "supersedes": "The report that this one replaces.",
    "received": "The day on which the submission was received, such as 2026-10-02.",
    "issued": "The day on which the report is issued, none before it was received.",
    "standard": "Standards that the client names; they are listed as not tested.",
    "profiles": "The profiles whose provisions are checked: ids of shipped ones, or TOML files in its folder.",
    "signatory": "Those who sign the report.",
}
SIGNATORY: Mapping[str, str] = {
    "name": "The name of the signatory.",
    "role": "What the person does, such as mathematician.",
}
PLAN: Mapping[str, str] = {
    "files": "Files of user-defined paytables, folders and globs of such files, relative to the plan.",
    "bank": "The tables, their hours, and how often the days are dealt.",
    "wager": "The wagers that every seat makes in every round.",
}
BANK: Mapping[str, str] = {
    "tables": "How many tables there are.",
    "seats": "How many seats a table has; all are taken.",
    "rounds_per_hour": "How many rounds a table deals in an hour.",
    "hours_per_day": "How many hours a day the tables are open.",
    "days": "How many days a run lasts.",
    "runs": "How many times the days are dealt.",
    "seed": "The number from which all chance follows.",
    "deals": "\"law\": each seat independently, from the exact distribution; \"cards\": all seats from one shoe.",
}
PLAN_WAGER: Mapping[str, str] = {
    "id": "The id of the paytable, such as maryland/high-card-flush/progressive/C.",
    "stake": "The stake of a seat in dollars, above 0.",
    "decks": "The number of decks, where the paytable has several.",
    "set": REQUIREMENT["set"],
    "reading": REQUIREMENT["reading"],
    "wheel": "How many stops of the wheel each symbol has.",
}
CATALOGUE: Mapping[str, str] = {
    "analysis": "What is analysed; an entry names patterns, files or both.",
    "ledger": "Whether the page of published claims is written too.",
}
ENTRY: Mapping[str, str] = {
    "patterns": "Ids, or globs over ids; a star crosses slashes.",
    "files": "Files, folders and globs of files, from the folder of the catalogue.",
    "decks": "Numbers of decks, in the place of those that are analysed by default.",
    "set": REQUIREMENT["set"],
    "reading": REQUIREMENT["reading"],
}
PAY = "What the outcome pays: 300 to 1, 50 for 1, $250, 100% of meter, push; sums with +."

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": ["string", "number"]}
STAKE: Schema = {**NUMBER, "exclusiveMinimum": 0}
FILLED_TEXT: Schema = {"type": "string", "pattern": r"\S"}
DATE: Schema = {"type": "string", "pattern": f"^{DAY_FORM.pattern}$"}
DECKS: Schema = {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 8}, "minItems": 1}


def text(kind: str) -> str:
    """The schema of a kind of file as JSON."""
    return json.dumps(schema(kind), ensure_ascii=False, indent=1) + "\n"


def schema(kind: str) -> Schema:
    body = {
        "paytable": _paytable, "policy": _policy, "settings": _settings,
        "cover": _cover, "plan": _plan, "catalogue": _catalogue,
    }[kind]()  # fmt: skip
    return {"$schema": DRAFT, "$id": f"combin/schema/{kind}/1", "title": f"combin {kind} file", **body}


def _object(properties: Mapping[str, Schema], **more: Any) -> Schema:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False, **more}


def _list(items: Schema, description: str) -> Schema:
    return {"type": "array", "items": items, "minItems": 1, "description": description}


def _described(words: Mapping[str, str], values: Mapping[str, Schema]) -> dict[str, Schema]:
    return {key: {**value, "description": words.get(key, "")} for key, value in values.items()}


def typed(wanted: Any) -> Schema:
    """The schema of an annotation: what `combin.base.toml_tables` reads by it."""
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
    waivers["properties"] = _described(WAIVER, waivers["properties"])
    details = {"based_on": _suggesting(shipped().wagers), "decks": DECKS, "paytable": {"minProperties": 1}}
    described = _described(WAGER, {key: {**value, **details.get(key, {})} for key, value in properties.items()})
    wager = _object(described, required=["paytable"], anyOf=[{"required": ["based_on"]}, {"required": ["id", "name"]}])
    return _object({"wager": _list(wager, "The wagers whose paytables the file gives.")}, required=["wager"])


def _bound(key: str) -> Schema:
    """What a check of a requirement may be given, by its reader."""
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
    rule = _worded(RequirementTerms, REQUIREMENT, {"applies_to": applies, "decks": DECKS})
    rule["properties"] |= {key: {**_bound(key), "description": titles[key]} for key in CRITERIA}
    table = _worded(PolicyTerms, TOP, {})
    table["properties"] |= _described(TOP, {"rule": {"type": "array", "items": rule}, "waiver": _waivers()})
    return table


def _waivers() -> Schema:
    return {"type": "array", "items": _worded(Waiver, WAIVER, {})}


def _settings() -> Schema:
    table = _worded(SettingsTerms, SETTINGS, {})
    table["properties"] |= _described(SETTINGS, {"waiver": _waivers()})
    return table


def _worded(kind: type, words: Mapping[str, str], details: Mapping[str, Schema]) -> Schema:
    """The schema of a class, with what each key is; ``details`` says more of a value than its annotation."""
    table = typed(kind)
    silent = {f.name: {"default": f.default} for f in fields(kind) if isinstance(f.default, str | int) and f.default}
    values = {key: {**value, **details.get(key, {}), **silent.get(key, {})}
              for key, value in table["properties"].items()}
    return {**table, "properties": _described(words, values)}


def _cover() -> Schema:
    signatory = _worded(Signatory, SIGNATORY, {})
    return _worded(Cover, COVER, {"received": DATE, "issued": DATE, "signatory": {"items": signatory}})


def _plan() -> Schema:
    bank = _worded(BankTerms, BANK, {})
    wager = _worded(PlannedTerms, PLAN_WAGER, {
        "id": _suggesting(shipped().ids()), "stake": STAKE, "wheel": {"minProperties": 1}})
    return _worded(PlanTerms, PLAN, {"bank": bank, "wager": {"items": wager, "minItems": 1}})


def _catalogue() -> Schema:
    patterns = {**_suggesting(_globs()), "pattern": r"\S"}
    entry = _worded(Entry, ENTRY, {
        "patterns": {"items": patterns, "minItems": 1}, "files": {"minItems": 1}, "decks": DECKS})
    entry["anyOf"] = [{"required": ["patterns"]}, {"required": ["files"]}]
    return _worded(Catalogue, CATALOGUE, {"analysis": {"items": entry, "minItems": 1}})
