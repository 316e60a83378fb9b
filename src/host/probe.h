// host/probe.h: finds out what a machine has.
#ifndef CUDADOCTOR_HOST_PROBE_H_
#define CUDADOCTOR_HOST_PROBE_H_

#include <vector>

#include "host/host_sources.h"
#include "model/fact.h"

namespace cudadoctor {

// What the machine of `sources` has, under the names that rules use (host/subjects.h lists them),
// in a fixed order. Changes nothing, uses no network, and takes some milliseconds, or as long as
// nvidia-smi does, at most two seconds (three with what is tried then).
//
//   const std::vector<Fact> facts = ProbeHost(LocalSources());
//
// The subjects are probed at once. One that does not answer within sources.limit (a driver or a
// network folder hangs) is left behind, and the fact unanswered names it.
std::vector<Fact> ProbeHost(const HostSources& sources);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_HOST_PROBE_H_
