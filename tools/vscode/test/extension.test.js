// @ts-check
// The extension with the real program, on a stub of VS Code's API.
'use strict';

const assert = require('node:assert');
const childProcess = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {test, beforeEach} = require('node:test');
const zlib = require('node:zlib');
const {CAUSE, FAILURE, PROGRAM, ROOT, SUCCESS, folderOf} = require('./cudadoctor');
const {reset, state, vscode} = require('./vscode_stub');
const {activate} = require('../extension');

const CAPTURED =
    path.join(ROOT, 'corpus/captured/118-cuda-version-mismatch-uv-causal-conv1d/log.txt');
const [ERROR, WARNING] = [0, 1];

/** @param {import('node:test').TestContext} test */
function start(test) {
  const storage = folderOf(test);
  activate(/** @type {any} */ ({subscriptions: [], storageUri: vscode.Uri.file(storage)}));
  return storage;
}

const diagnose = (/** @type {any} */ file = undefined) =>
    state.commands['cudadoctor.diagnoseLog'](file);

/** Makes a text the active editor's. */
function edit(/** @type {string} */ text, /** @type {string} */ file = '/logs/build.log') {
  state.editor = {document: {uri: vscode.Uri.file(file), getText: () => text}};
}

/** The problems, as file, line and text from column on, severity, cause. */
function problems(/** @type {string} */ text = '') {
  const lines = text.split(/\r\n|\r|\n/);
  return [...state.problems].flatMap(([file, list]) => list.map((/** @type {any} */ one) => {
    const {start, end} = one.range;
    const last = start.line === end.line ? end.character : undefined;
    return [
      file, start.line + 1, lines[start.line]?.slice(start.character, last), one.severity,
      one.code.value ?? one.code
    ];
  }));
}

/** A program that is not cudadoctor. */
function scriptOf(/** @type {import('node:test').TestContext} */ test, /** @type {string} */ body) {
  const file = path.join(folderOf(test, {program: `#!/bin/sh\n${body}\n`}), 'program');
  fs.chmodSync(file, 0o755);
  return file;
}

/** Runs a task; its terminal's output and exit status. */
async function runTask(
    /** @type {any} */ definition, /** @type {string | undefined} */ folder,
    /** @type {(terminal: any) => void} */ opened = () => {}) {
  if (folder) state.folders = [folder];
  const task = state.provider.resolveTask({definition, name: 'build', scope: 2});
  const terminal = await task.execution.callback(definition);
  let output = '';
  terminal.onDidWrite((/** @type {string} */ text) => void (output += text));
  const status = await new Promise((resolve) => {
    terminal.onDidClose(resolve);
    terminal.open();
    opened(terminal);
  });
  return {output, status};
}

beforeEach(() => {
  reset();
  state.settings['cudadoctor.path'] = PROGRAM;
});

