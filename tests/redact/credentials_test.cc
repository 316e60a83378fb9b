#include "redact/credentials.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// An invented token of `size` characters; its prefix is written apart in each row, so that no
// scanner of pushes takes this file for a leak.
std::string Body(size_t size, const std::string& alphabet) {
  std::string body;
  for (size_t i = 0; i < size; ++i) body += alphabet[(i * 7 + 3) % alphabet.size()];
  return body;
}

const std::string kAlnum = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
const std::string kHex = "0123456789abcdef";

std::string Hide(const std::string& text) {
  size_t done = 0;
  for (const Span& span : FindCredentials(text)) {
    EXPECT_LT(span.begin, span.end) << text;
    EXPECT_GE(span.begin, done) << text;
    done = span.end;
  }
  return HideCredentials(text);
}

TEST(FindCredentialsTest, ShapesOfTokens) {
  const std::string a = Body(120, kAlnum);
  const std::string h = Body(120, kHex);
  const auto first = [](const std::string& text, size_t size) { return text.substr(0, size); };
  const struct {
    std::string token;
  } rows[] = {
      {"gh" + std::string("p_") + first(a, 36)},
      {"gh" + std::string("o_") + first(a, 36)},
      {"gh" + std::string("u_") + first(a, 36)},
      {"gh" + std::string("s_") + first(a, 36)},
      {"gh" + std::string("r_") + first(a, 76)},
      {"github" + std::string("_pat_") + first(a, 22) + "_" + first(a, 59)},
      {"gl" + std::string("pat-") + first(a, 20)},
      {"gl" + std::string("pat-") + first(a, 27) + ".01." + first(h, 9)},
      {"gl" + std::string("dt-") + first(a, 20)},
      {"gl" + std::string("rt-") + first(a, 20)},
      {"gl" + std::string("cbt-") + "1b_" + first(a, 20)},
      {"gl" + std::string("ptt-") + first(h, 40)},
      {"pypi" + std::string("-AgEIcHlwaS5vcmc") + first(a, 90)},
      {"hf" + std::string("_") + first(a, 34)},
      {"AKI" + std::string("A") + "ABCDEFGH234567AB"},
      {"ASI" + std::string("A") + "ABCDEFGH234567AB"},
      {"AI" + std::string("za") + first(a, 35)},
      {"ya29" + std::string(".") + first(a, 60)},
      {"xox" + std::string("b-") + first(h, 12) + "-" + first(a, 24)},
      {"xox" + std::string("p-") + first(h, 12) + "-" + first(a, 24)},
      {"npm" + std::string("_") + first(a, 36)},
      {"dckr" + std::string("_pat_") + first(a, 27)},
      {"nvapi" + std::string("-") + first(a, 64)},
      {"wandb" + std::string("_v1_") + first(a, 77)},
      {"sk" + std::string("-") + first(a, 48)},
      {"sk" + std::string("-proj-") + first(a, 100) + "_-x"},
      {"sk" + std::string("-ant-api03-") + first(a, 93)},
      {"sk" + std::string("_live_") + first(a, 24)},
      {"rk" + std::string("_test_") + first(a, 24)},
      {"da" + std::string("pi") + first(h, 32)},
      {"AKC" + std::string("p8") + first(a, 68)},
      {"cm" + std::string("Vmd") + first(a, 59)},
      {"ey" + std::string("J") + first(a, 20) + ".ey" + "J" + first(a, 40) + "." + first(a, 43)},
      {first(a, 52) + "JQ" + "QJ99" + first(a, 26)},
  };
  for (const auto& row : rows) {
    const std::string mark = "***";
    EXPECT_EQ(Hide(row.token), mark) << row.token;
    EXPECT_EQ(Hide("remote: '" + row.token + "' was refused"),
              "remote: '" + mark + "' was refused");
    EXPECT_EQ(Hide("(" + row.token + "), " + row.token + "."), "(" + mark + "), " + mark + ".");
  }
}

