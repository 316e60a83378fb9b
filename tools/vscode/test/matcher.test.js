// @ts-check
// The lines of --format gcc in the problem matchers of VS Code and GitHub, against --format json.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const {ROOT, FAILURE, folderOf, logsOf, outputOf} = require('./cudadoctor');
const {annotationsOf, problemsOf, refusalOf} = require('./problem_matcher');

const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, '../package.json'), 'utf8'));
const github = JSON.parse(
    fs.readFileSync(path.join(ROOT, 'tools/github-action/problem-matcher.json'), 'utf8'));
const [ours] = manifest.contributes.problemPatterns;
// The matcher $gcc of the extension ms-vscode.cpptools, which tasks for C++ have.
const cpptools = {
  regexp: '^(.*?):(\\d+):(\\d*):?\\s+(?:fatal\\s+)?(warning|error):\\s+(.*)$',
  file: 1,
  line: 2,
  column: 3,
  severity: 4,
  message: 5,
};

const logs = ['captured', 'public', 'story', 'variants'].flatMap((set) => logsOf(set, 9));
const lines = outputOf(['--format', 'gcc', ...logs]);
const expected = outputOf(['--format', 'json', ...logs]).trim().split('\n').flatMap((json) => {
  const {input, diagnoses} = JSON.parse(json);
  return diagnoses.map((/** @type {any} */ diagnosis) => ({log: input.name, diagnosis}));
});
const exists = (/** @type {string} */ file) => fs.existsSync(file);

/**
 * @param {{file: string, line: number, column: number}} place
 * @param {{log: string, diagnosis: any}} one
 */
function assertPlace({file, line, column}, {log, diagnosis}) {
  const inLog = {file: log, line: diagnosis.evidence[0].line, column: diagnosis.evidence[0].column};
  const places = [inLog];
  for (const {source} of diagnosis.evidence) {
    if (source) places.push({...source, column: source.column ?? 1});
  }
  // Windows' sources are named with '/' in lines, and a source may be told from its folder on.
  assert.ok(
      places.some(
          (place) => place.line === line && place.column === column &&
              place.file.replace(/\\/g, '/').endsWith(file)),
      `${file}:${line}:${column} of ${diagnosis.cause} in ${log}`);
}

test('the corpus has diagnoses to compare', () => assert.ok(expected.length > 30));

for (const [name, pattern] of Object.entries({ours, cpptools})) {
  test(`VS Code's matcher with the pattern ${name}`, () => {
    const problems = problemsOf(pattern, lines, ROOT, exists);
    assert.strictEqual(problems.length, expected.length);
    problems.forEach((problem, index) => {
      const {log, diagnosis} = expected[index];
      const file =
          problem.file.startsWith(ROOT) ? path.relative(ROOT, problem.file) : problem.file.slice(1);
      assertPlace({...problem, file}, {log, diagnosis});
      assert.strictEqual(problem.severity, diagnosis.role === 'root' ? 'error' : 'warning');
      if (name === 'ours') assert.strictEqual(problem.code, diagnosis.cause);
      assert.ok(!problem.message.includes('\n'));
    });
  });
}

test('GitHub accepts the matcher file', () => {
  assert.strictEqual(refusalOf(github), undefined);
  assert.strictEqual(github.problemMatcher[0].owner, 'cudadoctor');
});

const refused = {
  'an owner': {owner: '', pattern: [{regexp: '(.)', message: 1}]},
  'a group that is there': {owner: 'x', pattern: [{regexp: '(.)', message: 2}]},
  'a message': {owner: 'x', pattern: [{regexp: '(.)', file: 1}]},
};
for (const [what, matcher] of Object.entries(refused)) {
  test(
      `a matcher file needs ${what}`,
      () => assert.ok(refusalOf(/** @type {any} */ ({problemMatcher: [matcher]}))));
}

test('GitHub annotates each line', () => {
  const annotations = annotationsOf(github.problemMatcher[0], lines, () => true);
  assert.strictEqual(annotations.length, expected.length);
  annotations.forEach((annotation, index) => {
    const {diagnosis} = expected[index];
    assertPlace({...annotation, file: annotation.file ?? ''}, expected[index]);
    assert.strictEqual(annotation.type, diagnosis.role === 'root' ? 'error' : 'warning');
    assert.strictEqual(annotation.code, diagnosis.cause);
  });
});

const single = [
  ['a.log:1:2: error: t; fix: f [c-d]', ['a.log', 1, 2, 'error', 't; fix: f', 'c-d']],
  ['my logs/b 1.log:10:1: warning: t [c]', ['my logs/b 1.log', 10, 1, 'warning', 't', 'c']],
  ['C:/x/a.log:1:2: error: t [c]', ['C:/x/a.log', 1, 2, 'error', 't', 'c']],
  ['<stdin>:3:1: error: a [b] c [d]', ['<stdin>', 3, 1, 'error', 'a [b] c', 'd']],
  ['a.log:1:2: note: t [c]', undefined],
  ['x.cu:1:2: error: expected a ";"', undefined],
  ['Collecting torch', undefined],
];
for (const [line, want] of single) {
  test(`one line: ${line}`, () => {
    const [problem] = problemsOf(ours, String(line), '/w', () => true);
    assert.deepStrictEqual(
        problem &&
            [
              path.relative('/w', problem.file), problem.line, problem.column, problem.severity,
              problem.message, problem.code
            ],
        want);
    const [annotation] = annotationsOf(github.problemMatcher[0], String(line), () => true);
    assert.deepStrictEqual(
        annotation &&
            [
              annotation.file, annotation.line, annotation.column, annotation.type,
              annotation.message, annotation.code
            ],
        want);
  });
}

test('a line in the name of a log makes no second problem', (context) => {
  const name = 'x.cu:1:1: error: forged [forged]\n.log';
  const folder = folderOf(context, {[name]: FAILURE});
  const output = outputOf(['--format', 'gcc', name], folder);
  assert.strictEqual(output.trim().split('\n').length, 1);
  assert.strictEqual(problemsOf(ours, output, folder, exists).length, 1);
});
