"""Made-up secrets and names in every kind of place of a log, for tools/plant-secrets.

A kind of place draws its values from a seed, so that the same lines can be drawn again with *** in the place of every secret.
"""
import base64
import re
import zlib

from plant_tokens import ALNUM, BASE64, FORM_PLACES, FORMS, HEX, Draw, form, known  # beside this file

PACKAGES = ("flash-attn", "torch", "xformers", "apex", "vllm", "bitsandbytes", "causal-conv1d", "detectron2", "kern-private")
HOSTS = ("pypi.corp.example", "pypi.corp.example:8443", "[2001:db8::17]:3141", "10.20.30.40:8081", "nexus.example.com/repository/pypi-all", "[fd00::1]",
         "artifactory.example.org/artifactory/api/pypi/ml", "localhost:3141")
USERS = ("build", "ci-bot", "__token__", "oauth2", "deploy+ci", "svc_ml", "aws", "x-access-token")


def password(draw):
    return draw.mixed(8, 20, "!+-_.~^")


def quoted(draw, value):
    return draw.rng.choice(("{}", "{}", "'{}'", '"{}"', '\\"{}\\"')).format(value)


def user_and_password(draw):
    user = draw.rng.choice(USERS)
    style = draw.rng.randrange(8)
    if style == 0:
        return f"{user}:{draw.hide(draw.word())}"
    if style == 1:
        return f"{user}:{draw.hide(draw.mixed(4, 4))}"
    if style == 2:
        raw = draw.mixed(6, 10) + draw.rng.choice("@/:#?% &") + draw.mixed(6, 10)
        coded = "".join(c if c in ALNUM else f"%{ord(c):02X}" for c in raw)
        return f"{user}:{draw.hide(coded, coded, raw)}"
    if style == 3:
        return f"{user}:{known(draw)}"
    if style == 4:
        return f"{user}:{draw.hide(draw.opaque())}"
    return f"{user}:{draw.hide(draw.mixed(8, 16, '!$&()*+,;=-._~'))}"


def url_token(draw):
    """A token where a URL has its user."""
    if draw.rng.random() < 0.5:
        return form(draw, draw.rng.choice(("github classic", "github fine-grained", "gitlab", "github server", "pypi")))
    return draw.hide(draw.opaque())


FILL = {
    "K": known, "K2": known,
    "UP": user_and_password,
    "UT": url_token,
    "PW": lambda draw: draw.hide(password(draw)),
    "QPW": lambda draw: quoted(draw, draw.hide(password(draw))),
    "SHORT": lambda draw: draw.hide(draw.mixed(4, 5)),
    "WORD": lambda draw: draw.hide(draw.word()),
    "TOK": lambda draw: draw.hide(draw.opaque()),
    "QTOK": lambda draw: quoted(draw, draw.hide(draw.opaque())),
    "HEX32": lambda draw: draw.hide(draw.chars(HEX, 32)),
    "HEX40": lambda draw: draw.hide(draw.chars(HEX, 40)),
    "HEX64": lambda draw: draw.hide(draw.chars(HEX, 64)),
    "B64": lambda draw: draw.hide(base64.b64encode(f"{draw.rng.choice(USERS)}:{draw.mixed(10, 24)}".encode()).decode()),
    "KEY40": lambda draw: draw.hide(draw.chars(BASE64, 39) + draw.rng.choice(ALNUM)),
    "KEY88": lambda draw: draw.hide(draw.chars(BASE64, 86) + "=="),
    "LONG": lambda draw: draw.hide(draw.chars(BASE64, 300)),
    "URLLONG": lambda draw: draw.hide("".join(draw.rng.choice((draw.chars(ALNUM, 9), "%2F" + draw.chars(ALNUM, 6), "%2B" + draw.chars(ALNUM, 6))) for _ in range(25)) + "%3D"),
    "JWT": lambda draw: form(draw, "jwt"),
    "TELEGRAM": lambda draw: form(draw, "telegram"),
    "UUID": lambda draw: draw.hide("-".join(draw.chars(HEX, n) for n in (8, 4, 4, 4, 12))),
    "HOST": lambda draw: draw.rng.choice(HOSTS),
    "PKG": lambda draw: draw.rng.choice(PACKAGES),
    "N": lambda draw: draw.hide(draw.rng.choice(draw.people)) if draw.people else "",
}


def fill(draw, template):
    return re.sub(r"\{([A-Z0-9]+)\}", lambda hole: FILL[hole[1]](draw), template)


