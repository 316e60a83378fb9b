// @ts-check
// The program under test, and logs for it.
'use strict';

const childProcess = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.resolve(__dirname, '../../..');
const PROGRAM = process.env.CUDADOCTOR ?? path.join(ROOT, 'build/release/cudadoctor');

/** What one root cause looks like, in the shortest real words. */
const FAILURE = 'RuntimeError:\n' +
    'The detected CUDA version (13.1) mismatches the version that was used to compile\n' +
    'PyTorch (12.8). Please make sure to use the same CUDA versions.\n';
const CAUSE = 'cuda-version-mismatch';
const SUCCESS = 'Successfully installed flash-attn-2.8.3\n';

/**
 * What the program prints.
 * @param {string[]} parameters
 * @param {string} cwd
 */
function outputOf(parameters, cwd = ROOT) {
  const done =
      childProcess.spawnSync(PROGRAM, parameters, {cwd, encoding: 'utf8', maxBuffer: 1 << 28});
  if (done.error) throw done.error;
  if (done.status !== 0 && done.status !== 1) throw new Error(done.stderr);
  return done.stdout;
}

/** Every nth log of a set of the corpus, relative to the root. */
function logsOf(/** @type {string} */ set, /** @type {number} */ every) {
  return fs.readdirSync(path.join(ROOT, 'corpus', set))
      .sort()
      .map((name) => path.join('corpus', set, name, 'log.txt'))
      .filter((_, index) => index % every === 0);
}

/**
 * A folder that is removed after the test.
 * @param {import('node:test').TestContext} test
 * @param {Record<string, string>} files its files and what they hold
 */
function folderOf(test, files = {}) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cudadoctor-test-')));
  test.after(() => fs.rmSync(folder, {recursive: true, force: true}));
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), {recursive: true});
    fs.writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

module.exports = {
  CAUSE,
  FAILURE,
  PROGRAM,
  ROOT,
  SUCCESS,
  folderOf,
  logsOf,
  outputOf
};