TEST(FindCredentialsTest, NamesAndPlaces) {
  const std::string random = Body(24, kAlnum);
  const struct {
    std::string text;
    std::string hidden;
  } rows[] = {
      {"HF_TOKEN=x1 pip install a", "HF_TOKEN=*** pip install a"},
      {"export PGPASSWORD='p w' A=1", "export PGPASSWORD='***' A=1"},
      {"ENV WANDB_API_KEY \"z\"", "ENV WANDB_API_KEY \"***\""},
      {"WANDB_API_KEY: " + Body(40, kHex), "WANDB_API_KEY: ***"},
      {"wandb login " + Body(40, kHex), "wandb login ***"},
      {"aws_secret_access_key = " + random, "aws_secret_access_key = ***"},
      {"  --build-arg HF_TOKEN=abc --x", "  --build-arg HF_TOKEN=*** --x"},
      {"cmake -DAPI_KEY=abc ..", "cmake -DAPI_KEY=*** .."},
      {"uv publish --token abc dist/*", "uv publish --token *** dist/*"},
      {"twine upload --password s3 -u x", "twine upload --password *** -u x"},
      {"twine upload -u __token__ -p s3cret dist/*", "twine upload -u __token__ -p *** dist/*"},
      {"docker login -u me -p s3cret reg", "docker login -u me -p *** reg"},
      {"curl -fsSL -u me:s3cret https://h/x", "curl -fsSL -u me:*** https://h/x"},
      {"machine h login me password s3cret", "machine h login me password ***"},
      {R"({"token": ")" + random + R"(", "a": 1})", R"({"token": "***", "a": 1})"},
      {R"({\"accessToken\": \")" + random + R"(\"})", R"({\"accessToken\": \"***\"})"},
      {"password: hunter2", "password: ***"},
      {"password: ab[cd9", "password: ***"},
      {"f(password='hunter', n=1)", "f(password='***', n=1)"},
      {"npm //r/:_authToken=" + random, "npm //r/:_authToken=***"},
      {"AccountName=x;AccountKey=" + random + "==;E=1", "AccountName=x;AccountKey=***;E=1"},
      {"Authorization: Basic dTpw", "Authorization: Basic ***"},
      {"-H 'Authorization: Bearer abc.def'", "-H 'Authorization: Bearer ***'"},
      {"'authorization': 'token abc'", "'authorization': 'token ***'"},
      {"sent Bearer " + random, "sent Bearer ***"},
      {"PRIVATE-TOKEN: abc1", "PRIVATE-TOKEN: ***"},
      {"Looking in indexes: https://me:s3@cret@h.example.org/simple, x",
       "Looking in indexes: https://***@h.example.org/simple, x"},
      {"https://" + random + "@h/simple", "https://***@h/simple"},
      {"git+https://oauth2:abc@h/r.git", "git+https://***@h/r.git"},
      {"https://:abc@h/", "https://***@h/"},
      {"https://h/x?se=1&sig=abcdefgh%3D&v=2", "https://h/x?se=1&sig=***&v=2"},
      {"https://h/x?X-Amz-Signature=" + Body(64, kHex), "https://h/x?X-Amz-Signature=***"},
      {"https://h/?access_token=" + random, "https://h/?access_token=***"},
      {"-----BEGIN RSA PRIVATE KEY-----MIIE x-----END RSA PRIVATE KEY-----",
       "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----"},
      {"-----BEGIN OPENSSH PRIVATE KEY----- b3Bl", "-----BEGIN OPENSSH PRIVATE KEY----- ***"},
      {"HF_TOKEN=a API_KEY=b", "HF_TOKEN=*** API_KEY=***"},
      {"error: password: token=" + random, "error: password: ***"},
  };
  for (const auto& row : rows) EXPECT_EQ(Hide(row.text), row.hidden) << row.text;
}

