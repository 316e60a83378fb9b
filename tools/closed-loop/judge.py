"""What is judged: the commands of a report, whether they repeat the user's own, and how it went. Pure functions; nothing here runs anything."""
import json
import re
import shlex

WRAPPERS = {"sudo", "env", "nice", "time", "command", "exec"}
# Options that take a word of their own, of pip and uv; what follows them is no target.
WITH_VALUE = {"-i", "--index-url", "--extra-index-url", "-f", "--find-links", "--no-binary", "--only-binary", "--python", "-p", "--target", "-t", "--prefix", "--root", "--cert",
              "--trusted-host", "--default-index", "--index", "--torch-backend", "--timeout", "--retries", "--proxy", "--cache-dir", "-C", "--config-settings", "--config-setting",
              "--global-option", "--build-option", "--python-version", "--platform", "--abi", "--implementation", "--progress-bar", "--log", "--index-strategy", "--resolution",
              "--exclude-newer", "--no-build-isolation-package", "--no-binary-package", "--reinstall-package", "--upgrade-package", "--link-mode", "--root-user-action",
              "--upgrade-strategy", "--prerelease", "--extra", "--group", "--keyring-provider", "--use-feature", "--no-build-package", "--refresh-package", "--build-constraints"}
FILE_OPTIONS = {"-r": "-r", "--requirement": "-r", "--requirements": "-r", "-c": "-c", "--constraint": "-c", "-e": "-e", "--editable": "-e"}


def parse_report(text):
    """The report as a dictionary, or None where there is none."""
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                return json.loads(line)
            except json.JSONDecodeError:
                return None
    return None


def root_diagnosis(report):
    """The first diagnosis whose role is root, or None."""
    return next((d for d in (report or {}).get("diagnoses", []) if d.get("role") == "root"), None)


def typed_commands(remedy):
    """What is printed as a command; notes are not typed."""
    return [step["run"] for step in remedy.get("steps", []) if step.get("run")]


def _simple_commands(text):
    """The simple commands of a line as lists of words, without assignments and wrappers; [] for what cannot be split."""
    text = text.replace("\\\n", " ")
    result = []
    for line in text.split("\n"):
        try:
            lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|()<>")
            lexer.whitespace_split = True
            lexer.commenters = ""
            words = list(lexer)
        except ValueError:
            return []
        current = []
        for word in [*words, ";"]:
            if word and set(word) <= set(";&|()"):
                if current:
                    result.append(current)
                current = []
            else:
                current.append(word)
    return [found for found in map(_bare, result) if found]


def _bare(words):
    words = list(words)
    while words:
        if re.match(r"^[A-Za-z_]\w*=", words[0]):
            words.pop(0)
        elif words[0].rsplit("/", 1)[-1] in WRAPPERS:
            program = words.pop(0)
            while words and words[0].startswith("-"):
                option = words.pop(0)
                if program == "nice" and option == "-n" and words:
                    words.pop(0)
        else:
            break
    return words


def _name(requirement):
    """flash-attn of flash_attn[x]==2.8.3; a path or an URL stays as it is."""
    if requirement.startswith((".", "/", "~")) or "://" in requirement or requirement.endswith((".whl", ".tar.gz", ".zip")):
        return requirement.rstrip("/") or "/"
    match = re.match(r"^([A-Za-z0-9][\w.-]*?)(\[[^\]]*\])?\s*(?:[=<>!~;@ ].*)?$", requirement)
    return re.sub(r"[-_.]+", "-", match.group(1)).lower() + (match.group(2) or "") if match else requirement


