// redact/value_shape.h: whether what stands where a secret would stand is one.
#ifndef CUDADOCTOR_REDACT_VALUE_SHAPE_H_
#define CUDADOCTOR_REDACT_VALUE_SHAPE_H_

#include <string_view>

namespace cudadoctor {

// Masked already, a variable, <token>, a type, a word of a sentence, a version, a line's number.
bool IsPlaceholder(std::string_view value);

// Long enough and mixed enough to be no word, no path and no expression.
bool LooksRandom(std::string_view value);

// A file's path, or its name.
bool IsPath(std::string_view value);

// A line that is nothing but base64, as those of a private key are.
bool IsKeyLine(std::string_view line);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REDACT_VALUE_SHAPE_H_