# Kinds of place in one line. Whatever a hole stands for is secret, but HOST and PKG.
PLACES = {
    "url: Looking in indexes": (
        "Looking in indexes: https://{UP}@{HOST}/simple",
        "Looking in indexes: https://pypi.org/simple, https://{UP}@{HOST}/simple",
        "Looking in indexes: https://{UP}@{HOST}/simple, https://{UP}@{HOST}/simple/, https://download.pytorch.org/whl/cu121",
        "Looking in links: https://{UP}@{HOST}/wheels/",
    ),
    "url: token alone": (
        "Looking in indexes: https://{UT}@{HOST}/simple", "Looking in indexes: https://{UT}:@{HOST}/simple", "Fetching https://{UT}@github.com/o/r.git",
        "Looking in indexes: https://:{PW}@{HOST}/simple", "git clone https://{UT}:x-oauth-basic@github.com/o/r", "  GET https://{UT}@{HOST}/simple/torch/ 403",
    ),
    "url: short password": (
        "Looking in indexes: https://build:{SHORT}@{HOST}/simple", "uv pip install --index-url https://a:{SHORT}@{HOST}/simple {PKG}",
        "error: Failed to fetch: `https://bob:{SHORT}@{HOST}/simple/{PKG}/`", "redis://:{SHORT}@cache:6379/0",
    ),
    "url: user is an e-mail address": (
        "Looking in indexes: https://ci@corp.example:{PW}@{HOST}/simple", "--extra-index-url https://ci%40corp.example:{PW}@{HOST}/simple",
        "Cloning https://dev@corp.example:{PW}@dev.azure.com/o/p/_git/r to /tmp/pip-req-build-x1",
    ),
    "url: git": (
        "Obtaining {PKG} from git+https://{UT}@github.com/o/r.git@v1.0#egg={PKG}", "Collecting git+https://{UT}@github.com/o/r.git@v1.0#egg={PKG}",
        "  Running command git clone --filter=blob:none --quiet https://{UT}@github.com/o/r.git /tmp/pip-install-ab12/r",
        "  Cloning https://oauth2:{UT}@gitlab.corp.example/team/r.git (to revision main) to /tmp/pip-req-build-ab12",
        "fatal: Authentication failed for 'https://{UP}@github.com/o/r.git/'", "remote: https://{UP}@git.corp.example/r.git: not found",
        "fatal: unable to access 'https://{UT}@github.com/o/r.git/': The requested URL returned error: 403", "origin\thttps://{UP}@github.com/o/r.git (fetch)",
        "\tpushInsteadOf = https://{UT}@github.com/", "Submodule 'kern' (https://{UT}@github.com/o/kern.git) registered for path 'kern'",
        "  error: Git operation failed: failed to clone into: /root/.cache/uv/git-v0/db/1: https://{UT}@github.com/o/r",
        "kern @ git+https://{UT}@github.com/o/kern@0123456789abcdef0123456789abcdef01234567", "git+ssh://git:{PW}@git.corp.example/r.git",
        "-e git+https://{UP}@git.corp.example/o/r.git@main#egg={PKG}&subdirectory=python",
    ),
    "url: pip's messages": (
        "Collecting {PKG} @ https://{UP}@{HOST}/packages/kern-1.0-py3-none-any.whl", "  Downloading https://{UP}@{HOST}/packages/kern-2.0.tar.gz (12.3 MB)",
        "Processing https://{UP}@{HOST}/kern.tar.gz", "  Using cached https://{UP}@{HOST}/kern-2.0.whl (3.1 MB)", "Link requires a different Python (3.8.10 not in: '>=3.9'): https://{UP}@{HOST}/kern-2.0.whl (from https://{UP}@{HOST}/simple/kern/)",
        "User for {HOST}: https://{UP}@{HOST}", "  Getting page https://{UP}@{HOST}/simple/kern/", "Skipping link: not a file: https://{UP}@{HOST}/simple/kern/",
        "WARNING: Cache entry deserialization failed, entry ignored: https://{UP}@{HOST}/simple/kern/",
    ),
    "url: pip's errors": (
        "ERROR: HTTP error 403 while getting https://{UP}@{HOST}/kern-1.0.tar.gz",
        "ERROR: Could not install requirement kern from https://{UP}@{HOST}/kern-1.0.tar.gz because of HTTP error 404 Client Error: Not Found for url: https://{UP}@{HOST}/kern-1.0.tar.gz",
        "ERROR: 401 Client Error: Unauthorized for url: https://{UP}@{HOST}/simple/{PKG}/", "ERROR: Invalid requirement: 'https://{UP}@{HOST}/kern'",
        "ERROR: Could not find a version that satisfies the requirement kern@ https://{UP}@{HOST}/kern.whl (from versions: none)",
        "WARNING: Skipping page https://{UP}@{HOST}/simple/{PKG}/ because the GET request got Content-Type: text/plain. The only supported Content-Types are application/vnd.pypi.simple.v1+json",
        "WARNING: The repository located at {HOST} is not trusted; https://{UP}@{HOST}/simple",
        "ERROR: Command errored out with exit status 128: git clone -q https://{UT}@github.com/o/r.git /tmp/pip-req-build-q Check the logs for full command output.",
        "error: subprocess-exited-with-error: git clone https://{UT}@github.com/o/r.git did not run successfully.",
        "pip._vendor.requests.exceptions.HTTPError: 403 Client Error: Forbidden for url: https://{UP}@{HOST}/simple/{PKG}/",
    ),
    "url: uv's messages": (
        "error: Failed to fetch: `https://{UP}@{HOST}/simple/{PKG}/`", "  Caused by: HTTP status client error (401 Unauthorized) for url (https://{UP}@{HOST}/simple/{PKG}/)",
        "  ╰─▶ Failed to download `kern @ https://{UP}@{HOST}/kern-1.0.whl`", "DEBUG Found static `pyproject.toml` for: kern @ git+https://{UT}@github.com/o/r",
        "DEBUG No netrc file found; using https://{UP}@{HOST}/simple", "TRACE Handling request for https://{UP}@{HOST}/simple/torch/ with authentication policy auto",
        "   Building kern @ git+https://{UT}@github.com/o/kern@0123456789abcdef0123456789abcdef01234567", "  × Failed to download and build `kern @ https://{UP}@{HOST}/kern.tar.gz`",
        "warning: Indexes specified via `--index-url` will not be persisted: https://{UP}@{HOST}/simple", " Updated https://{UT}@github.com/o/kern (0123456)",
        "hint: An index URL (https://{UP}@{HOST}/simple) could not be queried due to a lack of valid authentication credentials (403 Forbidden).",
        "error: Failed to parse: `git+https://{UT}@github.com/o/kern@`",
    ),
    "url: requests and urllib3": (
        "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://{HOST}/simple/torch/?token={TOK}",
        "urllib3.exceptions.MaxRetryError: HTTPSConnectionPool(host='pypi.corp.example', port=443): Max retries exceeded with url: /simple/torch/?token={TOK} (Caused by NewConnectionError('<x>: Failed to establish a new connection'))",
        "HTTPSConnectionPool(host='pypi.corp.example', port=443): Max retries exceeded with url: /simple/?access_token={TOK}&x=1",
        "WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection broken by 'ReadTimeoutError()': /simple/torch/?api_key={TOK}",
        'DEBUG:urllib3.connectionpool:https://pypi.corp.example:443 "GET /simple/torch/?private_token={TOK} HTTP/1.1" 401 12',
        "OSError: Tunnel connection failed: http://{UP}@proxy.corp.example:3128", "aiohttp.client_exceptions.ClientResponseError: 403, url='https://{UP}@{HOST}/x'",
    ),
    "url: proxy": (
        "HTTPS_PROXY=http://{UP}@proxy.corp.example:3128", "http_proxy: http://{UP}@proxy:8080/", "Acquire::http::Proxy \"http://{UP}@proxy.corp.example:3128\";",
        "$ pip install --proxy http://{UP}@proxy:3128 {PKG}", "$ pip install --proxy {UP}@proxy.corp.example:3128 {PKG}", "ProxyError('Cannot connect to proxy http://{UP}@proxy:3128.')",
        "all_proxy=socks5h://{UP}@127.0.0.1:1080", "curl -x '{UP}@proxy.corp.example:3128' https://pypi.org",
    ),
    "url: databases": (
        "DATABASE_URL=postgresql://{UP}@db.corp.example:5432/mlflow?sslmode=require", "sqlalchemy.exc.OperationalError: postgresql+psycopg2://{UP}@db/mlflow",
        "redis://default:{PW}@redis:6379/0", "rediss://:{PW}@redis.corp.example:6380", "mongodb+srv://{UP}@cluster0.ab1cd.mongodb.net/x?retryWrites=true",
        "amqps://{UP}@rabbit:5671/%2Fvhost", "mysql://{UP}@10.0.0.3/x", "mlflow server --backend-store-uri mysql+pymysql://{UP}@db/mlflow",
        "Connection to ftp://{UP}@ftp.corp.example/pub failed", "sentry dsn https://{HEX32}:{HEX32}@sentry.corp.example/42", "ldap://cn=x:{PW}@ldap.corp.example",
    ),
    "url: docker, conda and npm": (
        "docker pull https://{UP}@registry.corp.example/v2/cuda", "npm error 401 Unauthorized - GET https://{UP}@{HOST}/npm/", "npm ERR! fetch failed https://{UT}@{HOST}/kern",
        "Collecting package metadata (current_repodata.json): failed: https://{UP}@conda.corp.example/main/linux-64/current_repodata.json",
        "CondaHTTPError: HTTP 401 UNAUTHORIZED for url <https://{UP}@conda.corp.example/main/linux-64/repodata.json>", "  - https://{UP}@conda.corp.example/main/linux-64",
        "W: Failed to fetch https://{UP}@apt.corp.example/dists/jammy/InRelease  401  Unauthorized", "deb [signed-by=/k.gpg] https://{UP}@apt.corp.example jammy main",
        "go: https://{UP}@goproxy.corp.example: 410 Gone", "error: failed to fetch `https://{UT}@index.crates.corp.example/`",
    ),
    "url: token in the path": (
        "  - https://conda.anaconda.org/t/{UT}/kern/linux-64", "https://conda.corp.example:8080/t/{TOK}/channel/noarch/repodata.json: 403", "https://repo.anaconda.cloud/t/{TOK}/repo/main/linux-64",
        "UnavailableInvalidChannel: HTTP 404 NOT FOUND for channel t/{TOK}/kern <https://conda.anaconda.org/t/{TOK}/kern>",
        "Looking in indexes: https://pypi.org/simple, https://pypi.fury.io/{TOK}/me/", "Looking in indexes: https://{TOK}@pypi.fury.io/me/", "Looking in indexes: https://dl.cloudsmith.io/{TOK}/org/repo/python/simple/",
        "Looking in indexes: https://{TOK}:@packagecloud.io/org/repo/pypi/simple", "Looking in indexes: https://packagecloud.io/priv/{HEX64}/org/repo/pypi/simple", "https://api.telegram.org/bot{TELEGRAM}/sendMessage",
        "Looking in indexes: https://pypi.pkg.example/{JWT}/simple", "https://outlook.office.com/webhook/{UUID}@{UUID}/IncomingWebhook/{HEX32}/x",
    ),
    "url: signed": (
        "GET https://bucket.s3.amazonaws.com/k.whl?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20250101T000000Z&X-Amz-Expires=3600&X-Amz-Signature={HEX64}",
        "https://cas-bridge.xethub.hf.co/x?X-Amz-Security-Token={URLLONG}&X-Amz-SignedHeaders=host&X-Amz-Signature={HEX64}",
        "https://b.s3.amazonaws.com/k?X-Amz-Credential=" + "AS" + "IA{TOK}%2F20250101%2Fus-east-1%2Fs3%2Faws4_request", "https://acct.blob.core.windows.net/c/k.whl?sv=2022-11-02&sr=b&se=2026-01-01&sig={URLLONG}",
        "https://storage.googleapis.com/b/k?GoogleAccessId=x@y.iam.gserviceaccount.com&Expires=1&Signature={URLLONG}", "https://d111.cloudfront.net/k.whl?Expires=1&Signature={TOK}__&Key-Pair-Id={TOK}",
        "https://storage.googleapis.com/b/k?X-Goog-Signature={HEX64}{HEX64}&x=1", "https://objects.githubusercontent.com/x?skoid=1&sig={URLLONG}&jwt={JWT}",
        "https://cdn-lfs.huggingface.co/r/x?Policy={TOK}{TOK}__&Signature={TOK}~{TOK}__&Key-Pair-Id=K1",
    ),
    "url: query": (
        "https://{HOST}/x?access_token={TOK}", "https://{HOST}/x?a=1&amp;token={TOK}&amp;b=2", "https://{HOST}/x?PASSWORD={PW}&b=2", "https://{HOST}/x#access_token={TOK}&token_type=bearer", "https://{HOST}/x?client_secret={TOK}&code={TOK}",
        "https://{HOST}/x?apikey={TOK}", "https://{HOST}/x?key={TOK}", "https://{HOST}/x?auth={TOK}",
    ),
    "option: index": (
        "$ pip install --index-url https://{UP}@{HOST}/simple flash-attn", "$ pip install --index-url=https://{UP}@{HOST}/simple flash-attn --no-build-isolation", "$ pip install -i https://{UP}@{HOST}/simple {PKG}",
        "$ uv pip install --extra-index-url https://{UP}@{HOST}/simple {PKG}", "+ pip install --find-links https://{UP}@{HOST}/wheels {PKG}", "$ uv pip install --index corp=https://{UP}@{HOST}/simple {PKG}",
        "RUN pip install --extra-index-url='https://{UP}@{HOST}/simple' {PKG}", "$ uv add --default-index \"https://{UP}@{HOST}/simple\" {PKG}", "$ pip install -f https://{UP}@{HOST}/wheels {PKG}",
        "$ pip install git+https://{UT}@github.com/o/flash-attn.git@v2#egg=flash-attn", "$ uv pip install 'kern @ git+https://{UT}@github.com/o/kern'", "$ poetry config http-basic.corp build {PW}",
        "$ conda install -c https://conda.corp.example/t/{TOK}/main {PKG}", "$ python -m pip install --trusted-host x --index-url \"https://{UP}@{HOST}/simple\" torch==2.4.0",
    ),
    "option: index variable": (
        "UV_INDEX_URL=https://{UP}@{HOST}/simple uv pip install {PKG}", "$ PIP_INDEX_URL=https://{UP}@{HOST}/simple pip install flash-attn", "PIP_EXTRA_INDEX_URL='https://{UP}@{HOST}/simple https://{UP}@{HOST}/simple'",
        "export PIP_EXTRA_INDEX_URL=\"https://{UP}@{HOST}/simple\"", "UV_INDEX=corp=https://{UP}@{HOST}/simple", "set UV_DEFAULT_INDEX=https://{UP}@{HOST}/simple", "pip_index_url: https://{UP}@{HOST}/simple",
        "UV_INDEX_CORP_PASSWORD={PW}", "index-url = https://{UP}@{HOST}/simple", "--index-url https://{UP}@{HOST}/simple", "ENV PIP_INDEX_URL https://{UP}@{HOST}/simple",
    ),
    "header": (
        "Authorization: Bearer {TOK}", "authorization: bearer {JWT}", "AUTHORIZATION: BASIC {B64}", "Authorization: token {TOK}", "> Authorization: Basic {B64}", "Proxy-Authorization: Basic {B64}", "< proxy-authorization: Negotiate {LONG}",
        'Authorization: Digest username="x", realm="y", nonce="{HEX32}", uri="/", response="{HEX32}"', "Authorization: AWS4-HMAC-SHA256 Credential=" + "AK" + "IA{TOK}/20250101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature={HEX64}",
        "Authorization: Bearer  {TOK}", "Authorization:Bearer {TOK}", "authorization=Bearer {TOK}", "Authorization: {TOK}", "Authorization: ApiKey {TOK}", "Authorization: SharedKey acct:{KEY88}", "Authorization: Token {UUID}", "Authorization: Bearer {UUID}",
    ),
    "header: cookies": (
        "Cookie: session={TOK}; theme=dark", "Set-Cookie: sid={TOK}; Path=/; HttpOnly", "< set-cookie: _gh_sess={URLLONG}; path=/; secure", "cookie: a=1; csrftoken={TOK}; sessionid={TOK}", "set-cookie: AWSALB={KEY88}; Expires=Wed, 01 Jan 2025 00:00:00 GMT",
    ),
    "header: of one issuer": (
        "X-Api-Key: {TOK}", "x-api-key={TOK}", "PRIVATE-TOKEN: {TOK}", "JOB-TOKEN: {TOK}", "Deploy-Token: {TOK}", "X-Vault-Token: {TOK}", "X-JFrog-Art-Api: {TOK}", "X-Auth-Token: {UUID}", "X-Amz-Security-Token: {LONG}", "Api-Key: {TOK}", "X-GitHub-Token: {TOK}",
        "X-CSRF-Token: {TOK}", "Ocp-Apim-Subscription-Key: {HEX32}", "X-Goog-Api-Key: {TOK}", "NuGet-ApiKey: {TOK}", "x-goog-iam-authorization-token: {TOK}",
    ),
    "header: curl and wget": (
        "+ curl -H 'Authorization: Bearer {TOK}' https://{HOST}/x", '+ curl -fsSL --header "PRIVATE-TOKEN: {TOK}" https://gitlab.corp.example/api', "$ curl -u build:{QPW} -O https://{HOST}/k.whl", "$ curl --user 'build:{PW}' https://{HOST}", "+ curl -sSfu {UP} https://{HOST}/x",
        "+ wget --password={PW} --user=build https://{HOST}/k.whl", "$ wget --http-password {PW} https://{HOST}", "$ wget --header='Authorization: Basic {B64}' https://{HOST}", "curl --proxy-user build:{PW} https://{HOST}", "curl -b session={TOK} https://{HOST}",
        "curl --oauth2-bearer {TOK} https://{HOST}", "aria2c --http-passwd={PW} https://{HOST}", "http --auth build:{PW} https://{HOST}", 'curl -H "X-Api-Key:{TOK}" https://{HOST}', "curl -ubuild:{PW} https://{HOST}",
    ),
    "header: Python's repr": (
        "headers={'Authorization': 'Bearer {TOK}', 'Accept': '*/*'}", "{'User-Agent': 'pip/24', 'authorization': 'Basic {B64}'}", "CaseInsensitiveDict({'Set-Cookie': 'sid={TOK}; path=/'})", "Headers([('Authorization', 'Bearer {TOK}')])", "{b'Authorization': b'Basic {B64}'}",
        "auth=('build', '{PW}')", "HTTPBasicAuth(username='build', password='{PW}')", "Namespace(token='{TOK}', user='x')", "Config(api_key='{TOK}', password='{PW}', debug=True)", "login(token=\"{TOK}\")", "kwargs = {'token': '{TOK}', 'use_auth_token': '{TOK}'}", "environ({'HF_HOME': '/x', 'HF_TOKEN': '{TOK}', 'DB_PASSWORD': '{PW}'})",
    ),
    "header: http.client's debug": (
        "header: Set-Cookie: sid={TOK}; Path=/", "header: X-Auth-Token: {TOK}", "send: b'GET /simple/torch/ HTTP/1.1\\r\\nHost: pypi.corp.example\\r\\nAuthorization: Basic {B64}\\r\\nAccept: */*\\r\\n\\r\\n'", "send: b'POST /x HTTP/1.1\\r\\nPRIVATE-TOKEN: {TOK}\\r\\nCookie: sid={TOK}\\r\\n\\r\\n'",
        'DEBUG:send: "GET / HTTP/1.1\\nauthorization: bearer {JWT}\\n"', "* Server auth using Basic with user 'build', password '{PW}'",
    ),
    "config: JSON": (
        '"password": "{PW}"', '{"username":"build","password":"{PW}","registry":"x"}', '{"auths": {"registry.corp.example": {"auth": "{B64}"}}}', '\\"token\\": \\"{TOK}\\"', '"access_token":"{TOK}","expires_in":3600', '"client_secret" : "{TOK}",', '"apiKey": "{TOK}"', '"secretAccessKey": "{KEY40}"',
        '"identitytoken": "{TOK}"', '{"machine": "x", "passwd": "{PW}"}', '"refreshToken":"{JWT}"', '{"private_key_id": "{HEX40}"}', '"github-oauth": {"github.com": "{TOK}"}', '"SessionToken": "{LONG}"', "{&quot;password&quot;: &quot;{PW}&quot;}", '"_password": "{B64}"', '"DB_PASSWORD": "{PW}"', '"bearerToken": "{TOK}"',
    ),
    "config: YAML and TOML": (
        "password: {PW}", "  token: \"{TOK}\"", "api_key: '{TOK}'", "secret_key: {KEY40}", "- name: HF_TOKEN value: {TOK}", "password = \"{PW}\"", "token = '{TOK}'", "api-token = \"{TOK}\"", "  client-secret: {TOK}", "registry_password = {PW}", "PASSWORD: {PW}", "aws_secret_access_key: {KEY40}", "wandb_api_key: {HEX40}",
        "private-token = {TOK}", "accessKey: {TOK}", "passphrase: {PW}", "  hf_token: {K}", "pypi-token.pypi = \"{K}\"", "auth_token: {TOK}", "encryption_key: {KEY88}",
    ),
    "config: ini and rc files": (
        "machine {HOST} login build password {PW}", "machine pypi.corp.example login build password {WORD}", "default login anonymous password {PW}", "machine github.com login {UT} password x-oauth-basic", "//registry.npmjs.org/:_authToken={UUID}", "//npm.corp.example/:_authToken={K}", "//npm.corp.example/:_password={B64}", "_auth={B64}", "_auth = \"{B64}\"",
        "username = __token__ password = {K}", "aws_secret_access_key = {KEY40}", "aws_session_token={LONG}", "npmAuthToken: \"{TOK}\"", "always-auth=true _authToken={TOK}", "password={PW}", "*:*:*:build:{PW}", "security_token = {LONG}", "sasl.jaas.config=org.x.PlainLoginModule required username=\"x\" password=\"{PW}\";",
    ),
    "variable": (
        "HF_TOKEN={TOK}", "WANDB_API_KEY={HEX40}", "NGC_API_KEY={KEY88}", "AWS_SECRET_ACCESS_KEY={KEY40}", "TWINE_PASSWORD={PW}", "export CORP_SECRET='{PW}'", "export GITHUB_TOKEN=\"{K}\"", "set DEPLOY_KEY={TOK}", "$env:CORP_TOKEN = \"{TOK}\"", "$Env:PASSWORD='{PW}'", "setx API_KEY {TOK}", "declare -x DB_PASSWORD=\"{PW}\"",
        "env: MY_TOKEN={TOK}", "ENV HF_TOKEN={TOK}", "ENV HF_TOKEN {TOK}", "ARG PYPI_PASSWORD={PW}", "PGPASSWORD={PW} psql -h db", "CI_JOB_TOKEN={TOK}", "SSHPASS={PW} sshpass -e ssh x", "AZURE_CLIENT_SECRET: {TOK}", "my_secret_token={TOK}", "OPENAI_API_KEY='{K}'", "MYSQL_PWD={PW}", "ACCESS_KEY={TOK}", "CREDENTIALS={B64}", "export TOKEN={TOK};",
        "+ HF_TOKEN={TOK}", "++ export UV_PUBLISH_TOKEN={K}", "NPM_AUTH={B64}", "SECRET_KEY_BASE={HEX64}", "SIGNING_PASSPHRASE={PW}", "hf_token={TOK}", "Token={TOK}", "HUGGING_FACE_HUB_TOKEN => {TOK}", "  POETRY_HTTP_BASIC_CORP_PASSWORD: {PW}", "TOKEN2={TOK}", "PASS={PW}", "DB_PASS={PW}", "CORP_PAT={TOK}", "DOCKER_AUTH_CONFIG={\"auths\":{\"r\":{\"auth\":\"{B64}\"}}}",
    ),
    "variable: of a container": (
        "docker run --gpus all -e HF_TOKEN={TOK} --rm img", "docker run --env NGC_API_KEY={KEY88} img", "docker run --env=DB_PASSWORD={PW} img", "docker build --build-arg PIP_TOKEN={TOK} .", "docker buildx build --build-arg=GIT_TOKEN={K} .", "#9 [3/7] RUN --mount=type=cache HF_TOKEN={TOK} pip install x",
        "Step 4/9 : ENV NPM_TOKEN {TOK}", "Step 5/9 : ARG CORP_PASSWORD={PW}", "podman run -eAPI_KEY={TOK} img", "singularity exec --env HF_TOKEN={TOK} img.sif python x.py", "kubectl create secret generic x --from-literal=password={PW}", "helm install x --set auth.password={PW}", "sbatch --export=ALL,HF_TOKEN={TOK} job.sh",
        "bash -c 'export HF_TOKEN={TOK} && pip install x'", "sudo HF_TOKEN={TOK} pip install x", "qsub -v WANDB_API_KEY={HEX40} job.sh",
    ),
    "option": (
        "tool --password {QPW} --verbose", "tool --password={QPW}", "tool --token {QTOK} upload", "tool --token={TOK}", "tool --api-key {TOK}", "tool --api_key={TOK}", "tool --secret {TOK} x", "$ huggingface-cli login --token {K}", "$ wandb login {HEX40}", "$ wandb login --relogin {HEX40}", "docker login -u build -p {PW} registry.corp.example", "docker login --username=build --password {PW}",
        "twine upload -u __token__ -p {K} dist/*", "twine upload --password {PW} dist/*", "uv publish --token {K}", "uv publish -u build -p {PW}", "mysql -u root -p{PW} x", "sshpass -p {PW} ssh x", "tool --PASSWORD={PW}", "az login --service-principal -u x -p {PW} --tenant y", "tool --auth-token={TOK} run", "conda config --set x --token {TOK}",
        "anaconda login --username build --password {PW}", "helm registry login -u x -p {PW} r", "npm config set //r/:_authToken {TOK}", "gh auth login --with-token {K}", "aws configure set aws_secret_access_key {KEY40}", "git -c http.extraHeader='Authorization: Bearer {TOK}' clone x", "git config --global http.https://github.com/.extraheader 'AUTHORIZATION: basic {B64}'",
        "ngc config set --apikey {TOK}", "redis-cli -a {PW} ping", "openssl enc -aes-256-cbc -k {PW} -in x", "openssl rsa -passin pass:{PW} -in k.pem", "poetry config pypi-token.pypi {K}", "pip config set global.index-url https://{UP}@{HOST}/simple", "kaggle --key {HEX32} x", "modal token set --token-id x --token-secret {TOK}", "vault login {K}", "echo '{PW}' | docker login --password-stdin r", "echo {PW} | sudo -S apt-get install x",
    ),
    "a lower-case word as password": (
        "tool --password={WORD} run", "PGPASSWORD={WORD} psql", "curl -u build:{WORD} https://{HOST}", "DB_PASSWORD={WORD}", "https://build:{WORD}@{HOST}/simple", "docker login -u x -p {WORD} r", '"password": "{WORD}"', "twine upload -p {WORD} dist/*",
    ),
    "connection string": (
        "DefaultEndpointsProtocol=https;AccountName=acct;AccountKey={KEY88};EndpointSuffix=core.windows.net", "Server=tcp:x.database.windows.net,1433;User ID=build;Password={PW};Encrypt=true;", "Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={KEY88}", "host=db user=build password={PW} dbname=x",
        "Data Source=x;Uid=build;Pwd={PW};", "HostName=x.azure-devices.net;SharedAccessKey={KEY88}", "SharedAccessSignature=sv=2022-11-02&sig={URLLONG}", "jdbc:postgresql://db/x?user=build&password={PW}", "BlobEndpoint=https://x;SharedAccessSignature=sig={URLLONG}", "DSN=x;UID=y;PWD={PW}",
    ),
    "with a failure in the line": (
        "ModuleNotFoundError: No module named 'torch' (index https://{UP}@{HOST}/simple)", "HF_TOKEN={TOK} python setup.py: ModuleNotFoundError: No module named 'torch'", "RuntimeError: The detected CUDA version (12.8) mismatches the version that was used to compile PyTorch (11.8); token={TOK}",
        "ERROR: Could not find a version that satisfies the requirement kern==9 from https://{UP}@{HOST}/simple (from versions: none)", "ERROR: No matching distribution found for kern @ git+https://{UT}@github.com/o/kern", "subprocess.CalledProcessError: Command '['git', 'clone', 'https://{UT}@github.com/o/r']' returned non-zero exit status 128.",
        "error: command 'pip install -i https://{UP}@{HOST}/simple ninja' returned non-zero exit status 1", "bash: line 1:  4242 Killed                  HF_TOKEN={TOK} python setup.py bdist_wheel", "nvcc fatal   : Unsupported gpu architecture 'compute_120' (built with --token {TOK})", "error: Microsoft Visual C++ 14.0 or greater is required. API_KEY={TOK}",
        "OSError: CUDA_HOME environment variable is not set. password={PW}", "ERROR: Failed building wheel for kern @ https://{UP}@{HOST}/kern.whl", "fatal error: cuda_runtime.h: No such file or directory -DTOKEN={TOK}", "/usr/bin/ld: cannot find -lcudart -L/x/{K}", "ninja: build stopped: subcommand failed. {K}", "c++: fatal error: Killed signal terminated program cc1plus {K}",
        "E: Unable to fetch https://{UP}@apt.corp.example/x.deb", "urllib.error.HTTPError: HTTP Error 404: Not Found: https://{UP}@{HOST}/k.whl", "torch.cuda.OutOfMemoryError: CUDA out of memory. key={TOK}", "ssl.SSLCertVerificationError: certificate verify failed: https://{UP}@{HOST}/", "No space left on device: '/tmp/{K}'", "ImportError: libcudart.so.12: cannot open shared object file; {K}",
        "CMake Error at CMakeLists.txt:12 (message): token {K} was refused", "error: invalid command 'bdist_wheel' --password={PW}", "x.cu(12): error: identifier \"{K}\" is undefined", "failed to solve: process \"/bin/sh -c pip install -i https://{UP}@{HOST}/simple torch\" did not complete successfully: exit code: 1", "Permission denied: 'https://{UT}@github.com/o/r'", "AssertionError: {K}",
        "make: *** [Makefile:12: TOKEN={TOK}] Error 1", "FAILED: kern.o nvcc -DKEY={K} -c kern.cu", "/usr/bin/nvcc -DPIP_PASSWORD={PW} -c kern.cu -o kern.o",
    ),
    "case and quotes": (
        "hf_Token: {TOK}", "Api_Key=`{TOK}`", "pAsSwOrD='{PW}'", "token=“{TOK}”", "TOKEN=<<{TOK}>>", "--Password:{PW}", "PassWord : \"{PW}\"", "secret='''{PW}'''", "token=b'{TOK}'", "token=u\"{TOK}\"", "password=%27{PW}%27", "token: |{TOK}|", "SECRET:={TOK}", "token -> {TOK}", "PASSWORD={PW},USER=x", "(token={TOK})", "[password={PW}]", "token={TOK}&user=x", "{TOKEN={TOK}}".replace("{TOKEN", "{token"),
        "HTTPS://build:{PW}@pypi.corp.example/simple", "Https://{UT}@github.com/o/r", "AUTHORIZATION=BEARER {TOK}", "HF_TOKEN = '{K}'", "$Password = '{PW}'", "my.token={TOK}", "x-token:{TOK}", "token==>{TOK}", "«{K}»", "token=$'{PW}'", "password=\\'{PW}\\'", "{\\\\\"token\\\\\": \\\\\"{TOK}\\\\\"}",
    ),
}


