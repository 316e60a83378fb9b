// @ts-check
// Runs cudadoctor on a log and reads its answer.
'use strict';

const childProcess = require('node:child_process');
const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');

/**
 * @typedef {{line: number, last_line?: number, text: string,
 *            source?: {file: string, line: number, column?: number}}} Evidence
 * @typedef {{title: string, steps: {run?: string, note?: string}[]}} Remedy
 * @typedef {{cause: string, role: string, confidence: string, title: string, evidence: Evidence[],
 *            remedies: Remedy[], references: string[]}} Diagnosis
 * @typedef {{schema: string, diagnoses: Diagnosis[]}} Report of docs/report.schema.json, what is
 *     used here
 */

const SCHEMA = 'cudadoctor.report/1';

/** The program could not be run, or did not answer. The message says what to do. */
class ProgramError extends Error {
  /**
   * @param {string} message
   * @param {boolean} isMissing there is no such program
   */
  constructor(message, isMissing = false) {
    super(message);
    this.isMissing = isMissing;
  }
}

/** One run of cudadoctor. Feed it the log with write(), or name a file; then finish(). */
class Run {
  /**
   * @param {string} program a name of PATH, or a path
   * @param {{cwd?: string, file?: string, host?: string}} options `file`: absolute; without it the
   *     log is what write() is given. `cwd`: the working tree. `host`: the program's --host.
   */
  constructor(program, options = {}) {
    this.program = program;
    this.folder = fs.mkdtemp(path.join(os.tmpdir(), 'cudadoctor-'));
    this.finished = this.folder.then((folder) => this.start(folder, options));
    // Whoever calls finish() sees the rejection; nobody does after stop().
    this.finished.catch(() => {});
    /** @type {Buffer[]} what came before the program was started */
    this.early = [];
    this.isEnded = options.file !== undefined;
    this.isStopped = false;
    /** @type {childProcess.ChildProcess | undefined} */
    this.child = undefined;
  }

  /** @param {Buffer} bytes */
  write(bytes) {
    if (this.child) {
      this.child.stdin?.write(bytes);
    } else {
      this.early.push(bytes);
    }
  }

  /**
   * @returns {Promise<{report: Report, text: string}>} `text` is the report for a person
   * @throws {ProgramError}
   */
  finish() {
    this.isEnded = true;
    this.child?.stdin?.end();
    return this.finished;
  }

  /** Ends the program; finish() then fails. */
  stop() {
    this.isStopped = true;
    this.child?.kill();
  }

  /**
   * @param {string} folder for the report's text
   * @param {{cwd?: string, file?: string, host?: string}} options
   */
  async start(folder, options) {
    const textFile = path.join(folder, 'report.txt');
    const parameters = ['--format', 'json', '--no-redact', '--report', `text=${textFile}`];
    if (options.host !== undefined) parameters.push('--host', options.host);
    if (options.file !== undefined) parameters.push(options.file);
    try {
      const json = await this.outputOf(parameters, options.cwd);
      return {report: parse(json, this.program), text: await fs.readFile(textFile, 'utf8')};
    } finally {
      await fs.rm(folder, {recursive: true, force: true});
    }
  }

  /**
   * @param {string[]} parameters
   * @param {string | undefined} cwd
   * @returns {Promise<string>} standard output
   */
  outputOf(parameters, cwd) {
    return new Promise((resolve, reject) => {
      const child = childProcess.spawn(this.program, parameters, {
        cwd,
        env: {...process.env, COLUMNS: '100', NO_COLOR: '1'},
      });
      this.child = child;
      /** @type {Buffer[]} */
      const output = [];
      /** @type {Buffer[]} */
      const errors = [];
      child.stdout.on('data', (bytes) => output.push(bytes));
      child.stderr.on('data', (bytes) => errors.push(bytes));
      // A program that ends early says why on standard error.
      child.stdin.on('error', () => {});
      child.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
        reject(startError(error, this.program));
      });
      child.on('close', (status) => {
        // 0: no failure, 1: a failure was found; README, "Options".
        if (status === 0 || status === 1) {
          resolve(Buffer.concat(output).toString('utf8'));
        } else {
          const said = Buffer.concat(errors).toString('utf8').trim();
          const ended = status === null ? 'was ended' : `exited with status ${status}`;
          reject(new ProgramError(`${this.program} ${ended}${said && `: ${said}`}`));
        }
      });
      for (const bytes of this.early) child.stdin.write(bytes);
      this.early = [];
      if (this.isEnded) child.stdin.end();
      if (this.isStopped) child.kill();
    });
  }
}

/**
 * @param {NodeJS.ErrnoException} error
 * @param {string} program
 */
function startError(error, program) {
  if (error.code === 'ENOENT' || error.code === 'EACCES') {
    return new ProgramError(
        `there is no program "${program}"; install cudadoctor, or say in the setting ` +
            'cudadoctor.path where it is',
        true);
  }
  return new ProgramError(`${program} cannot be run: ${error.message}`);
}

/**
 * @param {string} json
 * @param {string} program
 * @returns {Report}
 */
function parse(json, program) {
  let report;
  try {
    report = JSON.parse(json);
  } catch (error) {
    report = undefined;
  }
  if (report?.schema !== SCHEMA) {
    throw new ProgramError(`${program} did not print a ${SCHEMA}; is it cudadoctor?`, true);
  }
  return report;
}

module.exports = {
  ProgramError,
  Run
};
