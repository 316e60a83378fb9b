// @ts-check
// cudadoctor in VS Code: the command "Diagnose build log" and tasks of type "cudadoctor".
'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs/promises');
const path = require('node:path');
const vscode = require('vscode');
const {BuildTerminal} = require('./build_task');
const {diagnosticsOf} = require('./diagnostics');
const {ProgramError, Run} = require('./program');

const SETTING = 'cudadoctor.path';

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  const problems = vscode.languages.createDiagnosticCollection('cudadoctor');
  const channel = vscode.window.createOutputChannel('cudadoctor');

  /** @type {import('./build_task').Show} */
  const show = async (report, log, text) => {
    const entries = await diagnosticsOf(report, log, text);
    problems.clear();
    for (const [uri, diagnostics] of entries) {
      problems.set(uri, [...(problems.get(uri) ?? []), ...diagnostics]);
    }
  };

  context.subscriptions.push(
      problems, channel,
      vscode.commands.registerCommand(
          'cudadoctor.diagnoseLog',
          (/** @type {vscode.Uri | undefined} */ file) =>
              reportErrors(() => diagnoseLog(file, channel, show))),
      vscode.tasks.registerTaskProvider('cudadoctor', {
        provideTasks: () => [],
        resolveTask: (task) => resolveTask(task, context, show),
      }));
}

/**
 * @param {vscode.Uri | undefined} file from a menu
 * @param {vscode.OutputChannel} channel
 * @param {import('./build_task').Show} show
 */
async function diagnoseLog(file, channel, show) {
  const log = await chooseLog(file);
  if (!log) return;
  const {uri, text} = log;
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.workspaceFolders?.[0];
  const run = new Run(program(uri), {
    cwd: folder?.uri.fsPath,
    file: text === undefined ? uri.fsPath : undefined,
    host: 'none',  // a log may come from anywhere
  });
  if (text !== undefined) run.write(Buffer.from(text, 'utf8'));
  const answer = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: 'cudadoctor reads the log',
        cancellable: true,
      },
      (_, cancellation) => {
        cancellation.onCancellationRequested(() => run.stop());
        return run.finish().catch((error) => {
          if (!cancellation.isCancellationRequested) throw error;
        });
      });
  if (!answer) return;
  await show(answer.report, uri, text);
  channel.clear();
  channel.append(answer.text);
  channel.show(true);
}

/**
 * The log to diagnose: a file, else the active editor's text, else a file that the user picks.
 * @param {vscode.Uri | undefined} file
 * @returns {Promise<{uri: vscode.Uri, text?: string} | undefined>} without text: one that VS Code
 *     does not open, compressed or too large
 */
async function chooseLog(file) {
  const editor = vscode.window.activeTextEditor;
  if (!file && editor) return {uri: editor.document.uri, text: editor.document.getText()};
  const uri = file ?? (await vscode.window.showOpenDialog({title: 'Build log'}))?.[0];
  if (!uri) return undefined;
  try {
    return {uri, text: (await vscode.workspace.openTextDocument(uri)).getText()};
  } catch (error) {
    return {uri};
  }
}

/**
 * @param {vscode.Task} task from tasks.json
 * @param {vscode.ExtensionContext} context
 * @param {import('./build_task').Show} show
 */
function resolveTask(task, context, show) {
  const scope = task.scope ?? vscode.TaskScope.Workspace;
  const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
  const cwd = folder?.uri.fsPath;
  // Only the definition given to the callback has its ${variables} replaced.
  const execution = new vscode.CustomExecution(async (definition) => {
    const {command, log} = definition;
    if ((command === undefined) === (log === undefined)) {
      throw new Error('a task of type "cudadoctor" has either "command" or "log"; see tasks.json');
    }
    return new BuildTerminal(
        {
          program: definition.path || program(folder?.uri),
          cwd,
          command,
          log: log === undefined ? await keptLog(context, `${cwd} ${command}`) :
                                   path.resolve(cwd ?? '.', log),
        },
        show);
  });
  return new vscode.Task(task.definition, scope, task.name, 'cudadoctor', execution);
}

/**
 * Where the output of a task's command is kept, so that a problem has a line to lead to.
 * @param {vscode.ExtensionContext} context
 * @param {string} identity of the task: each has one log
 */
async function keptLog(context, identity) {
  const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
  await fs.mkdir(folder, {recursive: true});
  const name = crypto.createHash('sha256').update(identity).digest('hex').slice(0, 8);
  return path.join(folder, `build-${name}.log`);
}

/** @param {vscode.Uri | undefined} scope */
function program(scope) {
  return vscode.workspace.getConfiguration(undefined, scope).get(SETTING) || 'cudadoctor';
}

/** @param {() => Promise<void>} action */
async function reportErrors(action) {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    // Not waited for: the message stays until the user closes it.
    void showError(error);
  }
}

/** @param {ProgramError} error */
async function showError(error) {
  const openSettings = 'Open Settings';
  const chosen = await vscode.window.showErrorMessage(
      `cudadoctor: ${error.message}`, ...(error.isMissing ? [openSettings] : []));
  if (chosen === openSettings) {
    await vscode.commands.executeCommand('workbench.action.openSettings', SETTING);
  }
}

module.exports = {activate};