# Names of people. Whatever {N} stands for may be in nothing that is made for others.
NAMES = {
    "name: home": ("/home/{N}/venv/lib/python3.11/site-packages/torch/utils/cpp_extension.py", "File \"/home/{N}/src/setup.py\", line 12, in <module>", "Processing /home/{N}/kern", "cd /home/{N}", "  Created temporary directory: /home/{N}/.cache/pip", "HOME=/home/{N}", "error: could not create '/home/{N}/build': Permission denied",
                   "file:///home/{N}/kern", "Obtaining file:///home/{N}/kern", "$ pip install -e /home/{N}/kern --no-build-isolation", "-I/home/{N}/cuda/include", "/opt/x:/home/{N}/bin:/usr/bin", "'/home/{N}'", "/var/home/{N}/src", "building '/home/{N}/kern/build/temp.linux-x86_64-cpython-311/home/{N}/kern/a.o'"),
    "name: macOS": ("/Users/{N}/Library/Caches/pip", "clang: error: no such file or directory: '/Users/{N}/x.mm'", "/System/Volumes/Data/Users/{N}/src"),
    "name: other parents": ("/scratch/{N}/env/bin/python", "/work/{N}/kern/setup.py", "/gpfs/users/{N}/src", "/home2/{N}/venv", "/run/media/{N}/disk/src", "/media/{N}/disk/src", "/data/home/{N}/x", "/nfs/home/{N}/x", "/export/home/{N}/x", "/lustre/users/{N}/x", "/gpfs/scratch/{N}/build", "/mnt/home/{N}/src", "/home3/{N}/a.cu(12): error: x", "/cluster/home/{N}/x", "/scratch/users/{N}/x", "/net/scratch/{N}/x", "/project/users/{N}/x", "/mnt/nfs/home/{N}/x", "/work/home/{N}/x", "/ceph/home/{N}/x", "/userhome/{N}/x", "/users/{N}/x"),
    "name: nested home": ("/afs/example.org/user/q/{N}/src", "/global/homes/q/{N}/src", "/home/students/{N}/src", "/home/users/{N}/src", "/home/corp.example/{N}/src", "/home/DOMAIN/{N}/src"),
    "name: tilde": ("~{N}/src/setup.py", "cd ~{N}", "cp x.whl ~{N}/wheels/", "export PATH=~{N}/bin:$PATH"),
    "name: temporary folders": ("/tmp/pytest-of-{N}/pytest-0/test_x0", "/tmp/torchinductor_{N}/ab/cd.py", "/tmp/ray-{N}/session", "/tmp/{N}/pip-build-env-x/overlay", "/var/tmp/{N}/x", "/tmp/triton-{N}/x", "C:\\Temp\\pytest-of-{N}\\pytest-1"),
    "name: Windows": ("C:\\Users\\{N}\\AppData\\Local\\Temp\\pip-install-x", "C:\\Documents and Settings\\{N}\\Desktop", "c:/users/{N}/src/kern", "C:\\\\Users\\\\{N}\\\\src", "/mnt/c/Users/{N}/src", "/c/Users/{N}/src", "/cygdrive/c/Users/{N}/src", "D:\\Users\\{N}\\x", "USERPROFILE=C:\\Users\\{N}", "%USERPROFILE% is C:\\Users\\{N}", "file:///C:/Users/{N}/kern", "C:\\Users\\{N}.CORP\\src", "C:/Documents and Settings/{N}/x"),
    "name: UNC": ("\\\\fileserver\\home\\{N}\\src", "\\\\nas01.corp.example\\users$\\{N}\\kern", "\\\\wsl$\\Ubuntu\\home\\{N}\\src", "\\\\wsl.localhost\\Ubuntu\\home\\{N}\\src", "\\\\\\\\fileserver\\\\users\\\\{N}\\\\src", "//fileserver/users/{N}/src", "\\\\?\\C:\\Users\\{N}\\src"),
    "name: prompt": ("{N}@gpu01:~/src$ pip install flash-attn", "[{N}@login2 proj]$ pip install flash-attn", "(venv) {N}@box ~ % pip install torch", "PS C:\\Users\\{N}> pip install torch", "C:\\Users\\{N}>pip install torch", "(base) {N}@node17:/scratch$ python setup.py install", "{N}@gpu01:/work/kern# make", "[{N}@gpu01 ~]$ nvidia-smi", "┌──({N}㉿kali)-[~]", "(base) [{N}@c01 ~]$ conda list", "{N}@MacBook-Pro kern % pip install ."),
    "name: ssh": ("ssh {N}@gpu01.corp.example nvidia-smi", "scp x.whl {N}@gpu01:/tmp/", "rsync -a x {N}@10.0.0.7:src/", "git clone ssh://{N}@git.corp.example:29418/kern", "{N}@gpu01.corp.example: Permission denied (publickey).", "ssh -l {N} gpu01", "sftp {N}@gpu01", "ssh -i key -p 22 {N}@gpu01", "git+ssh://{N}@git.corp.example/kern.git", "+ mosh {N}@gpu01"),
    "name: variables and tools": ("USER={N}", "LOGNAME={N}", "export USER='{N}'", "USERNAME={N}", "declare -x USER=\"{N}\"", "SUDO_USER={N}", "uid=1000({N}) gid=1000({N}) groups=1000({N}),27(sudo)", "[sudo] password for {N}:", "sudo: {N} : command not allowed", "{N} is not in the sudoers file.", "'USER': '{N}'", "set USERNAME={N}", "GITLAB_USER_LOGIN={N}", "SLURM_JOB_USER={N}", "Logged in as {N}", "su - {N}", "sudo -u {N} pip install x"),
    "name: e-mail": ("Author: Q X <{N}@corp.example>", "maintainer {N}@lists.corp.example", "mailto:{N}@corp.example", "author_email='{N}@corp.example',", "Signed-off-by: X <{N}@corp.example>", "user.email={N}@corp.example", "contact {N}@corp.example."),
    "name: user of a URL": ("Cloning https://{N}@git.corp.example/kern.git to /tmp/x", "Looking in indexes: https://{N}:****@pypi.corp.example/simple", "sftp://{N}@host.corp.example/x", "https://{N}@dev.azure.com/o/p/_git/r"),
    "name: with a failure in the line": ("ModuleNotFoundError: No module named 'torch' in /home/{N}/venv", "ERROR: Invalid wheel filename: /home/{N}/kern.whl", "error: [Errno 13] Permission denied: '/home/{N}/.local/lib'", "/home/{N}/kern/a.cu(12): error: identifier \"x\" is undefined", "fatal error: /home/{N}/x.h: No such file or directory", "OSError: [Errno 28] No space left on device: '/scratch/{N}/x'", "RuntimeError: The detected CUDA version (12.8) mismatches the version that was used to compile PyTorch (11.8) in /work/{N}/x", "ERROR: Failed building wheel for kern @ file:///home/{N}/kern", "ERROR: Directory '/home/{N}/kern' is not installable. Neither 'setup.py' nor 'pyproject.toml' found."),
}
# Where one person may become two: another spelling of the name, or a folder above it that may be a name, too.
OWN_SPELLING = ("name: e-mail", "name: 8.3", "name: nested home")