test('the active editor, a log of a real tool', async (context) => {
  start(context);
  const text = fs.readFileSync(CAPTURED, 'utf8');
  edit(text);
  await diagnose();
  const [[file, line, marked, severity, code]] = problems(text);
  assert.deepStrictEqual([file, line, severity, code], ['/logs/build.log', 78, ERROR, CAUSE]);
  assert.match(marked, /^RuntimeError: \('The detected CUDA version/);
  const [problem] = state.problems.get('/logs/build.log');
  assert.strictEqual(problem.source, 'cudadoctor');
  assert.strictEqual(problem.code.target.scheme, 'https');
  assert.match(
      problem.message,
      /^PyTorch was built with CUDA 12.8, nvcc is CUDA 13.0\nfix: .*\n  sudo apt-get install/);
  assert.match(state.channel, /^causal-conv1d 1.5.2 did not build\n/);
  assert.deepStrictEqual(state.errors, []);
});

test('a log of success takes earlier problems away', async (context) => {
  start(context);
  edit(FAILURE);
  await diagnose();
  assert.strictEqual(problems().length, 1);
  edit(SUCCESS);
  await diagnose();
  assert.deepStrictEqual(problems(), []);
  assert.match(state.channel, /^no failure/);
});

const COMPILE_ERROR = (/** @type {string} */ file) =>
    `$ nvcc -c ${file}\n${file}(5): error: identifier "frobnicate" is undefined\n\n` +
    `1 error detected in the compilation of "${file}".\nmake: *** [Makefile:2: x.o] Error 2\n`;
const sources = [
  ['relative', 'csrc/x.cu', true],
  ['in an installed package', 'lib/site-packages/x.cu', false],
  ['outside the workspace', '../x.cu', false],
  ['that does not exist', 'csrc/y.cu', false],
];
for (const [what, file, isPlace] of /** @type {[string, string, boolean][]} */ (sources)) {
  test(`a source ${what}`, async (context) => {
    start(context);
    const folder =
        folderOf(context, {'w/csrc/x.cu': '', 'w/lib/site-packages/x.cu': '', 'x.cu': ''});
    state.folders = [path.join(folder, 'w')];
    const text = COMPILE_ERROR(file);
    edit(text);
    await diagnose();
    const [[place, line]] = problems(text);
    assert.deepStrictEqual(
        [place, line], isPlace ? [path.join(folder, 'w', file), 5] : ['/logs/build.log', 2]);
    const [problem] = [...state.problems.values()].flat();
    const related = problem.relatedInformation.map(
        (/** @type {any} */ one) => [one.location.uri.fsPath, one.location.range.start.line]);
    assert.strictEqual(
        related.some((/** @type {any} */ at) => at[0] === '/logs/build.log' && at[1] === 1),
        isPlace);
  });
}

test('a line that was redrawn', async (context) => {
  start(context);
  const log = path.join(folderOf(context, {'a.log': `5%\r50%\r100%\r\n${FAILURE}`}), 'a.log');
  const text = fs.readFileSync(log, 'utf8');
  const {status} = await runTask({type: 'cudadoctor', log}, undefined);
  assert.strictEqual(status, 1);
  const [[file, line, marked]] = problems(text);
  assert.strictEqual(file, log);
  // The editor shows three lines where the log has one.
  assert.deepStrictEqual(
      [line, marked],
      [5, 'The detected CUDA version (13.1) mismatches the version that was used to compile']);
});

test('a picked file, none picked, a compressed one', async (context) => {
  start(context);
  await diagnose();
  assert.deepStrictEqual([problems(), state.errors], [[], []]);
  const folder = folderOf(context, {'a.log': FAILURE});
  state.picked = path.join(folder, 'a.log');
  await diagnose();
  assert.strictEqual(problems()[0][0], state.picked);
  const compressed = path.join(folder, 'a.log.gz');
  fs.writeFileSync(compressed, zlib.gzipSync(`\n\n${FAILURE}`));
  edit(SUCCESS);
  await diagnose(vscode.Uri.file(compressed));
  assert.deepStrictEqual(
      problems().map(([file, line, , , code]) => [file, line, code]), [[compressed, 4, CAUSE]]);
});

test('no program: says what to do, and opens the setting', async (context) => {
  start(context);
  edit(FAILURE);
  state.settings['cudadoctor.path'] = 'no-such-cudadoctor';
  state.chosenButton = 'Open Settings';
  await diagnose();
  await new Promise(setImmediate);  // the user reads and clicks
  assert.match(
      state.errors[0], /there is no program "no-such-cudadoctor"; install .*cudadoctor\.path/);
  assert.deepStrictEqual(state.executed, [['workbench.action.openSettings', 'cudadoctor.path']]);
});

const strange = [
  ['is another program', 'cat >/dev/null; echo hello', /did not print a cudadoctor.report\/1/],
  [
    'prints another version', 'cat >/dev/null; echo \'{"schema": "cudadoctor.report/9"}\'',
    /did not print/
  ],
  [
    'refuses its options', 'echo "unknown option" >&2; exit 2',
    /exited with status 2: unknown option/
  ],
  ['is killed', 'kill -9 $$', /was ended/],
];
for (const [what, body, says] of /** @type {[string, string, RegExp][]} */ (strange)) {
  test(`a program that ${what}`, async (context) => {
    start(context);
    edit(FAILURE.repeat(10000));
    state.settings['cudadoctor.path'] = scriptOf(context, body);
    await diagnose();
    assert.match(state.errors[0], says);
    assert.deepStrictEqual(problems(), []);
  });
}

test('a cancelled diagnosis says nothing and ends the program', async (context) => {
  start(context);
  edit(FAILURE);
  state.settings['cudadoctor.path'] = scriptOf(context, 'exec sleep 60');
  state.cancels = true;
  await diagnose();
  assert.deepStrictEqual([state.errors, problems(), state.channel], [[], [], '']);
});

test('a code leads to web pages only', async (context) => {
  start(context);
  const report = {
    schema: 'cudadoctor.report/1',
    diagnoses: [{
      cause: 'x',
      role: 'contributing',
      confidence: 'likely',
      title: 't',
      evidence: [],
      remedies: [],
      references: ['command:workbench.action.quit', 'http://files.example.org/'],
    }],
  };
  state.settings['cudadoctor.path'] =
      scriptOf(context, `cat >/dev/null; : >"\${5#text=}"; echo '${JSON.stringify(report)}'`);
  edit('x');
  await diagnose();
  assert.deepStrictEqual(problems('x'), [['/logs/build.log', 1, '', WARNING, 'x']]);
  assert.strictEqual(state.problems.get('/logs/build.log')[0].message, 't (likely)');
});

test(
    'a task: the command\'s output and status are kept, its problems lead to the log',
    async (context) => {
      const storage = start(context);
      const folder = folderOf(context, {'build.txt': FAILURE});
      const {output, status} = await runTask(
          {type: 'cudadoctor', command: 'pwd; cat build.txt >&2; echo last; exit 7'}, folder);
      assert.strictEqual(status, 7);
      const lines = output.split('\r\n');
      assert.ok(!/[^\r]\n/.test(output));
      assert.deepStrictEqual(lines.slice(0, 5), [folder, ...FAILURE.trim().split('\n'), 'last']);
      assert.ok(lines.some((line) => line.startsWith('cause ')));
      const [[file, line, marked, severity, code]] = problems(`${folder}\n${FAILURE}`);
      assert.strictEqual(path.dirname(file), storage);
      assert.strictEqual(fs.readFileSync(file, 'utf8'), `${folder}\n${FAILURE}last\n`);
      assert.deepStrictEqual([line, severity, code], [3, ERROR, CAUSE]);
      assert.match(marked, /^The detected CUDA version/);
    });

test('a task that passes has no problems, whatever it printed', async (context) => {
  start(context);
  const folder = folderOf(context, {'build.txt': FAILURE});
  const {output, status} = await runTask({type: 'cudadoctor', command: 'cat build.txt'}, folder);
  assert.deepStrictEqual([output, status], [FAILURE.replace(/\n/g, '\r\n'), 0]);
  assert.deepStrictEqual(problems(), []);
});

test('a task whose command is ended by a signal', async (context) => {
  start(context);
  assert.strictEqual(
      (await runTask({type: 'cudadoctor', command: 'kill -TERM $$'}, folderOf(context))).status,
      143);
});

test('a task without the program still builds, and says so', async (context) => {
  start(context);
  const {output, status} = await runTask(
      {type: 'cudadoctor', command: 'echo built; exit 5', path: 'no-such-cudadoctor'},
      folderOf(context));
  assert.strictEqual(status, 5);
  assert.match(output, /^built\r\ncudadoctor: there is no program "no-such-cudadoctor"; install/);
});

test('a character that is split between two reads', async (context) => {
  start(context);
  const folder = folderOf(context);
  const seen = path.join(folder, 'seen');
  childProcess.execFileSync('mkfifo', [seen]);
  const command = 'printf "\\342\\224"; read _ <seen; printf "\\202\\n"';
  let isFirst = true;
  const {output} =
      await runTask({type: 'cudadoctor', command}, folder, (terminal) => terminal.onDidWrite(() => {
        if (isFirst) fs.writeFileSync(seen, '\n');
        isFirst = false;
      }));
  assert.strictEqual(output, '│\r\n');
});

test('Ctrl-C and closing the terminal end the command and what it started', async (context) => {
  start(context);
  const folder = folderOf(context);
  const command = 'echo started; sleep 60; echo never';
  const interrupted = await runTask(
      {type: 'cudadoctor', command}, folder,
      (terminal) => terminal.onDidWrite(() => terminal.handleInput('\x03')));
  assert.strictEqual(interrupted.status, 130);
  assert.ok(!interrupted.output.includes('never'));

  const task = state.provider.resolveTask({definition: {command}, name: 'build', scope: 2});
  const terminal = await task.execution.callback({command});
  await new Promise((resolve) => {
    terminal.onDidWrite(resolve);
    terminal.open();
  });
  const {child} = terminal;
  const closed = new Promise((resolve) => child.on('close', (...how) => resolve(how)));
  terminal.close();
  assert.deepStrictEqual(await closed, [null, 'SIGTERM']);
});

test('a task on a log, relative to the workspace', async (context) => {
  start(context);
  const folder = folderOf(context, {'logs/a.log': FAILURE, 'logs/b.log': SUCCESS});
  const failed = await runTask({type: 'cudadoctor', log: 'logs/a.log'}, folder);
  assert.strictEqual(failed.status, 1);
  assert.match(failed.output, /^cause /m);
  assert.strictEqual(problems()[0][0], path.join(folder, 'logs/a.log'));
  assert.strictEqual((await runTask({type: 'cudadoctor', log: 'logs/b.log'}, folder)).status, 0);
  assert.deepStrictEqual(problems(), []);
  const absent = await runTask({type: 'cudadoctor', log: 'logs/c.log'}, folder);
  assert.strictEqual(absent.status, 2);
  assert.match(absent.output, /exited with status 3: .*c\.log/);
});

for (const definition of [{}, {command: 'true', log: 'a.log'}]) {
  test(
      `a task with ${Object.keys(definition).join(' and ') || 'neither command nor log'}`,
      async (context) => {
        start(context);
        await assert.rejects(
            runTask({type: 'cudadoctor', ...definition}, folderOf(context)),
            /either "command" or "log"/);
      });
}
