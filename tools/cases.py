"""The labelled cases of corpus/ and the program's answers to them, for the tools of this folder."""
import concurrent.futures
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT / "corpus"


class Broken(Exception):
    """The program gave no report; the text says why."""


def folders(sets=(), corpus=CORPUS):
    """The case folders of these sets (all of them when empty), sorted. Errors: SystemExit for a set that does not exist."""
    roots = [corpus / name for name in sets] or sorted(p for p in corpus.iterdir() if p.is_dir())
    for root in roots:
        if not root.is_dir():
            raise SystemExit(f"{root}: no such set of cases")
    return [case for root in roots for case in sorted(root.iterdir()) if case.is_dir()]


def name_of(folder):
    return f"{folder.parent.name}/{folder.name}"


def read_label(folder):
    return json.loads((folder / "label.json").read_text(encoding="utf-8"))


def run_report(binary, log, timeout=60, cwd=None):
    """The JSON report of a log. Errors: Broken."""
    try:
        done = subprocess.run([binary, "--format", "json", "--host", "none", str(log)], stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, cwd=cwd)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Broken(f"{type(error).__name__}: {error}")
    if done.returncode not in (0, 1):
        raise Broken(f"exit status {done.returncode}: {done.stderr.decode('utf-8', 'replace')[:300]}")
    try:
        report = json.loads(done.stdout.decode("utf-8"))
        if bool(answers_of(report)) != (done.returncode == 1):
            raise Broken(f"exit status {done.returncode} does not fit the report")
        if report["outcome"] == "failed" and not answers_of(report):
            raise Broken("the outcome is failed, and no diagnosis says why, not even unknown")
        return report
    except (ValueError, KeyError, TypeError) as error:
        raise Broken(f"not a report: {type(error).__name__}: {error}")


def reports(binary, cases):
    """Pairs of case folder and report (or Broken), in the order of `cases`, run in parallel."""

    def one(folder):
        try:
            return folder, run_report(binary, folder / "log.txt")
        except Broken as error:
            return folder, error

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(one, cases)


def answers_of(report):
    """The diagnoses that say why something failed."""
    return [d for d in report["diagnoses"] if d["role"] != "latent"]


def top_cause(report):
    answers = answers_of(report)
    return answers[0]["cause"] if answers else "none"


def is_right(label, cause):
    return cause == label["cause"] or cause in label.get("acceptable", [])


def verdict(label, report):
    """right, unknown (the program says that it does not know) or wrong."""
    cause = top_cause(report)
    return "right" if is_right(label, cause) else "unknown" if cause == "unknown" else "wrong"


def commands_of(remedy):
    return [step["run"] for step in remedy["steps"] if step.get("run")]


def squash(text):
    return " ".join(str(text).split()).lower()