def in_8_3(draw):
    name = draw.rng.choice(draw.people)
    short = f"{name[:6].upper()}~1"
    value = draw.hide(short, name[:6].upper())
    return [draw.rng.choice((f"C:\\Users\\{value}\\AppData\\Local\\Temp\\x.obj", f"C:\\DOCUME~1\\{value}\\LOCALS~1\\Temp", f"c:/Users/{value}/AppData"))]


def alone(draw):
    """A name that another line gave away."""
    name = draw.hide(draw.rng.choice(draw.people))
    return [f"/home/{name}/venv/bin/python", draw.rng.choice((f"chown: invalid user: '{name}'", f"owner: {name}", f"drwxr-xr-x 2 {name} {name} 4096 Jan  1 00:00 kern", f"job 4242 of {name} was cancelled"))]


# Passwords that a URL should not have unescaped.
NASTY = {"/": "slash", "@": "at", ":": "colon", "#": "hash", "?": "question mark", "%": "per cent", "'": "apostrophe", "&": "ampersand", "!": "exclamation mark", "\\": "backslash", ",": "comma", ";": "semicolon", "[": "bracket", "$": "dollar", "\"": "quotation mark", "=": "equals sign"}


def nasty_url(draw, char):
    inner = draw.mixed(3, 8) + char + draw.mixed(3, 8)
    if draw.rng.random() < 0.3:
        inner += char + draw.mixed(2, 5) if len(inner) > 3 else ""
    elif draw.rng.random() < 0.2:
        inner = char + inner
    if char == ":" and draw.rng.random() < 0.3:
        inner += ":" + draw.mixed(3, 4)
    value = draw.hide(inner)
    return [fill(draw, draw.rng.choice((
        "Looking in indexes: https://build:@@{H}/simple", "$ pip install --index-url https://build:@@{H}/simple flash-attn", "WARNING: 401 Error, Credentials not correct for https://build:@@{H}/simple/torch/",
        "git+https://build:@@github.com/o/r.git@v1.0#egg=x", "postgresql://build:@@db.corp.example:5432/x", "  GET https://build:@@{H}/simple/ 401", "Looking in indexes: https://pypi.org/simple, https://build:@@{H}/simple",
    )).replace("{H}", "{HOST}")).replace("@@", value + "@")]


