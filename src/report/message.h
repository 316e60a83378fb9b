// report/message.h: a diagnosis with its preferred remedy as one message, for formats that have
// room for one. The text of a log stays text in it.
#ifndef CUDADOCTOR_REPORT_MESSAGE_H_
#define CUDADOCTOR_REPORT_MESSAGE_H_

#include <string>
#include <string_view>

#include "model/report.h"

namespace cudadoctor {

// The word that a format has for a role.
const char* ForRole(Role role, const char* root, const char* contributing, const char* latent);

// "TITLE; fix: REMEDY: COMMAND" on one line, in which no editor finds a place (":1:2:", or a quoted
// name with a number behind it). The command is left out where there are several, where it would
// read as a place, and where the line became longer than a problem list shows.
std::string LineMessage(const Diagnosis& diagnosis);

// A diagnosis as gcc writes it: "FILE:LINE:COLUMN: SEVERITY: MESSAGE [CAUSE]", with LineMessage(),
// at PlaceOf(), but at the log for a source whose name would be misread.
std::string GccLine(const Report& report, const Diagnosis& diagnosis);

// Plain text as SARIF has it, without its links and placeholders: the title as a sentence, then the
// remedy, its commands indented by four. Commands are left out together where one holds "](" or
// "{0", which SARIF reads.
std::string PlainMessage(const Diagnosis& diagnosis);

// The same as GitHub flavoured Markdown, where indented commands are code: readable as plain text
// too. Words that could be markup are code spans.
std::string MarkdownMessage(const Diagnosis& diagnosis);

}  // namespace cudadoctor

#endif  // CUDADOCTOR_REPORT_MESSAGE_H_
