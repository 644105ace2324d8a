"""A line of a document that no deal can meet is a finding, by number of decks."""

from combin.analysis.settle import unmet
from combin.deals.cards import Shoe
from combin.rulebook.book import shipped
from combin.wagers.wager_outcomes import deal_of, is_stated

BOOK = shipped()


def test_every_line_that_no_deal_meets_is_a_finding_and_no_other_is() -> None:
    found: dict[str, dict[str, set[int]]] = {}
    for identifier in BOOK.ids():
        resolved = BOOK.resolve(identifier)
        if is_stated(resolved.terms) and not resolved.terms.depends_on_play:
            for decks in resolved.decks:
                for line in unmet(deal_of(resolved).table(Shoe(decks)), resolved):
                    found.setdefault(resolved.wager_id, {}).setdefault(line, set()).add(decks)
    said: dict[str, dict[str, set[int]]] = {}
    for finding in BOOK.findings:
        if finding.id.startswith("unmet-"):
            (wager,) = (pattern.removesuffix("/*") for pattern in finding.wagers)
            for part in finding.text.rpartition(":")[0].split("; "):
                decks = {1, 2} if "one or two decks" in part else {1}
                said.setdefault(wager, {}).update(dict.fromkeys(part.split('"')[1::2], decks))
    assert said == found
    # Lucky Ladies states 1,000, 200 and 25 to 1 for one deck, but a deck has one queen of hearts.
    assert found["maryland/blackjack/lucky-ladies"]["queen of hearts pair"] == {1}
