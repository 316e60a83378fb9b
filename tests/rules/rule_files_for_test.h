// rules/rule_files_for_test.h: one rule file of each kind.
#ifndef CUDADOCTOR_TESTS_RULES_RULE_FILES_FOR_TEST_H_
#define CUDADOCTOR_TESTS_RULES_RULE_FILES_FOR_TEST_H_

namespace cudadoctor {

inline constexpr char kCauseText[] = R"toml(id = "my-cause"
group = "host"
status = "stable"
retry = "runner"
title = ["one {version}", "two"]
explanation = "why"
explains = ["my-symptom"]
yields_to = ["other-cause"]
avoid = ["plain", ["a {version}", "b"]]

[captures]
v = {type = "version", fact = "version"}

[[signatures]]
name = "first"
confidence = "certain"
title = "special"
where = "version.major >= '12.0' and (not rocm or not min_toolkit(version, 'x') == '12.8')"

[[signatures.all]]
name = "a"
pattern = [
  'frobnication of (?P<v>\S+) failed',
  'frobnicator (?P<v>\S+) is broken',
]

[[signatures.all]]
name = "b"
pattern = '\d+'
within = 3

[[signatures.none]]
name = "c"
pattern = 'frobnication was skipped'
nearby = true

[[signatures]]
name = "second"
confidence = "possible"
role = "latent"

[[signatures.all]]
name = "d"
pattern = 'frobnication is slow'
sets = {isolated_build = "yes"}

[[remedies]]
id = "fix"
title = "fix it"
needs = ["root"]
why = "because"
cost = "time"
when = "version"
check = {run = "x", says = "y"}

[[remedies.steps]]
run = "fix {version}"
note = ["n {version}", "n"]

[[remedies.steps]]
rerun = {env = {A = "1"}, add = ["-v"], drop = ["-q"]}
when = "tool in ['pip', 'uv']"

[[remedies]]
use = "my-remedy"
with = {version = "{version}"}

[[references]]
url = "https://x"
says = "s"

[[examples]]
name = "e"
line = 1
facts = {version = "12.8"}
log = '''
frobnication of 12.8 failed
7
'''

[[counter_examples]]
name = "ce"
log = 'x'
)toml";
inline constexpr char kSymptomText[] = R"toml(id = "my-symptom"
kind = "failure"
examples = []
counter_examples = []

[[patterns]]
name = "s"
pattern = 'everything stopped'
)toml";
inline constexpr char kFactsText[] = R"toml(id = "my-facts"
facts = true

[captures]
version = {type = "version"}

[[patterns]]
name = "f"
pattern = 'frobnicator (?P<version>\S+)'

[[derived]]
fact = "required_version"
type = "version"
lookup = "min-toolkit"
with = ["arch"]
)toml";
inline constexpr char kUnitText[] = R"toml(id = "my-unit"
unit = "ci-step"

[[begin]]
name = "b"
pattern = 'beginning of a step'

[[success]]
name = "ok"
pattern = 'everything succeeded'
)toml";
inline constexpr char kRemedyText[] = R"toml(id = "my-remedy"
remedy = true
parameters = ["version"]
title = "shared"

[[variants]]
when = "docker"
title = "inside"

[[variants.steps]]
run = "x {version}"

[[variants]]

[[variants.steps]]
note = "y"
)toml";

}  // namespace cudadoctor

#endif  // CUDADOCTOR_TESTS_RULES_RULE_FILES_FOR_TEST_H_
