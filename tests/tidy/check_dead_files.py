#!/usr/bin/env python3
"""No dead files and no disabled tests: every C++ source is named by a CMakeLists.txt, every header
is included by somebody, every script is mentioned, nothing is commented out of a build (H24)."""
import re

from sources import ROOT, report, tracked

# A skip must say which property of the machine it waits for.
DISABLED = re.compile(r"\bDISABLED_\w+|\bGTEST_SKIP\(\)\s*;")


def main():
    faults = []
    cmake = {p: (ROOT / p).read_text() for p in tracked("*CMakeLists.txt", "*.cmake")}
    for path, text in cmake.items():
        if not path.endswith("CMakeLists.txt"):
            continue
        for line in text.splitlines():
            if re.match(r"\s*#.*\b\w+\.cc\b", line):
                faults.append(f"{path}: a commented-out source: {line.strip()}")
    sources = tracked("*.cc", "*.h", "*.def")
    texts = {p: (ROOT / p).read_text() for p in sources}
    everything = "\n".join(texts.values())
    for path in sources:
        name = path.rsplit("/", 1)[1]
        folder = path.rsplit("/", 1)[0]
        if path.endswith(".cc"):
            listed = re.compile(r"(^|[\s(/])" + re.escape(name) + r"($|[\s)])", re.M)
            nearest = [t for p, t in cmake.items() if folder.startswith(p.rpartition("/")[0])]
            if not any(listed.search(re.sub(r"#.*", "", t)) for t in nearest):
                faults.append(f"{path}: in no CMakeLists.txt")
        else:
            include = path.removeprefix("include/")
            if f'"{include}"' not in everything:
                faults.append(f"{path}: included by nobody")
        if DISABLED.search(texts[path]):
            faults.append(f"{path}: a disabled test")
    documents = {p: (ROOT / p).read_text() for p in
                 tracked("*.md", "*.sh", "*CMakeLists.txt", ".ci/run", "*.py", "*.cc")}
    for path in tracked("deploy/*.sh"):
        name = path.rsplit("/", 1)[1]
        if not any(name in text for p, text in documents.items() if p != path):
            faults.append(f"{path}: mentioned nowhere")
    report(faults, "no dead files, no disabled tests")


if __name__ == "__main__":
    main()
