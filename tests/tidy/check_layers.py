#!/usr/bin/env python3
"""Layers are one-way: every #include "…" of production code is allowed by layers.txt (DESIGN §3)."""
import re

from sources import ROOT, report, tracked

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def read_rules():
    rules = {}
    for line in (ROOT / "tests/tidy/layers.txt").read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            folder, allowed = line.split(":")
            rules[folder.strip()] = set(allowed.split())
    return rules


def layer_of(path, rules):
    """The most special rule: a file prefix such as client/transport/embedded, else the folder."""
    stem = path.rsplit(".", 1)[0]
    special = [rule for rule in rules if stem.startswith(rule + "_") or stem == rule]
    folder = path.rsplit("/", 1)[0]
    return max(special, key=len) if special else (folder if folder in rules else None)


def target_layer(include, rules):
    if include.startswith("quire/v1/"):
        return "proto"
    if include.startswith("quire/"):
        return "include/quire"
    if include.startswith(("server/", "client/")):
        return layer_of(include, rules) or "/".join(include.split("/")[:2])
    return None  # a library's header


def main():
    rules = read_rules()
    faults = []
    for path in tracked("include/*", "server/*", "client/*"):
        if not path.endswith((".h", ".cc", ".def")):
            continue
        layer = layer_of(path, rules)
        if layer is None:
            faults.append(f"{path}: its folder is not in layers.txt")
            continue
        for include in INCLUDE.findall((ROOT / path).read_text()):
            target = target_layer(include, rules)
            if target is None or target in ("include/quire", layer):
                continue
            if target not in rules[layer]:
                faults.append(f"{path}: includes {include}, which {layer} may not use")
    report(faults, "layers are one-way")


if __name__ == "__main__":
    main()
