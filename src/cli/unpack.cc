#include "cli/unpack.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace cudadoctor {
namespace {

constexpr size_t kBlockBytes = size_t{256} << 10;

absl::Status Damaged() { return absl::DataLossError("it is damaged"); }
absl::Status Cut() { return absl::DataLossError("it ends in the middle"); }
absl::Status NoMemory() { return absl::ResourceExhaustedError("no memory to unpack it"); }

absl::Status NeedsMore(const char* command) {
  return absl::ResourceExhaustedError(
      absl::StrCat("needs more than ", Unpacker::kMaxDictionaryBytes >> 20, " MiB to be unpacked; ",
                   command, " FILE | cudadoctor"));
}

// zlib's, bzip2's and liblzma's streams have the same members.
template <typename Stream, typename Byte>
void GiveInput(std::string_view bytes, Stream& stream) {
  // The libraries do not write there.
  stream.next_in = reinterpret_cast<Byte*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<decltype(stream.avail_in)>(bytes.size());
}

// What follows the end of a compressed stream: another one, or zeros that fill a block of a tape.
bool IsPadding(std::string_view rest) {
  return std::all_of(rest.begin(), rest.end(), [](char c) { return c == '\0'; });
}

class Gzip : public Unpacker {
 public:
  absl::Status Init() {
    constexpr int kGzipOnly = 16;
    is_open_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
    return is_open_ ? absl::OkStatus() : NoMemory();
  }
  ~Gzip() override {
    if (is_open_) inflateEnd(&stream_);
  }

  absl::Status Feed(std::string_view bytes, const TakeBytes& take) override {
    if (bytes.empty()) return absl::OkStatus();
    GiveInput<z_stream, Bytef>(bytes, stream_);
    do {
      if (is_ended_) {
        const std::string_view rest = bytes.substr(bytes.size() - stream_.avail_in);
        if (IsPadding(rest)) return absl::OkStatus();
        if (inflateReset(&stream_) != Z_OK) return NoMemory();
        is_ended_ = false;
      }
      stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_out = static_cast<uInt>(block_.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      RETURN_IF_ERROR(take({block_.data(), block_.size() - stream_.avail_out}));
      if (result == Z_MEM_ERROR) return NoMemory();
      if (result == Z_STREAM_END) {
        is_ended_ = true;
      } else if (result == Z_BUF_ERROR) {
        break;  // all is taken
      } else if (result != Z_OK) {
        return Damaged();
      }
    } while (stream_.avail_in > 0 || stream_.avail_out == 0);
    return absl::OkStatus();
  }

  absl::Status Finish() override { return is_ended_ ? absl::OkStatus() : Cut(); }

 private:
  z_stream stream_{};
  bool is_open_ = false;
  bool is_ended_ = false;
  std::vector<char> block_ = std::vector<char>(kBlockBytes);
};

class Bzip2 : public Unpacker {
 public:
  absl::Status Init() {
    is_open_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
    return is_open_ ? absl::OkStatus() : NoMemory();
  }
  ~Bzip2() override {
    if (is_open_) BZ2_bzDecompressEnd(&stream_);
  }

  absl::Status Feed(std::string_view bytes, const TakeBytes& take) override {
    if (bytes.empty()) return absl::OkStatus();
    GiveInput<bz_stream, char>(bytes, stream_);
    do {
      if (is_ended_) {
        const unsigned int left = stream_.avail_in;
        if (IsPadding(bytes.substr(bytes.size() - left))) return absl::OkStatus();
        BZ2_bzDecompressEnd(&stream_);
        stream_ = {};
        RETURN_IF_ERROR(Init());
        GiveInput<bz_stream, char>(bytes.substr(bytes.size() - left), stream_);
        is_ended_ = false;
      }
      stream_.next_out = block_.data();
      stream_.avail_out = static_cast<unsigned int>(block_.size());
      const int result = BZ2_bzDecompress(&stream_);
      RETURN_IF_ERROR(take({block_.data(), block_.size() - stream_.avail_out}));
      if (result == BZ_MEM_ERROR) return NoMemory();
      if (result != BZ_OK && result != BZ_STREAM_END) return Damaged();
      is_ended_ = result == BZ_STREAM_END;
    } while (stream_.avail_in > 0 || stream_.avail_out == 0);
    return absl::OkStatus();
  }

  absl::Status Finish() override { return is_ended_ ? absl::OkStatus() : Cut(); }

