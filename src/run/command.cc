#include "run/command.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <optional>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "host/processes.h"
#include "run/launch.h"
#include "run/not_started.h"
#include "run/streams.h"
#include "run/terminal.h"

namespace cudadoctor {
namespace {

using Clock = std::chrono::steady_clock;

// A pipe that can be written at all takes PIPE_BUF bytes without waiting (pipe(7)).
constexpr size_t kPieceBytes = 4096;
constexpr size_t kMaxKeys = size_t{64} << 10;  // typed or pasted, and not taken by the command yet
// What processes in the background print after the command's end: the log shows it when it comes at
// once, and they are not waited for.
constexpr std::chrono::milliseconds kSilenceAfterEnd{200};
constexpr std::chrono::milliseconds kMostAfterEnd{2000};

constexpr std::array<int, 6> kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

class Descriptor {
 public:
  explicit Descriptor(int descriptor = -1) : descriptor_(descriptor) {}
  Descriptor(Descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    return *this;
  }
  ~Descriptor() { Close(); }
  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  void Close() {
    if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  }

 private:
  int descriptor_;
};

// Signals as input of poll() instead of interruptions, until the end of this.
class SignalInput {
 public:
  SignalInput() {
    sigset_t taken;
    sigemptyset(&taken);
    for (const int signal : kForwarded) sigaddset(&taken, signal);
    for (const int signal : {SIGCHLD, SIGWINCH, SIGTSTP, SIGCONT}) sigaddset(&taken, signal);
    sigprocmask(SIG_BLOCK, &taken, &previous_);
    // An ignored SIGCHLD, which is inherited, would lose the command's status.
    signal(SIGCHLD, SIG_DFL);
    descriptor_ = Descriptor(signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  ~SignalInput() {
    // One that is still here came for a command that has ended; it must not end us instead.
    while (Next().has_value()) {
    }
    sigprocmask(SIG_SETMASK, &previous_, nullptr);
  }
  SignalInput(const SignalInput&) = delete;  // restores the mask once
  SignalInput& operator=(const SignalInput&) = delete;

  std::optional<signalfd_siginfo> Next() {
    signalfd_siginfo info;
    if (read(descriptor_.get(), &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info)))
      return std::nullopt;
    return info;
  }
  int descriptor() const { return descriptor_.get(); }
  const sigset_t& previous() const { return previous_; }

 private:
  Descriptor descriptor_;
  sigset_t previous_{};
};

// Output of the command on its way to us.
struct Way {
  Descriptor from;
  int to = STDOUT_FILENO;
  bool waits_for_room = false;  // `to` takes nothing now
};

class Runner {
 public:
  explicit Runner(const CommandOptions& options) : options_(options) {}

  absl::StatusOr<CommandEnd> Run() {
    OpenStandardStreams();
    OwnStreams own = LookAtOwnStreams();
    plan_ = PlanStreams(own);
    if (!OpenWays()) {
      // No pseudo-terminal is to be had (a container without /dev/pts).
      own.output = own.error = StreamKind::kFile;
      plan_ = PlanStreams(own);
      ways_.clear();
      if (!OpenWays())
        return absl::UnavailableError(
            absl::StrCat("no pipe can be made: ", std::generic_category().message(errno)));
    }
    RETURN_IF_ERROR(Start());
    if (raw_ != nullptr) raw_->SetRaw();
    next_tick_ = Clock::now() + options_.tick;
    while (!IsOver()) Turn();
    options_.on_pause();
    return end_;
  }

 private:
  // A standard stream that is closed would become whatever is opened next.
  static void OpenStandardStreams() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      if (fcntl(descriptor, F_GETFD) < 0)
        static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY));
  }

