"""The verdicts on published claims of slow games. Run by hand; it takes some minutes.

    python tests/benchmarks/judge_switch.py
"""

from combin.published import judge, published
from combin.published.judge import takes_long

if __name__ == "__main__":
    for claim in published():
        if takes_long(claim):
            found = judge(claim, long=True)
            print(f"{claim.number}. {claim.subject}, {claim.decks} decks: {claim.quantity} {claim.published}")
            print(f"   {claim.reading} [{claim.source}]")
            print(f"   {found.verdict}, {found.shown}; {found.reason}", flush=True)
