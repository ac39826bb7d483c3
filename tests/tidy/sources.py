"""The files git knows, and what the checks share."""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tracked(*patterns):
    """Tracked and new, not ignored, files that still exist; paths relative to ROOT."""
    out = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return sorted(p for p in set(out.splitlines()) if (ROOT / p).is_file())


def report(faults, passed):
    """Prints the faults and ends with the exit code of a check."""
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else passed)
    raise SystemExit(1 if faults else 0)