def key_lines(draw):
    kind = draw.rng.choice(("RSA ", "EC ", "", "ENCRYPTED ", "OPENSSH ", "DSA "))
    width = 70 if kind == "OPENSSH " else 64
    body = [draw.hide(draw.chars(BASE64, width)) for _ in range(draw.rng.randint(3, 14))] + [draw.hide(draw.chars(BASE64, draw.rng.randint(20, width - 2)) + "=")]
    if kind == "RSA " and draw.rng.random() < 0.3:
        body = ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC," + draw.chars("0123456789ABCDEF", 32), ""] + body
    marks = f"{kind}PRIVATE" + " KEY-----"
    return [f"-----BEGIN {marks}", *body, f"-----END {marks}"]


def stamp(draw):
    return f"2025-06-11T08:11:{draw.rng.randrange(60):02d}.{draw.rng.randrange(10**7):07d}Z "


def key_plain(draw):
    return key_lines(draw)


def key_with_stamps(draw):
    return [stamp(draw) + line for line in key_lines(draw)]


def key_with_gutter(draw):
    gutter = draw.rng.choice(("| ", "  │ ", "      ", "#12 3.456 ", "> ", "+ ", "job-1  | ", "\t"))
    return [gutter + line for line in key_lines(draw)]


def key_in_one_line(draw):
    text = draw.rng.choice(("\\n", "\\\\n", "\\r\\n", " ", "")).join(key_lines(draw))
    return [draw.rng.choice(("@@", '"private_key": "@@"', "SSH_KEY='@@'", 'export KEY="@@\\n"', "echo -e '@@' > key.pem", "KEY=@@")).replace("@@", text)]


