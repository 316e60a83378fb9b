// @ts-check
// A report as diagnostics of VS Code.
'use strict';

const path = require('node:path');
const vscode = require('vscode');

/** @typedef {import('./program').Report} Report */
/** @typedef {import('./program').Diagnosis} Diagnosis */
/** @typedef {import('./program').Evidence} Evidence */

// VS Code ends a line at a lone carriage return too, with which tools redraw one.
const EDITOR_LINE_END = /\r\n|\r|\n/;

/** Turns lines of a log, as the report counts them, into ranges of the editor. */
class LogLines {
  /** @param {string | undefined} text of the log, as it was diagnosed; undefined: not known */
  constructor(text) {
    this.rawLines = text === undefined ? [] : text.split('\n');
    /** @type {number[]} the editor's line on which a raw line begins */
    this.starts = [];
    let start = 0;
    for (const raw of this.rawLines) {
      this.starts.push(start);
      start += raw.replace(/\r$/, '').split(EDITOR_LINE_END).length;
    }
  }

  /** @param {Evidence} evidence */
  rangeOf(evidence) {
    const first = this.pieceOf(evidence.line, evidence.text);
    const lastLine = evidence.last_line ?? evidence.line;
    const last = lastLine === evidence.line ? first : this.pieceOf(lastLine, '');
    const begin = first.text.length - first.text.trimStart().length;
    return new vscode.Range(
        first.line, begin, last.line,
        Math.max(last.text.trimEnd().length, last === first ? begin : 0));
  }

  /**
   * The editor's line of a raw line; of one that was redrawn, the piece that the text is of.
   * @param {number} rawLine from 1
   * @param {string} text
   */
  pieceOf(rawLine, text) {
    const index = rawLine - 1;
    if (index < 0 || index >= this.rawLines.length) return {line: Math.max(index, 0), text: ''};
    const pieces = this.rawLines[index].replace(/\r$/, '').split(EDITOR_LINE_END);
    const beginning = text.slice(0, 20);
    let piece = pieces.findLastIndex((candidate) => candidate.includes(beginning));
    if (piece < 0) piece = pieces.length - 1;
    return {line: this.starts[index] + piece, text: pieces[piece]};
  }
}

/**
 * The source file that a diagnosis names, if it is one of the workspace.
 * @param {Diagnosis} diagnosis
 */
async function sourceOf(diagnosis) {
  for (const {source} of diagnosis.evidence) {
    if (!source || !(source.line > 0)) continue;
    const parts = source.file.split(/[\\/]/);
    // Files of installed packages are nobody's to change, also below the workspace.
    if (parts.some((part) => ['..', '~', 'site-packages', 'dist-packages'].includes(part)))
      continue;
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const file = path.resolve(folder.uri.fsPath, source.file);
      if (!file.startsWith(folder.uri.fsPath + path.sep)) continue;
      const uri = vscode.Uri.file(file);
      try {
        if ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) {
          const column = Math.max((source.column ?? 1) - 1, 0);
          return new vscode.Location(uri, new vscode.Position(source.line - 1, column));
        }
      } catch (error) {
        // Not a file of this folder.
      }
    }
  }
  return undefined;
}

/**
 * What is said of a diagnosis: the cause, then the preferred remedy with its commands.
 * @param {Diagnosis} diagnosis
 */
function messageOf(diagnosis) {
  const lines = [diagnosis.title];
  if (diagnosis.confidence !== 'certain') lines[0] += ` (${diagnosis.confidence})`;
  const remedy = diagnosis.remedies[0];
  if (remedy) {
    lines.push(`fix: ${remedy.title}`);
    for (const step of remedy.steps) {
      if (step.run) lines.push(`  ${step.run}`);
    }
  }
  return lines.join('\n');
}

/**
 * @param {Report} report
 * @param {vscode.Uri} log where the log is
 * @param {string | undefined} text of the log, as it was diagnosed; undefined: not known
 * @returns {Promise<[vscode.Uri, vscode.Diagnostic[]][]>} for DiagnosticCollection.set
 */
async function diagnosticsOf(report, log, text) {
  const lines = new LogLines(text);
  /** @type {[vscode.Uri, vscode.Diagnostic[]][]} */
  const entries = [];
  for (const diagnosis of report.diagnoses) {
    const places =
        diagnosis.evidence.map((evidence) => ({
                                 location: new vscode.Location(log, lines.rangeOf(evidence)),
                                 text: evidence.text,
                               }));
    const source = await sourceOf(diagnosis);
    const first = places[0]?.location ?? new vscode.Location(log, new vscode.Position(0, 0));
    const place = source ?? first;
    const result = new vscode.Diagnostic(
        place.range, messageOf(diagnosis),
        diagnosis.role === 'root' ? vscode.DiagnosticSeverity.Error :
                                    vscode.DiagnosticSeverity.Warning);
    result.source = 'cudadoctor';
    const reference = diagnosis.references.find((url) => url.startsWith('https://'));
    result.code =
        reference ? {value: diagnosis.cause, target: vscode.Uri.parse(reference)} : diagnosis.cause;
    result.relatedInformation =
        places.slice(source ? 0 : 1)
            .map((other) => new vscode.DiagnosticRelatedInformation(other.location, other.text));
    entries.push([place.uri, [result]]);
  }
  return entries;
}

module.exports = {diagnosticsOf};
