// @ts-check
// The terminal of a task: runs a command, or reads a log, and has cudadoctor diagnose it.
'use strict';

const childProcess = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const {StringDecoder} = require('node:string_decoder');
const vscode = require('vscode');
const {Run} = require('./program');

/**
 * @typedef {{program: string, cwd?: string, command?: string, log: string}} Task `log`: the file
 *     that is diagnosed, or that the command's output is kept in; absolute
 * @typedef {(report: import('./program').Report, log: vscode.Uri, text?: string) => Promise<void>}
 *     Show
 */

const USAGE = 2;  // cudadoctor's own status for it

/** @implements {vscode.Pseudoterminal} */
class BuildTerminal {
  /**
   * @param {Task} task
   * @param {Show} show what is done with a report
   */
  constructor(task, show) {
    this.task = task;
    this.show = show;
    this.writer = new vscode.EventEmitter();
    this.closer = new vscode.EventEmitter();
    this.onDidWrite = this.writer.event;
    this.onDidClose = this.closer.event;
    this.isClosed = false;
    /** @type {childProcess.ChildProcess | undefined} */
    this.child = undefined;
    /** @type {import('./program').Run | undefined} */
    this.run = undefined;
  }

  open() {
    const {command} = this.task;
    (command === undefined ? this.diagnoseLog() : this.build(command)).catch((error) => {
      this.print(`cudadoctor: ${error.message}\n`);
      this.end(USAGE);
    });
  }

  close() {
    this.isClosed = true;
    this.signal('SIGTERM');
    this.run?.stop();
  }

  /** @param {string} data typed by the user */
  handleInput(data) {
    if (data === '\x03') this.signal('SIGINT');
  }

  /** @param {NodeJS.Signals} name sent to the command and all that it started */
  signal(name) {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch (error) {
      // It has ended.
    }
  }

  /** @param {string} text */
  print(text) {
    this.writer.fire(text.replace(/\r?\n/g, '\r\n'));
  }

  /** @param {number} status */
  end(status) {
    if (!this.isClosed) this.closer.fire(status);
  }

  async diagnoseLog() {
    const {program, cwd, log} = this.task;
    this.run = new Run(program, {cwd, file: log});
    const {report, text} = await this.run.finish();
    this.print(text);
    await this.show(report, vscode.Uri.file(log), await textOf(log));
    this.end(report.diagnoses.some((diagnosis) => diagnosis.role !== 'latent') ? 1 : 0);
  }

  /** @param {string} command */
  async build(command) {
    const {program, cwd, log} = this.task;
    const run = new Run(program, {cwd});
    this.run = run;
    const status = await this.runCommand(command, run);
    try {
      const {report, text} = await run.finish();
      if (this.isClosed) return;
      // Of a build that passed, nothing is said.
      if (status !== 0) this.print(`\n${text}`);
      await this.show(
          status === 0 ? {...report, diagnoses: []} : report, vscode.Uri.file(log),
          await textOf(log));
    } catch (error) {
      this.print(`cudadoctor: ${/** @type {Error} */ (error).message}\n`);
    }
    this.end(status);
  }

  /**
   * @param {string} command
   * @param {import('./program').Run} run gets the output
   * @returns {Promise<number>} the command's exit status, as a shell has it
   */
  runCommand(command, run) {
    return new Promise((resolve, reject) => {
      const file = fs.createWriteStream(this.task.log, {mode: 0o600});
      file.on('error', reject);
      // One pipe for both streams keeps their order; a group of its own can be ended whole.
      const child = childProcess.spawn('/bin/sh', ['-c', `exec 2>&1\n${command}`], {
        cwd: this.task.cwd,
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      this.child = child;
      const decoder = new StringDecoder('utf8');
      child.stdout.on('data', (bytes) => {
        this.print(decoder.write(bytes));
        file.write(bytes);
        run.write(bytes);
      });
      child.on('error', reject);
      child.on('close', (status, signal) => {
        this.child = undefined;
        this.print(decoder.end());
        const shellStatus = status ?? 128 + (signal ? os.constants.signals[signal] : 0);
        file.end(() => resolve(shellStatus));
      });
    });
  }
}

/**
 * @param {string} file
 * @returns {Promise<string | undefined>} nothing for one that is not UTF-8 text, compressed say
 */
async function textOf(file) {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(await fs.promises.readFile(file));
  } catch (error) {
    return undefined;
  }
}

module.exports = {BuildTerminal};
