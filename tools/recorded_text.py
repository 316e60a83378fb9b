"""What is replaced in recorded output of real tools, and what must not be left in it. Used by tools/capture and tools/closed-loop."""
import os
import pathlib
import re

PYENV = pathlib.Path(os.environ.get("PYENV_ROOT", pathlib.Path.home() / ".pyenv"))


def sanitize(text, state):
    """Replaces registry hosts, the folders of this machine and its name; nothing else is touched."""
    for old, new in (
        (str(state / "cache"), "/home/user/.cache"),
        (str(PYENV), "/home/user/.pyenv"),
        ("files.pythonhosted.org", "files.example.org"),
        ("pypi.org", "index.example.org"),
        ("deb.debian.org", "mirror.example.org"),
        ("security.debian.org", "mirror.example.org"),
    ):
        text = text.replace(old, new)
    text = re.sub(r"(?<![\w.-])" + re.escape(os.uname().nodename) + r"(?![\w.-])", "buildhost", text)
    return re.sub(r"https?://(?:static\.crates\.io|index\.crates\.io|crates\.io|registry\.npmjs\.org|proxy\.golang\.org)", "https://mirror.example.org", text)


def private(text):
    """What must not stand in a recorded log."""
    checkout = re.escape(str(pathlib.Path(__file__).resolve().parents[2]))
    return sorted(set(re.findall(r"(?<![\w.])/root/[^\s'\"]*|/(?:capture|closed-loop)-state[^\s'\"]*|[\w.-]+\.internal\b|" + checkout + r"/[^\s'\"]*", text)))