 private:
  bz_stream stream_{};
  bool is_open_ = false;
  bool is_ended_ = false;
  std::vector<char> block_ = std::vector<char>(kBlockBytes);
};

class Xz : public Unpacker {
 public:
  absl::Status Init() {
    constexpr uint64_t kOwnBytes = uint64_t{1} << 20;  // of the decoder beside its dictionary
    const lzma_ret result =
        lzma_stream_decoder(&stream_, kMaxDictionaryBytes + kOwnBytes, LZMA_CONCATENATED);
    return result == LZMA_OK ? absl::OkStatus() : NoMemory();
  }
  ~Xz() override { lzma_end(&stream_); }

  absl::Status Feed(std::string_view bytes, const TakeBytes& take) override {
    GiveInput<lzma_stream, uint8_t>(bytes, stream_);
    return Run(LZMA_RUN, take);
  }

  absl::Status Finish() override {
    return Run(LZMA_FINISH, [](std::string_view) { return absl::OkStatus(); });
  }

 private:
  absl::Status Run(lzma_action action, const TakeBytes& take) {
    for (;;) {
      stream_.next_out = reinterpret_cast<uint8_t*>(block_.data());
      stream_.avail_out = block_.size();
      const lzma_ret result = lzma_code(&stream_, action);
      RETURN_IF_ERROR(take({block_.data(), block_.size() - stream_.avail_out}));
      switch (result) {
        case LZMA_OK:
          if (stream_.avail_in == 0 && stream_.avail_out > 0 && action == LZMA_RUN)
            return absl::OkStatus();
          break;
        case LZMA_STREAM_END:
          return absl::OkStatus();
        case LZMA_BUF_ERROR:
          return action == LZMA_FINISH ? Cut() : absl::OkStatus();
        case LZMA_MEMLIMIT_ERROR:
          return NeedsMore("xz -dc");
        case LZMA_MEM_ERROR:
          return NoMemory();
        default:
          return Damaged();
      }
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  std::vector<char> block_ = std::vector<char>(kBlockBytes);
};

class Zstd : public Unpacker {
 public:
  absl::Status Init() {
    constexpr int kWindowLog = 26;
    static_assert(size_t{1} << kWindowLog == kMaxDictionaryBytes);
    stream_.reset(ZSTD_createDStream());
    if (stream_ == nullptr) return NoMemory();
    const size_t result = ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kWindowLog);
    return ZSTD_isError(result) != 0 ? NoMemory() : absl::OkStatus();
  }

  absl::Status Feed(std::string_view bytes, const TakeBytes& take) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool is_full = false;
    while (in.pos < in.size || is_full) {
      ZSTD_outBuffer out{block_.data(), block_.size(), 0};
      const size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
      RETURN_IF_ERROR(take({block_.data(), out.pos}));
      if (ZSTD_isError(result) != 0) {
        const ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
        if (code == ZSTD_error_frameParameter_windowTooLarge)
          return NeedsMore("zstd -dc --long=31");
        return code == ZSTD_error_memory_allocation ? NoMemory() : Damaged();
      }
      is_ended_ = result == 0;
      is_full = out.pos == out.size;
    }
    return absl::OkStatus();
  }

  absl::Status Finish() override { return is_ended_ ? absl::OkStatus() : Cut(); }

 private:
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_{nullptr, ZSTD_freeDStream};
  bool is_ended_ = false;
  std::vector<char> block_ = std::vector<char>(kBlockBytes);
};

template <typename Format>
absl::StatusOr<std::unique_ptr<Unpacker>> Make() {
  auto unpacker = std::make_unique<Format>();
  RETURN_IF_ERROR(unpacker->Init());
  return std::unique_ptr<Unpacker>(std::move(unpacker));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Unpacker>> UnpackerFor(std::string_view head) {
  using std::string_view_literals::operator""sv;
  if (head.starts_with("\x1f\x8b\x08"sv)) return Make<Gzip>();
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return Make<Zstd>();
  if (head.starts_with("\xfd"
                       "7zXZ\0"sv))
    return Make<Xz>();
  const bool is_bzip2 = head.size() >= 10 && head.starts_with("BZh"sv) && head[3] >= '1' &&
                        head[3] <= '9' &&
                        (head.substr(4, 6) == "1AY&SY"sv || head.substr(4, 6) == "\x17rE8P\x90"sv);
  if (is_bzip2) return Make<Bzip2>();
  return std::unique_ptr<Unpacker>();
}

}  // namespace cudadoctor
