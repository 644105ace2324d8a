"""Paytables and quick reports on them that several tests use."""

from __future__ import annotations

from typing import Any

from click.testing import CliRunner

from combin.cli.commands import cli
from combin.report.identity import ReportRequest
from combin.report.make import Files, make
from combin.report.model import Report

FLUSH = "massachusetts/high-card-flush/flush-bonus/A"
LADIES = "maryland/blackjack/lucky-ladies/A"
METER = "maryland/high-card-flush/progressive/A"


def report_on(*patterns: str, decks: int | None = None, **more: Any) -> Report:
    wanted = () if decks is None else (decks,)
    return make(ReportRequest(patterns, wanted, quick=True, **more), Files(patterns))[0]


def command(*words: str) -> str:
    result = CliRunner().invoke(cli, ["report", *words], catch_exceptions=False)
    return result.output
