#include "match/secrets.h"

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
  std::string hidden;
  size_t done = 0;
  for (const Secret& secret : FindSecrets(text)) {
    EXPECT_LT(secret.begin, secret.end) << text;
    EXPECT_GE(secret.begin, done) << text;
    hidden += text.substr(done, secret.begin - done) + "[" + secret.variable + "]";
    done = secret.end;
  }
  return hidden + text.substr(done);
}

TEST(FindSecretsTest, ShapesOfTokens) {
  const std::string a = Body(120, kAlnum);
  const std::string h = Body(120, kHex);
  const auto first = [](const std::string& text, size_t size) { return text.substr(0, size); };
  const struct {
    const char* variable;
    std::string token;
  } rows[] = {
      {"GITHUB_TOKEN", "gh" + std::string("p_") + first(a, 36)},
      {"GITHUB_TOKEN", "gh" + std::string("o_") + first(a, 36)},
      {"GITHUB_TOKEN", "gh" + std::string("u_") + first(a, 36)},
      {"GITHUB_TOKEN", "gh" + std::string("s_") + first(a, 36)},
      {"GITHUB_TOKEN", "gh" + std::string("r_") + first(a, 76)},
      {"GITHUB_TOKEN", "github" + std::string("_pat_") + first(a, 22) + "_" + first(a, 59)},
      {"GITLAB_TOKEN", "gl" + std::string("pat-") + first(a, 20)},
      {"GITLAB_TOKEN", "gl" + std::string("pat-") + first(a, 27) + ".01." + first(h, 9)},
      {"GITLAB_TOKEN", "gl" + std::string("dt-") + first(a, 20)},
      {"GITLAB_TOKEN", "gl" + std::string("rt-") + first(a, 20)},
      {"GITLAB_TOKEN", "gl" + std::string("cbt-") + "1b_" + first(a, 20)},
      {"GITLAB_TOKEN", "gl" + std::string("ptt-") + first(h, 40)},
      {"PYPI_TOKEN", "pypi" + std::string("-AgEIcHlwaS5vcmc") + first(a, 90)},
      {"HF_TOKEN", "hf" + std::string("_") + first(a, 34)},
      {"AWS_ACCESS_KEY_ID", "AKI" + std::string("A") + "ABCDEFGH234567AB"},
      {"AWS_ACCESS_KEY_ID", "ASI" + std::string("A") + "ABCDEFGH234567AB"},
      {"GOOGLE_API_KEY", "AI" + std::string("za") + first(a, 35)},
      {"GOOGLE_OAUTH_TOKEN", "ya29" + std::string(".") + first(a, 60)},
      {"SLACK_TOKEN", "xox" + std::string("b-") + first(h, 12) + "-" + first(a, 24)},
      {"SLACK_TOKEN", "xox" + std::string("p-") + first(h, 12) + "-" + first(a, 24)},
      {"NPM_TOKEN", "npm" + std::string("_") + first(a, 36)},
      {"DOCKER_TOKEN", "dckr" + std::string("_pat_") + first(a, 27)},
      {"NGC_API_KEY", "nvapi" + std::string("-") + first(a, 64)},
      {"WANDB_API_KEY", "wandb" + std::string("_v1_") + first(a, 77)},
      {"OPENAI_API_KEY", "sk" + std::string("-") + first(a, 48)},
      {"OPENAI_API_KEY", "sk" + std::string("-proj-") + first(a, 100) + "_-x"},
      {"ANTHROPIC_API_KEY", "sk" + std::string("-ant-api03-") + first(a, 93)},
      {"STRIPE_API_KEY", "sk" + std::string("_live_") + first(a, 24)},
      {"STRIPE_API_KEY", "rk" + std::string("_test_") + first(a, 24)},
      {"DATABRICKS_TOKEN", "da" + std::string("pi") + first(h, 32)},
      {"ARTIFACTORY_TOKEN", "AKC" + std::string("p8") + first(a, 68)},
      {"ARTIFACTORY_TOKEN", "cm" + std::string("Vmd") + first(a, 59)},
      {"JWT",
       "ey" + std::string("J") + first(a, 20) + ".ey" + "J" + first(a, 40) + "." + first(a, 43)},
      {"AZURE_TOKEN", first(a, 52) + "JQ" + "QJ99" + first(a, 26)},
  };
  for (const auto& row : rows) {
    const std::string mark = "[" + std::string(row.variable) + "]";
    EXPECT_EQ(Hide(row.token), mark) << row.token;
    EXPECT_EQ(Hide("remote: '" + row.token + "' was refused"),
              "remote: '" + mark + "' was refused");
    EXPECT_EQ(Hide("(" + row.token + "), " + row.token + "."), "(" + mark + "), " + mark + ".");
  }
}

