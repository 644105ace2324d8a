"""The list of every wager of the five documents, with its number of paytables."""

from combin.rulebook.book import shipped

#: Counted in the documents themselves.
MANIFEST = {
    "massachusetts/high-card-flush/base": 1,
    "massachusetts/high-card-flush/flush-bonus": 14,
    "massachusetts/high-card-flush/straight-flush-bonus": 7,
    "massachusetts/high-card-flush/progressive": 4,
    "maryland/high-card-flush/base": 1,
    "maryland/high-card-flush/flush-bonus": 15,
    "maryland/high-card-flush/straight-flush-bonus": 7,
    "maryland/high-card-flush/progressive": 5,
    "maryland/chase-the-flush/base": 2,
    "maryland/chase-the-flush/same-suit": 4,
    "maryland/chase-the-flush/progressive": 4,
    "recommended/chase-the-flush/base": 2,
    "recommended/chase-the-flush/same-suit-bonus": 4,
    "maryland/blackjack/blackjack": 2,
    "maryland/blackjack/switch": 1,
    "maryland/blackjack/insurance": 1,
    "maryland/blackjack/lucky-ladies": 2,
    "maryland/blackjack/match-the-dealer": 2,
    "maryland/blackjack/in-between": 1,
    "maryland/blackjack/royal-match-21": 5,
    "maryland/blackjack/bet-the-set-21": 4,
    "maryland/blackjack/kings-bounty": 1,
    "maryland/blackjack/super-match": 2,
    "maryland/blackjack/bad-beat-progressive": 1,
    "maryland/blackjack/three-card-poker": 2,
    "maryland/blackjack/hit-and-run-progressive": 1,
    "maryland/blackjack/house-money": 2,
    "maryland/blackjack/lucky-lucky": 3,
    "maryland/blackjack/super-4-progressive": 4,
    "maryland/blackjack/must-hit-progressive": 1,
    "maryland/blackjack/upcard-luck-21": 1,
    "maryland/blackjack/buster-blackjack": 6,
    "maryland/blackjack/buster-blackjack-free-bonus": 2,
    "maryland/blackjack/bonus-spin-progressive": 4,
    "maryland/blackjack/blazing-7s-progressive": 1,
    "maryland/blackjack/lucky-aces": 2,
    "maryland/blackjack/21-plus-3-progressive": 2,
    "maryland/blackjack/top-3": 2,
    "maryland/blackjack/trilux-bonus": 2,
    "maryland/blackjack/trilux-super-3": 1,
    "maryland/blackjack/lucky-ladies-progressive": 1,
    "maryland/blackjack/match-super-bonus": 1,
    "maryland/blackjack/poker-3": 1,
    "maryland/blackjack/19-plus": 1,
    "maryland/blackjack/kk": 1,
    "maryland/blackjack/qq": 1,
    "maryland/blackjack/jj": 1,
    "maryland/blackjack/pair": 1,
    "maryland/blackjack/match": 1,
    "maryland/blackjack/a-2": 1,
    "maryland/blackjack/7s": 1,
}


def test_every_wager_is_covered() -> None:
    assert {wager.id: len(wager.paytables) for wager in shipped().wagers.values()} == MANIFEST


def test_documents_digests_and_prefixes() -> None:
    book = shipped()
    assert len(book.documents) == 5
    for document in book.documents.values():
        assert len(document.sha256) == 64
        assert any(w.startswith(document.prefix + "/") for w in book.wagers)
