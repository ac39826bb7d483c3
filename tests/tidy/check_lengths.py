#!/usr/bin/env python3
"""Small and plainly named: files stay under 400 lines, functions under 70, lines within 100 (H29);
nothing in git is over 1 MiB; no left-over marks of unfinished work."""
import re

from sources import ROOT, report, tracked

MAX_FILE = 400
MAX_FUNCTION = 70
MAX_WIDTH = 100
MAX_BYTES = 1 << 20
MARKS = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
CONTROL = re.compile(r"^\s*(if|for|while|switch|catch|do|else|return)\b")
SCOPE = re.compile(r"^\s*(typedef\s+|export\s+)?(inline\s+)?(namespace|class|struct|union|enum|extern)\b")


def blank_out(text):
    """Comments, strings and characters replaced by blanks, lines kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(text):
    """(first line, last line) of every function body that is not inside another."""
    stack, head, line = [], "", 1
    for char in blank_out(text):
        if char == "\n":
            line += 1
        if char == "{":
            inside = "function" in (kind for kind, _ in stack)
            if not inside and ")" in head and not CONTROL.match(head) and not SCOPE.match(head):
                stack.append(("function", line))
            else:
                stack.append(("scope", line))
            head = ""
        elif char == "}":
            if stack:
                kind, start = stack.pop()
                if kind == "function":
                    yield start, line
            head = ""
        elif char == ";":
            head = ""
        elif not (head == "" and char.isspace()):
            head += char


def main():
    faults = []
    for path in tracked():
        size = (ROOT / path).stat().st_size
        if size > MAX_BYTES:
            faults.append(f"{path}: {size} bytes")
    for path in tracked("*.cc", "*.h", "*.py", "*.sh", "*.proto"):
        if path.startswith("tests/tidy/"):
            continue
        text = (ROOT / path).read_text()
        lines = text.splitlines()
        if len(lines) > MAX_FILE:
            faults.append(f"{path}: {len(lines)} lines")
        for number, content in enumerate(lines, 1):
            if MARKS.search(content):
                faults.append(f"{path}:{number}: unfinished: {content.strip()}")
            if len(content) > MAX_WIDTH and path.endswith((".cc", ".h")):
                faults.append(f"{path}:{number}: {len(content)} columns")
        if path.endswith((".cc", ".h")):
            for first, last in functions(text):
                if last - first + 1 > MAX_FUNCTION:
                    faults.append(f"{path}:{first}: function of {last - first + 1} lines")
    report(faults, "files and functions are small")


if __name__ == "__main__":
    main()