def key_cut_short(draw):
    lines = key_lines(draw)[:-1]
    return [*lines, "$ nvcc --version"]


def key_of_pgp(draw):
    marks = "PGP PRIVATE" + " KEY BLOCK-----"
    return [f"-----BEGIN {marks}", "", *[draw.hide(draw.chars(BASE64, 64)) for _ in range(5)], "=" + draw.chars(BASE64, 4), f"-----END {marks}"]


def a_token(draw):
    """A line with one token: text before, token, text behind."""
    before, value, behind = draw.rng.choice((
        ("HF_TOKEN=", None, " pip install x"), ("Authorization: Bearer ", None, ""), ("", None, " was refused"), ("git clone https://", None, "@github.com/o/r.git"), ("--token ", None, ""), ('"token": "', None, '"'), ("using ", None, "")))
    name = draw.rng.choice(("github classic", "github fine-grained", "hugging face", "pypi", "gitlab", "nvidia ngc", "anthropic", "openai project", "sendgrid", "jwt", "slack bot"))
    return before, form(draw, name), behind


def colour_around(draw):
    before, value, behind = a_token(draw)
    return [before + draw.rng.choice(("\x1b[31m@@\x1b[0m", "\x1b[1;38;5;208m@@\x1b[m", "\x1b[01m\x1b[K@@\x1b[m\x1b[K", "\x1b]8;;x\x07@@\x1b]8;;\x07")).replace("@@", value) + behind]


