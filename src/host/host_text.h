// host/host_text.h: what a machine has, for people.
#ifndef CUDADOCTOR_HOST_HOST_TEXT_H_
#define CUDADOCTOR_HOST_HOST_TEXT_H_

#include <span>
#include <string>

#include "model/fact.h"

namespace cudadoctor {

// `facts` grouped by subject, a line each: the value and where it comes from. Of what a build needs
// it says when it is absent. Values and places are printed as they are: the caller cleans the
// lines.
std::string RenderHostText(std::span<const Fact> facts);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_HOST_TEXT_H_
