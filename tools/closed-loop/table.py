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


def side_by_side(runs):
    """The figures of typed and stand-in scenarios, one row a run; of later runs also those that the first has."""
    text = "| run | scenarios | cause right | first remedy, every command succeeds | first, one command fails | one of the first two |\n|---|---:|---:|---:|---:|---:|\n"
    names_of_first = set(runs[0][1]["scenarios"])
    for name, run in runs:
        judged = {key: r for key, r in run["scenarios"].items() if r["class"] != "not-typeable"}
        parts = [(name, judged)]
        same = {key: r for key, r in judged.items() if key in names_of_first}
        if len(same) < len(judged):
            parts.append((f"{name}, scenarios of the first", same))
        for title, part in parts:
            total, cause, first, failing, two = figures(part.values())
            text += f"| {title} | {total} | {share(cause, total)} | {share(first, total)} | {failing or ''} | {share(two, total)} |\n"
    return text


def outcome(result):
    """What became of the first remedy, and of the second where the first did not work."""
    if result is None or result["class"] == "not-typeable":
        return ""
    words = [WORDS[attempt["verdict"]] for attempt in result["attempts"][:2]] or ["nothing to type"]
    return ", then ".join(words)


def rows(runs):
    text = f"| scenario | class | cause | {runs[-1][0]} says | {' | '.join(name for name, _ in runs)} | minutes |\n|---|---|---|---|{'---|' * len(runs)}---:|\n"
    last = runs[-1][1]["scenarios"]
    for name in sorted({name for _, run in runs for name in run["scenarios"]}):
        r = last.get(name) or next(run["scenarios"][name] for _, run in reversed(runs) if name in run["scenarios"])
        given = "right" if r["cause_right"] else r["given"] or "nothing"
        cells = " | ".join(outcome(run["scenarios"].get(name)) for _, run in runs)
        text += f"| {name} | {r['class']} | {r['cause']} | {given} | {cells} | {r['minutes']} |\n"
    return text


def section(runs):
    """Markdown; `runs` as read() gives them."""
    text = MARK + """
# Typed as printed

Written by `tools/closed-loop/closed-loop table` from `tools/closed-loop/results/`. Each scenario provokes a failure in a fresh root, gives its output to
cudadoctor, types the commands of the first remedy as they are printed, then the user's own command again unless they repeat it, and uses what was to be built.
The list of scenarios was committed before the first run of each, and the figures of the first runs stay. Between the later runs the program was mended with what
the runs before had shown, so they say what was mended, not how good a first answer is.

"""
    text += "".join(f"- `{name}`: {says}\n" for name, says in CLASSES.items()) + "\n"
    for name, run in runs:
        results = list(run["scenarios"].values())
        title = "First runs" if name == "first" else f"Run of {name}"
        programs = sorted({r.get("program", "?") for r in results})
        dates = sorted({r.get("date", "?") for r in results})
        span = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
        text += f"## {title} ({span}, cudadoctor {', '.join(programs)})\n\n" + summary(results) + "\n"
    if len(runs) > 1:
        text += "## Side by side (typed and stand-in)\n\n" + side_by_side(runs) + "\n"
    if runs:
        text += "## Scenario by scenario\n\nFirst remedy, then the second where the first did not work.\n\n" + rows(runs)
    return text


def put(page, text):
    """The page with the section in place of the old one, or at its end."""
    return page.split(MARK)[0].rstrip("\n") + "\n\n" + text