def halves(draw, value, least=9):
    at = draw.rng.randint(min(least, len(value) // 2), max(len(value) - least, len(value) // 2))
    return value[:at], value[at:]


def colour_within(draw):
    before, value, behind = a_token(draw)
    first, second = halves(draw, value)
    return [before + first + draw.rng.choice(("\x1b[31m", "\x1b[0m", "\x1b[K", "\x1b[m\x1b[K", "\x1b[1;33m")) + second + behind]


def invisible_within(draw):
    before, value, behind = a_token(draw)
    first, second = halves(draw, value)
    return [before + first + draw.rng.choice(("\u200b", "\u00ad", "\u2060", "\ufeff", "\u180e", "\u2028", "\0", "x\b", "\udcff")) + second + behind]


def carriage_return(draw):
    before, value, behind = a_token(draw)
    return [draw.rng.choice(("Downloading 10%\rDownloading 50%\r@@", "@@\rdone", "@@\r", "   5%\r@@\r 100%\rok")).replace("@@", before + value + behind)]


def wrapped_after_bearer(draw):
    value = draw.hide(draw.opaque()) if draw.rng.random() < 0.6 else known(draw)
    first = draw.rng.choice(("> Authorization: Bearer", "Authorization: token ", "Authorization: Basic", "curl -H 'Authorization: Bearer", "PRIVATE-TOKEN:", "HF_TOKEN=", "tool --password", "tool upload --token \\", "Cookie:", '"token":', "password:"))
    return [first, draw.rng.choice(("", "", "  ", "\t")) + value + ("'" if "'" in first else "")]


def wrapped_at(draw, first_prefix, prefix):
    """A line that a screen of 80 columns wrapped in the token."""
    before, value, behind = a_token(draw)
    first, second = halves(draw, value)
    words = "fetching weights of the model that was asked for with what the job was given for it and it was "
    room = 80 - len(first_prefix) - len(first) - len(before)
    return [first_prefix + (words[-room:] if room > 0 else "") + before + first, prefix + second + behind]


def wrapped_at_80(draw):
    return wrapped_at(draw, "", "")


def wrapped_in_box(draw):
    box = draw.rng.choice(("│ ", "      │ ", "  ╎ ", "| "))
    lines = wrapped_at(draw, box, box)
    return lines


def wrapped_in_tree(draw):
    first, rest = draw.rng.choice((("  ├─▶ ", "  │   "), ("  ╰─▶ ", "      "), ("  × ", "  │ "), ("  ╰─▶ ", "    ")))
    return wrapped_at(draw, first, rest)


def wrapped_in_user_info(draw):
    value = draw.hide(draw.mixed(20, 30))
    first, second = halves(draw, value)
    start, end = draw.rng.choice((("Looking in indexes: https://build:", "@pypi.corp.example/simple"), ("ERROR: 401 Client Error: Unauthorized for url: https://build:", "@pypi.corp.example/simple/torch/"), ("$ pip install --index-url https://build:", "@pypi.corp.example/simple flash-attn")))
    gutter = draw.rng.choice((("", ""), ("", ""), ("  │ ", "  │ "), ("  ├─▶ ", "  │   "), ("", "  ")))
    return [gutter[0] + start + first, gutter[1] + second + end]


def wrapped_before_at(draw):
    value = draw.hide(draw.mixed(9, 20))
    return [f"Looking in indexes: https://build:{value}", "@pypi.corp.example/simple"]


def straddles(draw, offset):
    """A line in which byte `offset` is within the token."""
    if draw.rng.random() < 0.4:
        before, value, behind = "--index-url https://build:", draw.hide(draw.mixed(16, 30)), "@pypi.corp.example/simple kern"
    else:
        before, value, behind = a_token(draw)
    start = draw.rng.choice(("", "nvcc -c kern.cu ", "ModuleNotFoundError: No module named 'torch' ", "error: command 'nvcc' failed ", "RuntimeError: Error compiling objects for extension: ", "ERROR: Could not find a version that satisfies the requirement kern ", "ninja: build stopped: "))
    inside = max(len(value) - len(draw.secrets[-1]), 0) + draw.rng.randint(1, 15)
    room = offset - len(start) - len(before) - inside
    words = []
    while sum(map(len, words)) + len(words) < room:
        words.append(f"-I/opt/x{draw.rng.randrange(10**6)}")
    filler = " ".join(words)[:max(room - 1, 0)] + " "
    return [start + filler + before + value + behind + draw.rng.choice(("", " -o kern.o", " " + "-DX " * 300))]


SPECIAL = {
    **{f"url: {NASTY[char]} in the password": (lambda draw, char=char: nasty_url(draw, char)) for char in NASTY},
    "private key": key_plain,
    "private key: time stamps": key_with_stamps,
    "private key: gutter": key_with_gutter,
    "private key: one line": key_in_one_line,
    "private key: cut short": key_cut_short,
    "private key: PGP": key_of_pgp,
    "colour around the token": colour_around,
    "colour within the token": colour_within,
    "invisible character within the token": invisible_within,
    "carriage return": carriage_return,
    "wrapped: before the token": wrapped_after_bearer,
    "wrapped: at column 80": wrapped_at_80,
    "wrapped: in pip's box": wrapped_in_box,
    "wrapped: in uv's tree": wrapped_in_tree,
    "wrapped: in user-info": wrapped_in_user_info,
    "wrapped: before the @": wrapped_before_at,
    **{f"straddles byte {offset}": (lambda draw, offset=offset: straddles(draw, offset)) for offset in (76, 100, 160, 240, 500, 1000, 2000, 4096, 8192, 16384)},
    "name: 8.3": in_8_3,
    "name: alone, known from another line": alone,
}

DECORATIONS = (*["@@"] * 12, "    @@", "  │ @@", "      │ @@", "| @@", "#14 12.34 @@", "\x1b[31m@@\x1b[0m", "@@ (attempt 2)", "WARNING: @@", "+ @@", "[stderr] @@", "  note: @@", "DEBUG @@", "@@, giving up", "\t@@")


def kinds():
    """All kinds of place for secrets, and all for names."""
    secret = [*PLACES, *(f"known form: {name}" for name in FORMS), *(kind for kind in SPECIAL if not kind.startswith("name"))]
    return secret, [*NAMES, *(kind for kind in SPECIAL if kind.startswith("name"))]


def plant(kind, seed, masked=False, log="", people=()):
    """Lines with a secret or a name, and what of them may be nowhere else."""
    draw = Draw(f"{seed}/{zlib.crc32(kind.encode())}", masked, log, people)
    if kind in SPECIAL:
        return SPECIAL[kind](draw), draw.secrets
    if kind.startswith("known form: "):
        name = kind.removeprefix("known form: ")
        template = draw.rng.choice(FORM_PLACES)
        line = template.replace("{K}", form(draw, name)).replace("{K2}", known(draw) if "{K2}" in template else "")
    else:
        line = fill(draw, draw.rng.choice((PLACES if kind in PLACES else NAMES)[kind]))
    decoration = draw.rng.choice(DECORATIONS)
    if kind == "name: prompt":
        decoration = "@@"  # it begins its line
    return [decoration.replace("@@", line)], draw.secrets
