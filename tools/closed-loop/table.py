"""The section of docs/accuracy.md about the closed loop, from the results."""
import collections
import json
import pathlib

import judge

MARK = "<!-- closed-loop: written by tools/closed-loop/closed-loop table -->\n"
WORDS = {"worked": "yes", "worked-with-failing-command": "one failed", "no": "no", "hollow": "hollow", "nothing-typed": "nothing to type"}
CLASSES = {
    "typed": "real tools, real repositories",
    "stand-in": "a repository that cannot be reached, or Docker, is stood in for on loopback",
    "not-typeable": "what has to be done cannot be typed (a driver, another machine): only the cause is judged",
}


def read(folder):
    """The result files: the first run, then the later ones by name."""
    first = folder / "first.json"
    later = sorted(path for path in folder.glob("*.json") if path.name != "first.json")
    return [(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in [first, *later] if path.exists()]


def figures(results):
    """(scenarios, cause right, first with every command, first with one failing, first or second) of results that were provoked."""
    results = [r for r in results if r.get("provoked")]
    return (len(results), sum(r["cause_right"] for r in results), sum(bool(r["attempts"]) and r["attempts"][0]["verdict"] == "worked" for r in results),
            sum(bool(r["attempts"]) and r["attempts"][0]["verdict"] == "worked-with-failing-command" for r in results), sum(judge.one_of_two_works(r) for r in results))


def share(part, whole):
    return f"{part} ({100 * part // whole} %)" if whole else "0"


def summary(results):
    by_class = collections.defaultdict(list)
    for result in results:
        by_class[result["class"]].append(result)
    text = "| class | scenarios | cause right | first remedy, every command succeeds | first, one command fails | one of the first two |\n|---|---:|---:|---:|---:|---:|\n"
    for name in CLASSES:
        total, cause, first, failing, two = figures(by_class[name])
        cells = ["", "", ""] if name == "not-typeable" else [share(first, total), str(failing or ""), share(two, total)]
        text += f"| {name} | {total} | {share(cause, total)} | {' | '.join(cells)} |\n"
    judged = by_class["typed"] + by_class["stand-in"]
    total, cause, first, failing, two = figures(judged)
    return text + f"| **typed and stand-in** | {total} | {share(cause, total)} | {share(first, total)} | {failing or ''} | {share(two, total)} |\n"


def rows(scenarios):
    text = "| scenario | class | cause | cudadoctor says | first remedy | second | minutes |\n|---|---|---|---|---|---|---:|\n"
    for name, r in sorted(scenarios.items()):
        given = "right" if r["cause_right"] else r["given"] or "nothing"
        cells = [WORDS[a["verdict"]] for a in r["attempts"][:2]] + ["", ""]
        if not r["attempts"] and r["class"] != "not-typeable":
            cells[0] = "nothing to type"
        text += f"| {name} | {r['class']} | {r['cause']} | {given} | {cells[0]} | {cells[1]} | {r['minutes']} |\n"
    return text


def section(runs):
    """Markdown; `runs` as read() gives them."""
    text = MARK + """
# Typed as printed

Written by `tools/closed-loop/closed-loop table` from `tools/closed-loop/results/`. Each scenario provokes a failure in a fresh root, gives its output to
cudadoctor, types the commands of the first remedy as they are printed, then the user's own command again unless they repeat it, and uses what was to be built.
The list of scenarios was committed before the first run of each, and the figures of the first runs stay.

"""
    text += "".join(f"- `{name}`: {says}\n" for name, says in CLASSES.items()) + "\n"
    for name, run in runs:
        results = list(run["scenarios"].values())
        title = "First runs" if name == "first" else f"Run of {name}"
        programs = sorted({r.get("program", "?") for r in results})
        dates = sorted({r.get("date", "?") for r in results})
        span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        text += f"## {title} ({span}, cudadoctor {', '.join(programs)})\n\n" + summary(results) + "\n"
    if runs:
        name, run = runs[-1]
        text += f"## Scenario by scenario ({'first runs' if name == 'first' else name})\n\n" + rows(run["scenarios"])
    return text


def put(page, text):
    """The page with the section in place of the old one, or at its end."""
    return page.split(MARK)[0].rstrip("\n") + "\n\n" + text