def key_of(words):
    """(verb, targets): what a command does to what; two commands with the same verb and targets are the same one with other options."""
    words = list(words)
    program = words.pop(0).rsplit("/", 1)[-1]
    if re.match(r"^(python|pypy)[\d.]*$", program) and words[:1] == ["-m"] and len(words) > 1:
        program = words[1]
        words = words[2:]
    program = re.sub(r"^pip[\d.]+$", "pip", program)
    verb = [program]
    if program == "uv" and words[:1] == ["pip"]:
        verb, words = ["pip"], words[1:]
    if program in ("pip", "uv", "poetry", "pdm", "cmake", "make", "git", "conda", "mamba", "pixi", "cargo", "apt-get", "apt", "docker", "hatch") and words and not words[0].startswith("-"):
        verb.append(words.pop(0))
    targets = []
    while words:
        word = words.pop(0)
        option, _, value = word.partition("=")
        if option in FILE_OPTIONS and word.startswith("-"):
            targets.append(FILE_OPTIONS[option] + " " + (value or (words.pop(0) if words else "")).rstrip("/"))
        elif option in WITH_VALUE:
            if not value and words:
                words.pop(0)
        elif word.startswith("-") and word != "-":
            continue
        else:
            targets.append(_name(word))
    return tuple(verb), frozenset(targets)


INDEXES = {"-i", "--index-url", "--default-index", "--extra-index-url", "--index", "-f", "--find-links"}


def repeats(step, command):
    """Whether a printed command contains the user's command: the same verb for all its targets, from an index where he names one; whatever other options."""
    wanted = _simple_commands(command)
    if not wanted:
        return False
    verb, targets = key_of(wanted[-1])
    named = any(word.partition("=")[0] in INDEXES for word in wanted[-1]) and verb[0] in ("pip", "uv")
    for words in _simple_commands(step):
        found_verb, found = key_of(words)
        if found_verb == verb and targets <= found and (not named or any(word.partition("=")[0] in INDEXES for word in words)):
            return True
    return False


def _unwanted_wheels(commands):
    """Patterns of the projects whose wheels the user does not want: --no-binary NAME, or everything it names with :all:."""
    found = []
    for words in (words for command in commands for words in _simple_commands(command)):
        for i, word in enumerate(words):
            option, _, value = word.partition("=")
            if option == "--no-binary":
                value = value or (words[i + 1] if i + 1 < len(words) else "")
                found += sorted(key_of(words)[1]) if value == ":all:" else value.split(",")
    return [re.sub(r"[-_.]+", "[-_.]+", re.escape(name).replace("\\-", "-")) for name in found if re.match(r"^[\w.-]+$", name)]


def hollow_reason(scenario, outputs, command_status):
    """Why a pass is none: an output that says that something else was done, or a check that fails; '' where it is honest."""
    patterns = list(scenario["hollow"].get("output", []))
    if scenario.get("local"):   # the user's own project, taken from an index: somebody else's
        name = re.sub(r"[-_.]+", "[-_.]+", re.escape(scenario["local"]).replace("\\-", "-"))
        patterns += [rf"Downloading \S*{name}-\d\S*", rf"(?m)^ \+ {name}==\S+$"]
    for name in _unwanted_wheels(scenario.get("commands", [])):
        patterns.append(rf"(?:Downloading|Using cached) \S*?{name}-\d\S*\.whl")
    for pattern in patterns:
        for text in outputs:
            found = re.search(pattern, text)
            if found:
                return f"the output says {found.group(0)[:80]!r}"
    if "command" in scenario["hollow"] and command_status != 0:
        return f"the check failed: {scenario['hollow']['command']}"
    return ""


def verdict(attempt):
    """worked, worked-with-failing-command, hollow, nothing-typed or no; of {steps: [{status}], rerun: {status} or None, works, hollow}."""
    if not attempt["steps"]:
        return "nothing-typed"
    last_status = attempt["rerun"]["status"] if attempt["rerun"] else next((s["status"] for s in reversed(attempt["steps"]) if s.get("repeats")), None)
    if last_status != 0 or not attempt["works"]:
        return "no"
    if attempt["hollow"]:
        return "hollow"
    return "worked" if all(step["status"] == 0 for step in attempt["steps"]) else "worked-with-failing-command"


def cause_right(scenario, given):
    return given == scenario["cause"] or given in scenario["acceptable"]


def first_works(result):
    return bool(result["attempts"]) and result["attempts"][0]["verdict"] in ("worked", "worked-with-failing-command")


def one_of_two_works(result):
    return any(attempt["verdict"] in ("worked", "worked-with-failing-command") for attempt in result["attempts"][:2])
