#!/usr/bin/env python3
"""README's table "What survives what" names a test in every cell, and every test it names exists."""
import re

from sources import ROOT, report, tracked

HEADING = "### What survives what"
MODES = 3
FAILURES = 6
NAME = re.compile(r"`(\w+\.\w+)`")
TEST = re.compile(r"\bTEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*\)")


def cells(readme):
    """The rows of the first table behind the heading, without its head."""
    lines = readme.split(HEADING, 1)[-1].splitlines()
    rows = [line for line in lines if line.startswith("|")]
    table = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return table[2:2 + MODES]


def main():
    existing = set()
    for path in tracked("*_test.cc"):
        existing.update(".".join(match) for match in TEST.findall((ROOT / path).read_text()))
    readme = (ROOT / "README.md").read_text()
    faults = []
    if HEADING not in readme:
        faults.append(f"README.md: no heading {HEADING}")
    table = cells(readme)
    if [len(row) for row in table] != [1 + FAILURES] * MODES:
        faults.append(f"README.md: the table has not {MODES} modes and {FAILURES} failures")
    for row in table:
        for cell in row[1:]:
            names = NAME.findall(cell)
            if not names:
                faults.append(f"README.md: {row[0]}: no test named in: {cell}")
            faults += [f"README.md: {row[0]}: no such test: {n}" for n in names if n not in existing]
    report(faults, "every promise has its test")


if __name__ == "__main__":
    main()