// What logs are full of.
TEST(FindCredentialsTest, NoSecrets) {
  const std::string sha1 = Body(40, kHex);
  const std::string sha256 = Body(64, kHex);
  const std::string texts[] = {
      "Resolved https://github.com/a/b to commit " + sha1,
      "HEAD is now at " + sha1.substr(0, 7) + " tokens: fix",
      "torch==2.1.0 --hash=sha256:" + sha256,
      "https://h/pkg-1.0-py3-none-any.whl#sha256=" + sha256,
      "FROM ubuntu@sha256:" + sha256,
      "/root/.cache/pip/wheels/3a/" + sha1.substr(0, 2) + "/" + sha256,
      "/tmp/pip-ephem-wheel-cache-k2xk9v1b/wheels/eyJhbGciOi",
      "undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringE",
      "TOKENIZERS_PARALLELISM=true TOKENIZERS_PARALLELISM=(true | false)",
      "tokenizers==0.19.1 sentencepiece>=0.1.99 tokenizers: 0.19",
      "Collecting keyring==24.3 secretstorage>=3.2",
      "PASSWORD_STORE=/x TOKEN_FILE=/run/x SECRET_NAME=abc",
      "HF_TOKEN=$HF_TOKEN A_TOKEN=${{ secrets.A }} B_TOKEN=%B% C_TOKEN=*** D_TOKEN=<token>",
      "API_KEY= GITHUB_TOKEN=\"\" X_TOKEN=true",
      "GITHUB_TOKEN: not set",
      "error: expected token: ';' before 'x'",
      "syntax error near unexpected token `('",
      "tokens.cu(12): error: identifier \"token\" is undefined",
      "auth_token:12:5: error: x",
      "if token == 'x': token = next_token(self.stream)",
      "def f(token: str, password: Optional[str] = None, api_key: str | None = None):",
      "login(token=self.token, password=password, api_key=config.api_key)",
      "eos_token='<|im_end|>' pad_token: [PAD] bos_token=<s> max_tokens=4096 token=42",
      "self.password = data['password'] secret_key = keys[0] private_key: typing.Optional[bytes],",
      "Token::Type TOKEN::x proto::secret::Reader",
      "docker build --secret id=hf,src=token.txt --password-stdin --token --x .",
      "GOOGLE_APPLICATION_CREDENTIALS=/run/key.json",
      "could not read Password for 'https://x-access-token@github.com': terminal prompts disabled",
      "https://user:****@h/simple https://user:$PW@h.example.org/ https://u:${PW}@h/",
      "Setting up passwd (1:4.13+dfsg1-1) libsecret-1-0 (0.20.5-3)",
      "passwd=1.2 libsecret=0.20.5",
      "fatal: git@github.com: Permission denied; git@github.com:org/repo.git",
      "git clone me@host.example.org:org/repo ssh://me@host.example.org/x",
      "ssh -p 22 me@host.example.org 'ls'",
      "torch@2.1 flash-attn@2.8.3 fa2B@2.5.7-pt x@1.0.dev npm:a@v1.2.io",
      "numpy @ https://files.example.org/numpy.whl",
      "memcpy@GLIBC_2.14 __cudaX@@libcudart.so.12 a@libcudart.so f(x@w.transpose(1))",
      "uses: actions/checkout@v4 org/app@main.io",
      "@torch.jit.script def f(): y = x@w.T",
      "sk-learn-extension-for-something-rather-long task-0123456789012345678901234567890123456789",
      "hf_transfer hf_hub_download npm_config_registry=x npm_config_cache",
      "pull from docker login first; mkdir -p /x",
      "Bearer tokens are supported",
      "curl -u user https://h/x",
      "https://h/x?sig=1&token=$TOKEN&page=2",
  };
  for (const std::string& text : texts) EXPECT_EQ(Hide(text), text);
}

