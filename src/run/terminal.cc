#include "run/terminal.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

namespace cudadoctor {
namespace {

// For the signal handlers: the terminal that is raw, or -1, and its settings.
volatile std::sig_atomic_t g_raw_descriptor = -1;
termios g_settings;

// Signals that end a process unless they are handled, but for those that RunCommand forwards.
constexpr std::array<int, 15> kEndingSignals = {SIGSEGV,   SIGBUS,  SIGFPE,  SIGILL,  SIGABRT,
                                                SIGTRAP,   SIGSYS,  SIGXCPU, SIGXFSZ, SIGALRM,
                                                SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSTKFLT};
std::array<struct sigaction, kEndingSignals.size()> g_previous;
// A handler must run even where the stack overflowed.
std::array<char, 16 << 10> g_handler_stack;

void RestoreRaw() {
  const int descriptor = g_raw_descriptor;
  if (descriptor < 0) return;
  g_raw_descriptor = -1;
  tcsetattr(descriptor, TCSANOW, &g_settings);
}

void RestoreAndEnd(int signal) {
  RestoreRaw();
  // The handler was installed for one time, so this has the default effect.
  raise(signal);
}

void InstallHandlers() {
  stack_t stack{};
  stack.ss_sp = g_handler_stack.data();
  stack.ss_size = g_handler_stack.size();
  sigaltstack(&stack, nullptr);
  for (size_t i = 0; i < kEndingSignals.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = RestoreAndEnd;
    action.sa_flags = SA_RESETHAND | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    sigdelset(&action.sa_mask, kEndingSignals[i]);
    sigaction(kEndingSignals[i], nullptr, &g_previous[i]);
    // What is ignored stays ignored, and a sanitizer's own handler tells more.
    if (g_previous[i].sa_handler == SIG_DFL) sigaction(kEndingSignals[i], &action, nullptr);
  }
}

void RemoveHandlers() {
  for (size_t i = 0; i < kEndingSignals.size(); ++i)
    sigaction(kEndingSignals[i], &g_previous[i], nullptr);
  stack_t stack{};
  stack.ss_flags = SS_DISABLE;
  sigaltstack(&stack, nullptr);
}

}  // namespace

std::optional<winsize> WindowSize(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return size;
}

bool IsForeground(int descriptor) { return tcgetpgrp(descriptor) == getpgrp(); }

RawTerminal::RawTerminal(int descriptor) : descriptor_(descriptor) {
  tcgetattr(descriptor, &settings_);
  static const bool kAtExit = std::atexit(RestoreRaw) == 0;
  static_cast<void>(kAtExit);
  InstallHandlers();
}

RawTerminal::~RawTerminal() {
  Restore();
  RemoveHandlers();
}

void RawTerminal::SetRaw() {
  if (!IsForeground(descriptor_)) return;
  termios raw = settings_;
  cfmakeraw(&raw);
  g_settings = settings_;
  g_raw_descriptor = descriptor_;
  tcsetattr(descriptor_, TCSANOW, &raw);
  is_raw_ = true;
}

void RawTerminal::Restore() {
  if (!is_raw_) return;
  is_raw_ = false;
  RestoreRaw();
}

}  // namespace cudadoctor
