// @ts-check
// What VS Code and GitHub do with a problem matcher and a line, as far as ours use it: patterns of
// one line. After src/vs/workbench/contrib/tasks/common/problemMatcher.ts of microsoft/vscode and
// src/Runner.Worker/{IssueMatcher,Handlers/OutputManager}.cs of actions/runner.
'use strict';

const path = require('node:path');

/**
 * @typedef {{regexp: string, file?: number, line?: number, column?: number, severity?: number,
 *            message?: number, code?: number}} Pattern
 */

/**
 * The groups of a line that a pattern names, trimmed where VS Code does.
 * @param {Pattern} pattern
 * @param {string} line
 */
function groupsOf(pattern, line) {
  const match = new RegExp(pattern.regexp).exec(line);
  if (!match) return undefined;
  /** @param {number | undefined} group */
  const of = (group) => (group === undefined ? undefined : match[group]);
  return {
    file: of(pattern.file)?.trim(),
    line: of(pattern.line),
    column: of(pattern.column),
    severity: of(pattern.severity)?.trim(),
    message: of(pattern.message)?.trim(),
    code: of(pattern.code)?.trim(),
  };
}

/**
 * The problems that VS Code's matcher finds in a task's output.
 * @param {Pattern} pattern
 * @param {string} output
 * @param {string} folder fileLocation ["autoDetect", folder]
 * @param {(file: string) => boolean} exists
 */
function problemsOf(pattern, output, folder, exists) {
  const problems = [];
  for (const line of output.split(/\r?\n/)) {
    const groups = groupsOf(pattern, line);
    if (!groups || !groups.file || !groups.line || !groups.message) continue;
    const relative = path.join(folder, groups.file);
    const severity = (groups.severity ?? '').toLowerCase();
    problems.push({
      file: exists(relative) ? relative : path.join('/', groups.file),
      line: parseInt(groups.line),
      column: groups.column ? parseInt(groups.column) : 1,
      severity: severity === 'warning' || severity === 'warn' ? 'warning' :
          severity === 'info'                                 ? 'info' :
                                                                'error',
      message: groups.message,
      code: groups.code,
    });
  }
  return problems;
}

const MATCHER_FIELDS = ['file', 'line', 'column', 'severity', 'code', 'message', 'fromPath'];

/**
 * Why the runner refuses a matcher file, or nothing.
 * @param {{problemMatcher: {owner: string, severity?: string, pattern: Pattern[]}[]}} file
 */
function refusalOf(file) {
  for (const {owner, severity, pattern} of file.problemMatcher) {
    if (!owner) return 'owner must not be empty';
    if (!/^(|error|warning|notice)$/i.test(severity ?? '')) return `severity "${severity}"`;
    if (!pattern?.length) return 'no patterns';
    const set = new Set();
    for (const one of pattern) {
      const groups = /** @type {RegExpExecArray} */ (new RegExp(`${one.regexp}|`).exec('')).length;
      for (const [field, group] of Object.entries(one)) {
        if (field === 'regexp') continue;
        if (!MATCHER_FIELDS.includes(field)) return `unknown field ${field}`;
        if (set.has(field)) return `${field} is set twice`;
        if (!(Number(group) >= 0 && Number(group) < groups)) return `${field} is out of range`;
        set.add(field);
      }
    }
    if (!set.has('message')) return 'at least one pattern must set "message"';
  }
  return undefined;
}

/**
 * The annotations that GitHub's runner makes of a step's output.
 * @param {{pattern: Pattern[]}} matcher
 * @param {string} output
 * @param {(file: string) => boolean} exists in the repository; otherwise the file is left out
 */
function annotationsOf(matcher, output, exists) {
  const annotations = [];
  for (const line of output.split(/\r?\n/)) {
    const groups = groupsOf(matcher.pattern[0], line.replace(/\x1b\[[0-9;]*m?/g, ''));
    if (!groups || !groups.message) continue;
    const type = groups.severity ? groups.severity.toLowerCase() : 'error';
    if (!['error', 'warning', 'notice'].includes(type)) continue;
    annotations.push({
      file: groups.file && exists(groups.file) ? groups.file : undefined,
      line: Number(groups.line),
      column: Number(groups.column),
      type,
      message: groups.message,
      code: groups.code,
    });
  }
  return annotations;
}

module.exports = {
  annotationsOf,
  problemsOf,
  refusalOf
};
