"""Random values for plant_places.py: passwords, and tokens in the forms of their issuers.

Tokens are put together from a prefix and random characters when they are drawn; none stands in this file.
"""
import random
import re
import string

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = UPPER + LOWER + DIGITS
HEX = DIGITS + "abcdef"
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
BASE32 = UPPER + "234567"
MASK = "***"

class Draw:
    """Random values of one planting. `secrets` are those that may be nowhere; masked, they are drawn as ***."""

    def __init__(self, seed, masked=False, log="", people=()):
        self.rng = random.Random(seed)
        self.masked = masked
        self.log = log
        self.people = people
        self.secrets = []

    def chars(self, alphabet, length):
        return "".join(self.rng.choice(alphabet) for _ in range(length))

    def hide(self, value, *parts):
        """`value` as it stands in the line; `parts` of it are secret (all of it when none are named)."""
        self.secrets.extend(part for part in parts or (value,))
        return MASK if self.masked else value

    def mixed(self, low, high, more=""):
        """Letters of both cases and digits, which no log has by chance."""
        while True:
            length = self.rng.randint(low, high)
            text = self.chars(ALNUM, length)
            if more and self.rng.random() < 0.4:
                at = self.rng.randrange(1, length - 1)
                text = text[:at] + self.rng.choice(more) + text[at + 1:]
            if re.search("[a-z]", text) and re.search("[G-Z]", text) and re.search("[0-9]", text) and text not in self.log:
                return text

    def word(self, low=8, high=12):
        """Lower-case letters that are no word."""
        while True:
            text = self.chars("bcdfghjkmnpqrtvwxz", self.rng.randint(low, high))
            if text not in self.log:
                return text

    def opaque(self):
        """A token that nothing but its place gives away."""
        alphabet, length = self.rng.choice(((HEX, 32), (HEX, 40), (HEX, 64), (ALNUM, 20), (ALNUM, 24), (ALNUM, 43), (URLSAFE, 48), (ALNUM, 64)))
        return self.rng.choice(ALNUM[:36]) + self.chars(alphabet, length - 2) + self.rng.choice(HEX)