TEST(FindCredentialsTest, UserInfoOfUrls) {
  const struct {
    const char* text;
    const char* hidden;
  } rows[] = {
      {"https://me:pw@h.example.org/simple", "https://***@h.example.org/simple"},
      {"https://abcd@h.example.org/simple", "https://***@h.example.org/simple"},
      {"https://abcd:@h.example.org/simple", "https://***@h.example.org/simple"},
      {"https://:pw@h.example.org:8443/simple", "https://***@h.example.org:8443/simple"},
      {"https://me@corp.com:pw@h.example.org/", "https://***@h.example.org/"},
      {"https://me:a/b@h.example.org/x", "https://***@h.example.org/x"},
      {"https://me:a@b@h.example.org/x", "https://***@h.example.org/x"},
      {"https://me:a@b/c@h.example.org/x", "https://***@h.example.org/x"},
      {"https://me:a#b?c@h.example.org/x", "https://***@h.example.org/x"},
      {"https://me:12/3@h.example.org/x", "https://***@h.example.org/x"},
      {"https://me:it's@h.example.org/x", "https://***@h.example.org/x"},
      {"'https://me:pw@h.example.org/x'", "'https://***@h.example.org/x'"},
      {"\"https://me:it's@h.example.org/x\"", "\"https://***@h.example.org/x\""},
      {"https://me:pw@[::1]:8080/x", "https://***@[::1]:8080/x"},
      {"https://me:pw@10.0.0.1/x", "https://***@10.0.0.1/x"},
      {"https://me:pw@nexus/simple/x@v1.0.2", "https://***@nexus/simple/x@v1.0.2"},
      {"git+https://abcd@github.com/o/r.git@v1.0#egg=x",
       "git+https://***@github.com/o/r.git@v1.0#egg=x"},
      {"git+ssh://git@github.com/o/r.git@v1.0", "git+ssh://git@github.com/o/r.git@v1.0"},
      {"ssh://alice@host.example.org/r", "ssh://alice@host.example.org/r"},
      {"postgresql://me:pw@db/x redis://:pw@r:6379/0",
       "postgresql://***@db/x redis://***@r:6379/0"},
      {"proxy=me:pw1@proxy.example.org:3128", "proxy=***@proxy.example.org:3128"},
      {"https://host.example.org:8443/@scope/pkg", "https://host.example.org:8443/@scope/pkg"},
      {"https://github.com/o/r.git@v1.0.2", "https://github.com/o/r.git@v1.0.2"},
      {"http://localhost:8080/x@v1.0", "http://localhost:8080/x@v1.0"},
      {"https://$USER:${TOKEN}@h.example.org/", "https://$USER:${TOKEN}@h.example.org/"},
      {"https://c.example.org/t/ab-12-cd/ch/linux-64", "https://c.example.org/t/***/ch/linux-64"},
      {"https://c.example.org/t/<TOKEN>/ch", "https://c.example.org/t/<TOKEN>/ch"},
  };
  for (const auto& row : rows) EXPECT_EQ(Hide(row.text), row.hidden) << row.text;
}

TEST(FindCredentialsTest, OfWrappedLines) {
  const std::string token = "gh" + std::string("p_") + Body(36, kAlnum);
  const struct {
    std::string previous, text, next, hidden;
  } rows[] = {
      {"Authorization: Bearer", "abcDEF123456", "", "***"},
      {"export X=" + token.substr(0, 20), token.substr(20) + " x", "", "*** x"},
      {"", "export X=" + token.substr(0, 20), token.substr(20) + " x", "export X=***"},
      {"pip install --index-url https://me:hun", "ter2@index.example.org/simple a", "",
       "***@index.example.org/simple a"},
      {"Password:", "remote: refused", "", "remote: refused"},
      {"API key:", "ERROR: no such file", "", "ERROR: no such file"},
      {"HF_TOKEN=abcdef1", "ls -la", "", "ls -la"},
      {Body(64, kAlnum), "QyNTUx", "", "***"},
      {"a line", "QyNTUx", "", "QyNTUx"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(Mask(row.text, FindCredentials(row.text, row.previous, row.next)), row.hidden)
        << row.previous << " | " << row.text;
}

TEST(FindCredentialsTest, AnyBytes) {
  EXPECT_EQ(Hide(""), "");
  EXPECT_EQ(Hide("\xff\xfe HF_TOKEN=\xff\x80 x"), "\xff\xfe HF_TOKEN=*** x");
  const std::string many(20000, ':');
  EXPECT_EQ(Hide(many), many);
  std::string names;
  for (int i = 0; i < 2000; ++i) names += "token=";
  EXPECT_EQ(Hide(names), names);
  for (const char* part :
       {"a@b.org ", "/home/a/", "C:\\Users\\a ", "https://a:b@c ", "\"token\": \"", "curl -u a:b ",
        "-----BEGIN PRIVATE KEY-----", "login -p "}) {
    std::string line;
    while (line.size() < 16 << 10) line += part;
    Hide(line);
  }
}

}  // namespace
}  // namespace cudadoctor