TEST(FindSecretsTest, NamesAndPlaces) {
  const std::string random = Body(24, kAlnum);
  const struct {
    std::string text;
    std::string hidden;
  } rows[] = {
      {"HF_TOKEN=x1 pip install a", "HF_TOKEN=[HF_TOKEN] pip install a"},
      {"export PGPASSWORD='p w' A=1", "export PGPASSWORD='[PGPASSWORD]' A=1"},
      {"ENV WANDB_API_KEY \"z\"", "ENV WANDB_API_KEY \"z\""},
      {"WANDB_API_KEY: " + Body(40, kHex), "WANDB_API_KEY: [WANDB_API_KEY]"},
      {"wandb login " + Body(40, kHex), "wandb login [WANDB_API_KEY]"},
      {"aws_secret_access_key = " + random, "aws_secret_access_key = [AWS_SECRET_ACCESS_KEY]"},
      {"  --build-arg HF_TOKEN=abc --x", "  --build-arg HF_TOKEN=[HF_TOKEN] --x"},
      {"cmake -DAPI_KEY=abc ..", "cmake -DAPI_KEY=[API_KEY] .."},
      {"uv publish --token abc dist/*", "uv publish --token [TOKEN] dist/*"},
      {"twine upload --password s3 -u x", "twine upload --password [PASSWORD] -u x"},
      {"twine upload -u __token__ -p s3cret dist/*",
       "twine upload -u __token__ -p [LOGIN_PASSWORD] dist/*"},
      {"docker login -u me -p s3cret reg", "docker login -u me -p [LOGIN_PASSWORD] reg"},
      {"curl -fsSL -u me:s3cret https://h/x", "curl -fsSL -u me:[LOGIN_PASSWORD] https://h/x"},
      {"machine h login me password s3cret", "machine h login me password [LOGIN_PASSWORD]"},
      {R"({"token": ")" + random + R"(", "a": 1})", R"({"token": "[TOKEN]", "a": 1})"},
      {R"({\"accessToken\": \")" + random + R"(\"})", R"({\"accessToken\": \"[ACCESSTOKEN]\"})"},
      {"password: hunter2", "password: [PASSWORD]"},
      {"password: ab[cd9", "password: [PASSWORD]"},
      {"f(password='hunter', n=1)", "f(password='[PASSWORD]', n=1)"},
      {"npm //r/:_authToken=" + random, "npm //r/:_authToken=[AUTHTOKEN]"},
      {"AccountName=x;AccountKey=" + random + "==;E=1",
       "AccountName=x;AccountKey=[ACCOUNTKEY];E=1"},
      {"Authorization: Basic dTpw", "Authorization: Basic [AUTHORIZATION]"},
      {"-H 'Authorization: Bearer abc.def'", "-H 'Authorization: Bearer [AUTHORIZATION]'"},
      {"'authorization': 'token abc'", "'authorization': 'token [AUTHORIZATION]'"},
      {"sent Bearer " + random, "sent Bearer [AUTHORIZATION]"},
      {"PRIVATE-TOKEN: abc1", "PRIVATE-TOKEN: [PRIVATE_TOKEN]"},
      {"Looking in indexes: https://me:s3@cret@h.example.org/simple, x",
       "Looking in indexes: https://me:[INDEX_PASSWORD]@h.example.org/simple, x"},
      {"https://" + random + "@h/simple", "https://[INDEX_PASSWORD]@h/simple"},
      {"git+https://oauth2:abc@h/r.git", "git+https://oauth2:[GIT_PASSWORD]@h/r.git"},
      {"https://:abc@h/", "https://:[INDEX_PASSWORD]@h/"},
      {"https://h/x?se=1&sig=abcdefgh%3D&v=2", "https://h/x?se=1&sig=[URL_SIG]&v=2"},
      {"https://h/x?X-Amz-Signature=" + Body(64, kHex),
       "https://h/x?X-Amz-Signature=[URL_X_AMZ_SIGNATURE]"},
      {"https://h/?access_token=" + random, "https://h/?access_token=[ACCESS_TOKEN]"},
      {"-----BEGIN RSA PRIVATE KEY-----MIIE x-----END RSA PRIVATE KEY-----",
       "-----BEGIN RSA PRIVATE KEY-----[PRIVATE_KEY]-----END RSA PRIVATE KEY-----"},
      {"-----BEGIN OPENSSH PRIVATE KEY----- b3Bl",
       "-----BEGIN OPENSSH PRIVATE KEY----- [PRIVATE_KEY]"},
      {"Author-email: Ann <ann.b+c@mail.example.org>", "Author-email: Ann <[EMAIL]>"},
      {"mailto:a@example.org, b_c@x.co.uk.", "mailto:[EMAIL], [EMAIL]."},
      {"HF_TOKEN=a API_KEY=b", "HF_TOKEN=[HF_TOKEN] API_KEY=[API_KEY]"},
      {"error: password: token=" + random, "error: password: [PASSWORD]"},
      {"in /home/alice/x and /gpfs/home/alice", "in [HOME]/x and /gpfs/home/[USER]"},
      {"/mnt/c/Users/alice/x", "/mnt/c/Users/[WINDOWS_USER]/x"},
  };
  for (const auto& row : rows) EXPECT_EQ(Hide(row.text), row.hidden) << row.text;
}

// What logs are full of.
TEST(FindSecretsTest, NoSecrets) {
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
      "git clone me@host.example.org:org/repo ssh://me@host.example.org/x https://me@host.org/",
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

TEST(FindSecretsTest, AnyBytes) {
  EXPECT_EQ(Hide(""), "");
  EXPECT_EQ(Hide("\xff\xfe HF_TOKEN=\xff\x80 x"), "\xff\xfe HF_TOKEN=[HF_TOKEN] x");
  EXPECT_EQ(Hide("/home/bj\xc3\xb6rn/x"), "[HOME]/x");
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