  bool OpenWays() {
    const auto open_way = [this](Channel channel, int to, Descriptor& end) {
      Way way;
      way.to = to;
      std::array<int, 2> ends{};
      if (channel == Channel::kTerminal) {
        if (!OpenTerminal(to, ends)) return false;
        master_ = ends[0];
        shown_on_ = to;
      } else if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        return false;
      }
      fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
      way.from = Descriptor(ends[0]);
      end = Descriptor(ends[1]);
      ways_.push_back(std::move(way));
      return true;
    };
    return open_way(plan_.output, STDOUT_FILENO, output_end_) &&
           (plan_.error == Channel::kWithOutput ||
            open_way(plan_.error, STDERR_FILENO, error_end_));
  }

  bool OpenTerminal(int like, std::array<int, 2>& ends) {
    termios settings{};
    if (tcgetattr(like, &settings) != 0) return false;
    // With its own session the command has the terminal to itself, and ours is raw; else ours still
    // writes line ends, and need not do it twice.
    if (!plan_.has_session) settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    std::optional<winsize> size = WindowSize(like);
    if (openpty(&ends[0], &ends[1], nullptr, &settings, size.has_value() ? &*size : nullptr) != 0)
      return false;
    for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
    return true;
  }

  absl::Status Start() {
    LaunchOptions launch{.arguments = options_.arguments, .environment = options_.environment};
    launch.output = output_end_.get();
    launch.error = error_end_.is_open() ? error_end_.get() : output_end_.get();
    launch.has_session = plan_.has_session;
    launch.signal_mask = signals_.previous();
    if (plan_.has_session) {
      launch.input = output_end_.get();
      raw_ = std::make_unique<RawTerminal>(STDIN_FILENO);
      for (const Way& way : ways_) launch.close.push_back(way.from.get());
      launch.close.push_back(signals_.descriptor());
    }
    ASSIGN_OR_RETURN(Launch started, Launch::Start(launch));
    launch_.emplace(std::move(started));
    output_end_.Close();
    error_end_.Close();
    return absl::OkStatus();
  }

  bool IsOver() const {
    if (!ended_at_.has_value()) return false;
    const bool is_open =
        std::any_of(ways_.begin(), ways_.end(), [](const Way& way) { return way.from.is_open(); });
    const Clock::time_point now = Clock::now();
    return !is_open || now > last_output_ + kSilenceAfterEnd || now > *ended_at_ + kMostAfterEnd;
  }

  // Waits until something happens, and does what it asks for.
  void Turn() {
    const bool takes_keys =
        raw_ != nullptr && raw_->is_raw() && has_keyboard_ && keys_.size() < kMaxKeys;
    std::vector<pollfd> waits = {{signals_.descriptor(), POLLIN, 0},
                                 {launch_->descriptor(), POLLIN, 0},
                                 {takes_keys ? STDIN_FILENO : -1, POLLIN, 0}};
    for (const Way& way : ways_) {
      const bool has_keys = way.from.get() == master_ && !keys_.empty();
      const short events =
          static_cast<short>((way.waits_for_room ? 0 : POLLIN) | (has_keys ? POLLOUT : 0));
      waits.push_back({events == 0 ? -1 : way.from.get(), events, 0});
      waits.push_back({way.from.is_open() && way.waits_for_room ? way.to : -1, POLLOUT, 0});
    }
    const auto wait =
        std::chrono::ceil<std::chrono::milliseconds>(next_tick_ - Clock::now()).count();
    poll(waits.data(), waits.size(), static_cast<int>(std::max<int64_t>(0, wait)));
    if (waits[0].revents != 0) TakeSignals();
    TakeChanges();
    if (waits[2].revents != 0) TakeKeys();
    for (size_t i = 0; i < ways_.size(); ++i) {
      if ((waits[3 + 2 * i].revents & POLLOUT) != 0) GiveKeys();
      if (waits[4 + 2 * i].revents != 0) ways_[i].waits_for_room = false;
      if ((waits[3 + 2 * i].revents & ~POLLOUT) != 0) TakeOutput(ways_[i]);
    }
    if (Clock::now() >= next_tick_) Tick();
  }

  void Tick() {
    next_tick_ = Clock::now() + options_.tick;
    // "fg" of a job that was running in the background sends no signal.
    if (raw_ != nullptr && !raw_->is_raw()) raw_->SetRaw();
    if (process_ > 0 && !ended_at_.has_value()) options_.on_tick({process_, MayDraw()});
  }

  bool MayDraw() const {
    if (master_ < 0 || !IsForeground(shown_on_)) return false;
    if (raw_ == nullptr) return true;
    termios settings{};
    return raw_->is_raw() && tcgetattr(master_, &settings) == 0 &&
           (settings.c_lflag & ICANON) != 0 && (settings.c_lflag & ECHO) != 0 &&
           (settings.c_oflag & OPOST) != 0;
  }

  void TakeOutput(Way& way) {
    if (!way.from.is_open()) return;
    pollfd room{way.to, POLLOUT, 0};
    if (poll(&room, 1, 0) == 0) {
      way.waits_for_room = true;
      return;
    }
    std::array<char, kPieceBytes> piece;
    const ssize_t size = read(way.from.get(), piece.data(), piece.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    // The other end of a pseudo-terminal that was closed is an error (EIO), not an end.
    if (size <= 0) return CloseWay(way);
    last_output_ = Clock::now();
    if (options_.on_output(way.to, {piece.data(), static_cast<size_t>(size)})) return;
    end_.has_reader = false;
    CloseWay(way);
  }

  void CloseWay(Way& way) {
    if (way.from.get() == master_) master_ = -1;
    way.from.Close();
    way.waits_for_room = false;
  }

  void TakeKeys() {
    std::array<char, kPieceBytes> piece;
    const ssize_t size = read(STDIN_FILENO, piece.data(), piece.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0) {
      has_keyboard_ = false;  // the terminal was hung up; SIGHUP says so to the command
      return;
    }
    if (master_ >= 0) keys_.append(piece.data(), static_cast<size_t>(size));
    const cc_t* keys = raw_->settings().c_cc;
    end_.is_interrupted =
        end_.is_interrupted || std::any_of(piece.begin(), piece.begin() + size, [keys](char key) {
          const cc_t pressed = static_cast<cc_t>(key);
          return pressed == keys[VINTR] || pressed == keys[VQUIT];
        });
    GiveKeys();
  }

  void GiveKeys() {
    if (keys_.empty() || master_ < 0) return;
    const ssize_t size = write(master_, keys_.data(), keys_.size());
    if (size > 0) keys_.erase(0, static_cast<size_t>(size));
  }

  void TakeSignals() {
    while (const std::optional<signalfd_siginfo> info = signals_.Next()) {
      const int signal = static_cast<int>(info->ssi_signo);
      // What the terminal sends, it sends to the whole group: the command has it, unless it has a
      // terminal of its own.
      const bool is_for_us_alone = plan_.has_session || info->ssi_code != SI_KERNEL;
      if (signal == SIGCHLD) continue;
      end_.is_interrupted = end_.is_interrupted || signal == SIGINT || signal == SIGTERM ||
                            signal == SIGHUP || signal == SIGQUIT;
      if (signal == SIGWINCH) {
        UpdateSize();
      } else if (signal == SIGCONT) {
        if (raw_ != nullptr) raw_->SetRaw();
        UpdateSize();
        if (!plan_.has_session) Forward(SIGCONT);
      } else if (signal == SIGTSTP && !plan_.has_session) {
        if (is_for_us_alone) Forward(SIGTSTP);
        Stop(getpid());
      } else if (is_for_us_alone) {
        Forward(signal);
      }
    }
  }

  void UpdateSize() {
    if (master_ < 0) return;
    const std::optional<winsize> size = WindowSize(shown_on_);
    if (!size.has_value()) return;
    ioctl(master_, TIOCSWINSZ, &*size);
    // The kernel tells those whose controlling terminal it is; else they were told too early.
    if (!plan_.has_session) Forward(SIGWINCH);
  }

  void Forward(int signal) {
    if (process_ == 0) {
      early_signals_.push_back(signal);
      return;
    }
    if (ended_at_.has_value()) return;
    if (plan_.has_session) {
      kill(-process_, signal);
      return;
    }
    // Our group has other members, a shell or a test runner, that are not the command's.
    const std::vector<Process> all = ListProcesses("");
    kill(process_, signal);
    for (const Process& process : DescendantsOf(process_, all))
      if (process.group == getpgrp()) kill(process.pid, signal);
  }

  // Stops us as SIGTSTP does, where the kernel allows it, with `whom`, until SIGCONT.
  void Stop(pid_t whom) {
    options_.on_pause();
    if (raw_ != nullptr) raw_->Restore();
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    kill(whom, SIGTSTP);
    sigprocmask(SIG_UNBLOCK, &stop, nullptr);
    sigprocmask(SIG_BLOCK, &stop, nullptr);
    if (raw_ != nullptr) raw_->SetRaw();
    UpdateSize();
  }

  void TakeChanges() {
    while (const std::optional<Change> change = launch_->NextChange()) {
      switch (change->kind) {
        case Change::Kind::kStarted:
          process_ = change->value;
          for (const int signal : std::exchange(early_signals_, {})) Forward(signal);
          break;
        case Change::Kind::kNotExecuted: {
          const NotStarted why = WhyNotStarted(options_.arguments[0], change->value);
          end_.is_started = false;
          end_.status = why.status;
          end_.reason = why.reason;
          End();
          break;
        }
        case Change::Kind::kStopped:
          // With the shell script, if any, that we are part of: it holds the terminal.
          Stop(0);
          Forward(SIGCONT);
          break;
        case Change::Kind::kEnded:
          end_.status = WIFSIGNALED(change->value) ? 128 + WTERMSIG(change->value)
                                                   : WEXITSTATUS(change->value);
          End();
          break;
      }
    }
  }

  void End() {
    ended_at_ = Clock::now();
    last_output_ = *ended_at_;
    next_tick_ = *ended_at_;
  }

  const CommandOptions& options_;
  SignalInput signals_;
  StreamPlan plan_;
  std::vector<Way> ways_;
  Descriptor output_end_;  // the command's
  Descriptor error_end_;
  int master_ = -1;               // of the pseudo-terminal, while it is open; one of ways_
  int shown_on_ = STDOUT_FILENO;  // our terminal, where there is a pseudo-terminal
  std::unique_ptr<RawTerminal> raw_;
  std::optional<Launch> launch_;
  int process_ = 0;  // 0: not started yet
  std::vector<int> early_signals_;
  std::string keys_;
  bool has_keyboard_ = true;
  Clock::time_point next_tick_;
  Clock::time_point last_output_;
  std::optional<Clock::time_point> ended_at_;
  CommandEnd end_;
};

}  // namespace

absl::StatusOr<CommandEnd> RunCommand(const CommandOptions& options) {
  return Runner(options).Run();
}

}  // namespace cudadoctor
