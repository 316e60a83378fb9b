#include "redact/people.h"

#include <string>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

TEST(PseudonymsTest, WhereTextsNamePeople) {
  const struct {
    const char* text;
    const char* hidden;
  } rows[] = {
      {"/home/alice/x /home/bob/y", "/home/user1/x /home/user2/y"},
      {"/home/alice/x C:\\Users\\Alice\\y", "/home/user1/x C:\\Users\\user1\\y"},
      {"alice@node03:~/x$ pip install y", "user1@node03:~/x$ pip install y"},
      {"[alice@node03 src]$ make", "[user1@node03 src]$ make"},
      {"(base) alice@box:/data$ make", "(base) user1@box:/data$ make"},
      {"ssh -p 22 alice@login.example.org", "ssh -p 22 user1@login.example.org"},
      {"ssh://alice@host.example.org/r", "ssh://user1@host.example.org/r"},
      {"ls ~alice/x", "ls ~user1/x"},
      {"USER=alice LOGNAME='bob'", "USER=user1 LOGNAME='user2'"},
      {"[sudo] password for alice:", "[sudo] password for user1:"},
      {"uid=1000(alice) gid=1000(alice)", "uid=1000(user1) gid=1000(user1)"},
      {"/tmp/pytest-of-alice/pytest-0", "/tmp/pytest-of-user1/pytest-0"},
      {"/tmp/torchinductor_alice/x.py", "/tmp/torchinductor_user1/x.py"},
      {"\\\\fs01\\projects\\x.cu", "\\\\host1\\host2\\x.cu"},
      {"\\\\fs01\\home\\alice\\x", "\\\\host1\\home\\user1\\x"},
      {"Author: Ann <ann.b+c@mail.example.org>", "Author: Ann <user1@***>"},
      {"mailto:a1@example.org, b_c@x.co.uk.", "mailto:user1@***, user2@***."},
      {"https://alice:****@h.example.org/", "https://user1:****@h.example.org/"},
      {"chown alicia /home/alicia", "chown user1 /home/user1"},
      {"/home/torch/x imports torch", "/home/user1/x imports torch"},
  };
  for (const auto& row : rows) {
    Pseudonyms names;
    EXPECT_EQ(names.Hide(row.text), row.hidden);
  }
}

TEST(PseudonymsTest, NobodysNames) {
  for (const std::string text :
       {"root@3f2a:/app# pip install x", "runner@host:~$ x", "git@github.com:org/repo.git",
        "torch@2.1 flash-attn@2.8.3 fa2B@2.5.7-pt npm:a@v1.2.io", "FROM ubuntu@sha256:0123",
        "numpy @ https://files.example.org/numpy.whl", "uses: actions/checkout@v4 org/app@main.io",
        "memcpy@GLIBC_2.14 __cudaX@@libcudart.so.12 a@libcudart.so f(x@w.transpose(1))",
        "@torch.jit.script def f(): y = x@w.T", "~/x /tmp/pip-install-abc1234/x USER=root",
        "/tmp/matplotlib-k2xk9v1b/x \\\\wsl.localhost\\Ubuntu\\x", "nvcc fatal   : x",
        "packages ~=2.0 and ~torch", "C:\\\\Program Files\\\\x \\n \\\\ end"}) {
    Pseudonyms names;
    EXPECT_EQ(names.Hide(text), text);
  }
}

TEST(PseudonymsTest, KnownNamesAreHiddenWhereTheyStandAlone) {
  Pseudonyms names;
  names.Learn("in /scratch/alice/x");
  EXPECT_EQ(names.Hide("drwxr-xr-x 2 alice staff, malice"), "drwxr-xr-x 2 user1 staff, malice");
  EXPECT_EQ(names.Of(PersonKind::kAccount, "ALICE"), "user1");
}

}  // namespace
}  // namespace cudadoctor