# Token forms: what gitleaks' and detect-secrets' users know. The first text is public; what follows is the secret.
FORMS = {
    "age": ("AGE-SECRET-KEY-1", ("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "airtable": ("pat", (ALNUM, 14), ".", (HEX, 64)),
    "alibaba": ("LTAI", (ALNUM, 20)),
    "anthropic": ("sk-ant-" + "api03-", (URLSAFE, 93), "AA"),
    "anthropic admin": ("sk-ant-" + "admin01-", (URLSAFE, 93), "AA"),
    "artifactory api key": ("AKC" + "p", (ALNUM, 69)),
    "artifactory reference token": ("cmVmd" + "GtuOj", (ALNUM, 54)),
    "atlassian": ("ATATT3" + "xFfGF0", (URLSAFE, 170), "=", ("0123456789ABCDEF", 8)),
    "aws access key id": ("AK" + "IA", (BASE32, 16)),
    "aws temporary key id": ("AS" + "IA", (BASE32, 16)),
    "azure client secret": ("", (ALNUM, 3), "8Q~", (ALNUM + "_.~-", 34)),
    "bitbucket": ("ATB" + "B", (ALNUM, 32)),
    "buildkite": ("bk" + "ua_", (HEX, 40)),
    "circleci": ("CCI" + "PAT_", (ALNUM, 22), "_", (HEX, 40)),
    "crates.io": ("c" + "io", (ALNUM, 32)),
    "databricks": ("da" + "pi", (HEX, 32)),
    "databricks with suffix": ("da" + "pi", (HEX, 32), "-2"),
    "digitalocean": ("do" + "p_v1_", (HEX, 64)),
    "digitalocean oauth": ("do" + "o_v1_", (HEX, 64)),
    "discord": ("", ("MN", 1), (ALNUM, 23), ".", (URLSAFE, 6), ".", (URLSAFE, 27)),
    "docker": ("dckr_" + "pat_", (URLSAFE, 27)),
    "docker organisation": ("dckr_" + "oat_", (URLSAFE, 32)),
    "doppler": ("dp." + "pt.", (ALNUM, 43)),
    "dynatrace": ("dt0" + "c01.", (BASE32, 24), ".", (BASE32, 64)),
    "fly": ("fo" + "1_", (URLSAFE, 43)),
    "gcp api key": ("AI" + "za", (URLSAFE, 35)),
    "gcp oauth": ("ya" + "29.", (URLSAFE, 120)),
    "gcp client secret": ("GOC" + "SPX-", (URLSAFE, 28)),
    "github classic": ("gh" + "p_", (ALNUM, 36)),
    "github oauth": ("gh" + "o_", (ALNUM, 36)),
    "github server": ("gh" + "s_", (ALNUM, 36)),
    "github refresh": ("gh" + "r_", (ALNUM, 36)),
    "github fine-grained": ("github_" + "pat_", (ALNUM, 22), "_", (ALNUM, 59)),
    "gitlab": ("gl" + "pat-", (URLSAFE, 20)),
    "gitlab routable": ("gl" + "pat-", (URLSAFE, 27), ".", (DIGITS, 2), ".", (LOWER + DIGITS, 9)),
    "gitlab deploy": ("gl" + "dt-", (URLSAFE, 20)),
    "gitlab runner": ("gl" + "rt-", (URLSAFE, 20)),
    "gitlab job": ("gl" + "cbt-", (ALNUM, 2), "_", (URLSAFE, 20)),
    "gitlab trigger": ("gl" + "ptt-", (HEX, 40)),
    "gitlab runner registration": ("GR13" + "48941", (URLSAFE, 20)),
    "grafana service account": ("gl" + "sa_", (ALNUM, 32), "_", (HEX, 8)),
    "grafana cloud": ("gl" + "c_eyJ", (ALNUM, 60)),
    "groq": ("gs" + "k_", (ALNUM, 52)),
    "hugging face": ("h" + "f_", (UPPER + LOWER, 34)),
    "hugging face organisation": ("api_" + "org_", (UPPER + LOWER, 34)),
    "jwt": ("ey" + "Jh", (ALNUM, 33), ".eyJ", (ALNUM, 80), ".", (URLSAFE, 43)),
    "kaggle": ("KG" + "AT_", (HEX, 32)),
    "langsmith": ("lsv2_" + "pt_", (HEX, 32), "_", (HEX, 10)),
    "linear": ("lin_" + "api_", (ALNUM, 40)),
    "mailgun": ("k" + "ey-", (HEX, 32)),
    "netlify": ("nf" + "p_", (ALNUM, 36)),
    "new relic": ("NR" + "AK-", (UPPER + DIGITS, 27)),
    "notion": ("nt" + "n_", (DIGITS, 11), (ALNUM, 35)),
    "npm": ("np" + "m_", (ALNUM, 36)),
    "nuget": ("oy" + "2", (LOWER + DIGITS, 43)),
    "nvidia ngc": ("nva" + "pi-", (URLSAFE, 64)),
    "1password": ("ops_" + "eyJ", (ALNUM, 260)),
    "openai": ("s" + "k-", (ALNUM, 20), "T3Blbk" + "FJ", (ALNUM, 20)),
    "openai project": ("sk-" + "proj-", (URLSAFE, 74), "T3Blbk" + "FJ", (URLSAFE, 74)),
    "openai service account": ("sk-" + "svcacct-", (URLSAFE, 58), "T3Blbk" + "FJ", (URLSAFE, 58)),
    "openrouter": ("sk-" + "or-v1-", (HEX, 64)),
    "perplexity": ("ppl" + "x-", (ALNUM, 48)),
    "planetscale": ("pscale_" + "tkn_", (URLSAFE, 43)),
    "postman": ("PM" + "AK-", (HEX, 24), "-", (HEX, 34)),
    "prefect": ("pn" + "u_", (ALNUM, 36)),
    "pulumi": ("pu" + "l-", (HEX, 40)),
    "pypi": ("pypi-" + "AgEIcHlwaS5vcmc", (URLSAFE, 140)),
    "test pypi": ("pypi-" + "AgENdGVzdC5weXBpLm9yZw", (URLSAFE, 130)),
    "replicate": ("r" + "8_", (ALNUM, 37)),
    "rubygems": ("ruby" + "gems_", (HEX, 48)),
    "sendgrid": ("S" + "G.", (URLSAFE, 22), ".", (URLSAFE, 43)),
    "sentry organisation": ("sn" + "trys_eyJ", (ALNUM, 80), "=", "_", (ALNUM, 43)),
    "sentry user": ("sn" + "tryu_", (HEX, 64)),
    "shopify": ("shp" + "at_", (HEX, 32)),
    "slack app": ("xa" + "pp-1-A", (UPPER + DIGITS, 10), "-", (DIGITS, 13), "-", (HEX, 64)),
    "slack bot": ("xo" + "xb-", (DIGITS, 12), "-", (DIGITS, 13), "-", (ALNUM, 24)),
    "slack user": ("xo" + "xp-", (DIGITS, 12), "-", (DIGITS, 12), "-", (DIGITS, 12), "-", (HEX, 32)),
    "slack webhook": ("https://hooks.slack.com/" + "services/T", (UPPER + DIGITS, 8), "/B", (UPPER + DIGITS, 10), "/", (ALNUM, 24)),
    "sourcegraph": ("sg" + "p_", (HEX, 40)),
    "square": ("sq0" + "atp-", (URLSAFE, 22)),
    "stripe": ("sk_" + "live_", (ALNUM, 24)),
    "stripe long": ("sk_" + "test_51", (ALNUM, 99)),
    "stripe restricted": ("rk_" + "live_", (ALNUM, 24)),
    "supabase": ("sb" + "p_", (HEX, 40)),
    "tailscale": ("tskey-" + "auth-", (ALNUM, 12), "CNTRL-", (ALNUM, 32)),
    "telegram": ("", ("123456789", 1), (DIGITS, 9), ":AA", (URLSAFE, 33)),
    "terraform cloud": ("", (ALNUM, 14), ".atlas" + "v1.", (ALNUM, 64)),
    "twilio": ("S" + "K", (HEX, 32)),
    "vault service": ("hv" + "s.", (URLSAFE, 95)),
    "vault batch": ("hv" + "b.", (URLSAFE, 140)),
    "vault legacy": ("s" + ".", (ALNUM, 24)),
    "weights and biases": ("wandb_" + "v1_", (URLSAFE, 77)),
    "xai": ("xa" + "i-", (ALNUM, 80)),
}
# In which the issuer's form alone must be enough.
FORM_PLACES = (
    "{K}", "token {K} has expired", "using key '{K}'", 'login with "{K}"', "({K})", "error: 401 for {K}: unauthorized", "$ hf-upload {K} model.bin", "[{K}]",
    "-> {K}", "the value {K}, from the environment", "secret store returned `{K}`.", "<{K}>", "args=['--verbose', '{K}']", "key {K};", "{K}|{K2}",
    "RuntimeError: cannot log in with {K}", "echo {K} | docker login --password-stdin", 'x="{K}"',
)


def form(draw, name):
    head, *parts = FORMS[name]
    while True:
        body = "".join(part if isinstance(part, str) else draw.chars(*part) for part in parts)
        body = body[:-1] + draw.rng.choice(HEX) if body[-1] in "-_.~" else body  # such an end is not told from a sentence's
        if not body.startswith(("-", "_", ".")):
            break
    return draw.hide(head + body, body)


def known(draw):
    return form(draw, draw.rng.choice(sorted(FORMS)))
