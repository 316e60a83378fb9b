#include "cli/unpack.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace cudadoctor {
namespace {

// Text that does not compress to nothing.
std::string Text(size_t size) {
  std::string text;
  uint32_t state = 1;
  while (text.size() < size) {
    state = state * 1664525 + 1013904223;
    text += "line " + std::to_string(state >> 12) + "\n";
  }
  return text;
}

std::string Gzip(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Bzip2(const std::string& text) {
  std::string packed(text.size() + 1000, '\0');
  auto size = static_cast<unsigned int>(packed.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(text.data()),
                                     static_cast<unsigned int>(text.size()), 1, 0, 0),
            BZ_OK);
  packed.resize(size);
  return packed;
}

std::string Xz(const std::string& text, uint32_t dictionary = 1 << 20) {
  lzma_options_lzma options;
  EXPECT_FALSE(lzma_lzma_preset(&options, 0));
  options.dict_size = dictionary;
  const lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, nullptr}};
  std::string packed(lzma_stream_buffer_bound(text.size()), '\0');
  size_t size = 0;
  EXPECT_EQ(
      lzma_stream_buffer_encode(const_cast<lzma_filter*>(filters), LZMA_CHECK_CRC64, nullptr,
                                reinterpret_cast<const uint8_t*>(text.data()), text.size(),
                                reinterpret_cast<uint8_t*>(packed.data()), &size, packed.size()),
      LZMA_OK);
  packed.resize(size);
  return packed;
}

std::string Zstd(const std::string& text, int window_log = 20) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  ZSTD_inBuffer in{text.data(), text.size(), 0};
  ZSTD_outBuffer out{packed.data(), packed.size(), 0};
  // Flushed, so that its frame names a window rather than its size.
  EXPECT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush), 0u);
  EXPECT_EQ(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0u);
  packed.resize(out.pos);
  ZSTD_freeCCtx(context);
  return packed;
}

// The content of `packed`, given `piece` bytes at a time; `status` says how it ended.
std::string Unpack(const std::string& packed, size_t piece, absl::Status& status) {
  std::string text;
  auto unpacker = UnpackerFor(packed);
  EXPECT_TRUE(unpacker.ok());
  if (!unpacker.ok() || *unpacker == nullptr) {
    status = absl::NotFoundError("no format");
    return text;
  }
  status = absl::OkStatus();
  for (size_t at = 0; at < packed.size() && status.ok(); at += piece) {
    status =
        (*unpacker)->Feed(std::string_view(packed).substr(at, piece), [&](std::string_view bytes) {
          text.append(bytes);
          return absl::OkStatus();
        });
  }
  if (status.ok()) status = (*unpacker)->Finish();
  return text;
}

TEST(UnpackerTest, EveryFormatInAnyPieces) {
  const std::string text = Text(700'000);
  for (const std::string& packed : {Gzip(text), Bzip2(text), Xz(text), Zstd(text)}) {
    for (const size_t piece : {size_t{13}, size_t{4096}, packed.size()}) {
      absl::Status status;
      EXPECT_TRUE(Unpack(packed, piece, status) == text) << packed.substr(0, 4);
      EXPECT_TRUE(status.ok()) << status;
    }
  }
  for (const std::string& packed : {Gzip(""), Bzip2(""), Xz(""), Zstd("")}) {
    absl::Status status;
    EXPECT_EQ(Unpack(packed, 1000, status), "");
    EXPECT_TRUE(status.ok()) << status << packed.substr(0, 4);
  }
}

TEST(UnpackerTest, OneBehindAnother) {
  const std::string a = Text(1000), b = Text(2000);
  for (const std::string& packed :
       {Gzip(a) + Gzip(b), Bzip2(a) + Bzip2(b), Xz(a) + Xz(b), Zstd(a) + Zstd(b)}) {
    for (const size_t piece : {size_t{1}, packed.size()}) {
      absl::Status status;
      EXPECT_TRUE(Unpack(packed, piece, status) == a + b) << packed.substr(0, 4);
      EXPECT_TRUE(status.ok()) << status;
    }
  }
  absl::Status status;
  EXPECT_EQ(Unpack(Gzip(a) + std::string(512, '\0'), 4096, status), a);
  EXPECT_TRUE(status.ok()) << "a tape's block";
  Unpack(Gzip(a) + "something else", 4096, status);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
}

// Each damage is told: gzip's checksum, bzip2's, xz's and zstd's are verified.
TEST(UnpackerTest, DamageIsFound) {
  const std::string text = Text(20'000);
  for (const std::string& packed : {Gzip(text), Bzip2(text), Xz(text), Zstd(text)}) {
    absl::Status status;
    for (size_t at = 20; at < packed.size(); at += packed.size() / 150) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      const std::string unpacked = Unpack(damaged, damaged.size(), status);
      EXPECT_FALSE(status.ok() && unpacked != text) << packed.substr(0, 4) << " at " << at;
    }
    for (const size_t size : {packed.size() - 1, packed.size() - 5, packed.size() / 2}) {
      Unpack(packed.substr(0, size), 1000, status);
      EXPECT_EQ(status, absl::DataLossError("it ends in the middle")) << packed.substr(0, 4);
    }
  }
}

TEST(UnpackerTest, DictionariesAreBounded) {
  absl::Status status;
  EXPECT_EQ(Unpack(Xz("small", Unpacker::kMaxDictionaryBytes), 1000, status), "small");
  Unpack(Xz("small", 512 << 20), 1000, status);
  EXPECT_EQ(status, absl::ResourceExhaustedError(
                        "needs more than 64 MiB to be unpacked; xz -dc FILE | cudadoctor"));
  EXPECT_EQ(Unpack(Zstd("small", 26), 1000, status), "small");
  Unpack(Zstd("small", 27), 1000, status);
  EXPECT_EQ(status,
            absl::ResourceExhaustedError(
                "needs more than 64 MiB to be unpacked; zstd -dc --long=31 FILE | cudadoctor"));
}

// What libarchive would start a program for, or decode, is text or binary data here.
TEST(UnpackerTest, NothingElseIsUnpacked) {
  for (const std::string& head :
       {std::string("LRZI\0\6", 6), std::string("\x89LZO\0\r\n\x1a\n", 9),
        std::string("GRZipII\0\2\4:)", 12), std::string("begin 644 x\n"),
        std::string("\x1f\x9d\x90 compress"), std::string("\x4\x22\x4d\x18 lz4"),
        std::string("PK\3\4 zip"), std::string("\x1f\x8b"), std::string("BZh9 is text"),
        std::string("")}) {
    const auto unpacker = UnpackerFor(head);
    ASSERT_TRUE(unpacker.ok());
    EXPECT_EQ(*unpacker, nullptr) << head;
  }
}

}  // namespace
}  // namespace cudadoctor
