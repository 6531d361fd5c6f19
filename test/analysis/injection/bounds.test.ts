import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LANGUAGES } from '../../../src/analysis/injection/languages.ts';
import { checkInjectionInThisThread } from '../../../src/threads/check-injection-in-this-thread.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const SIZE = 512 * 1024;
/** Far under the ten seconds that a thread has for a question. */
const WITHIN_MS = 8000;

const fill = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);

const WORST: readonly (readonly [language: string, piece: string])[] = [
  ...LANGUAGES.map(({ name }) => [name, '('] as const),
  ['javascript', '"'],
  ['php', '"'],
  ['javascript', 'if (a) { '],
  ['javascript', 'a + '],
  ['javascript', 'f(x => '],
  ['javascript', '.b(c)'],
  ['typescript', 'a<'],
  ['typescript', '<a>'],
  ['python', 'f(x => '],
  ['python', '\0'],
  ['php', 'else if (x) { q += y; } '],
  ['ruby', 'begin '],
  ['java', 'f(x -> '],
  ['go', 'func '],
  ['csharp', 'a ? '],
];

describe('half a megabyte of what is worst', () => {
  for (const [language, piece] of WORST) {
    test(`${language}: ${JSON.stringify(piece)}`, async () => {
      const started = cpuMs();
      const { parse_errors, gaps } = await checkInjectionInThisThread({ code: fill(piece), language });
      const taken = cpuMs() - started;
      assert.ok(taken < WITHIN_MS, `${taken.toFixed(0)} ms`);
      // What could not be read whole is said so.
      if (parse_errors !== 0) assert.ok(gaps.length > 0);
    });
  }

  test('all of Unicode, and binary', async () => {
    const every = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).join('');
    const binary = Array.from({ length: SIZE / 2 }, (_, at) => String.fromCharCode((at * 7919) % 256)).join('');
    for (const code of [every, binary]) {
      for (const language of ['js', 'python', 'ruby', null]) {
        assert.deepEqual((await checkInjectionInThisThread({ code, language })).findings, []);
      }
    }
  });
});

describe('the time for parsing', () => {
  const code = "db.query('SELECT ' + req.query.a);\n".repeat(500);

  test('what other processes take does not count', async ({ mock }) => {
    let calls = 0;
    mock.method(performance, 'now', () => (calls++ === 0 ? 0 : 5000));
    assert.equal((await checkInjectionInThisThread({ code, language: 'js' })).analysis, 'syntax_tree');
    assert.ok(calls > 1, 'the clock was read while parsing');
  });

  test('a thread that gets no CPU time ends its parsing', async ({ mock }) => {
    let calls = 0;
    mock.method(performance, 'now', () => (calls++ === 0 ? 0 : 60_000));
    assert.equal((await checkInjectionInThisThread({ code, language: 'js' })).analysis, 'patterns');
  });

  test('too much CPU time ends the parsing', async ({ mock }) => {
    mock.method(process, 'threadCpuUsage', () => ({ user: 2_000_000, system: 600_000 }));
    assert.equal((await checkInjectionInThisThread({ code, language: 'js' })).analysis, 'patterns');
  });
});

describe('what is not read to its end', () => {
  test('a parser that ran out of memory is replaced', async () => {
    const { analysis, gaps } = await checkInjectionInThisThread({ code: fill('a<'), language: 'typescript' });
    assert.equal(analysis, 'patterns');
    assert.match(gaps[0]!, /too much time or memory/);
    const { findings } = await checkInjectionInThisThread({
      code: 'db.query("SELECT " + req.query.a)',
      language: 'typescript',
    });
    assert.equal(findings.length, 1);
  });

  test('nesting: what lies outside of it is found', async () => {
    const deep = `${'['.repeat(1000)}1${']'.repeat(1000)}`;
    const code = `const a = ${deep};\napp.get('/', (req, res) => { db.query('SELECT ' + req.query.a); });\n`;
    const { findings, gaps } = await checkInjectionInThisThread({ code, language: 'js' });
    assert.deepEqual(
      findings.map(({ line, id }) => [line, id]),
      [[2, 'sql_injection']],
    );
    assert.match(gaps.join(), /nested so deeply/);
  });

  test('a sum of ten thousand parts is no nesting', async () => {
    const code = `app.get('/', (req, res) => { db.query('SELECT ' + ${"'a' + ".repeat(10_000)}req.query.a); });`;
    const { findings, gaps } = await checkInjectionInThisThread({ code, language: 'js' });
    assert.deepEqual([findings.length, gaps], [1, []]);
  });

  test('errors in the text: what can be parsed is still found', async () => {
    const code = "const = ;\napp.get('/', (req, res) => {\n  db.query('SELECT ' + req.query.a);\n});\nconst )";
    const { findings, parse_errors, analysis } = await checkInjectionInThisThread({ code, language: 'js' });
    assert.deepEqual([findings[0]?.line, analysis], [3, 'syntax_tree']);
    assert.ok(parse_errors! > 0);
  });

  test('a language that is named wrongly is read line by line', async () => {
    const code = Array.from({ length: 40 }, (_, at) => `fn f${at}(a: &str) -> Result<(), E> { let b = a?; b.c()? }`);
    code.push('let q = format!("SELECT * FROM users WHERE name = \'{}\'", name);');
    const { findings, analysis, gaps } = await checkInjectionInThisThread({
      code: code.join('\n'),
      language: 'python',
    });
    assert.equal(analysis, 'patterns');
    assert.deepEqual([findings[0]?.line, findings[0]?.id], [41, 'sql_injection']);
    assert.match(gaps[0]!, /not python that can be parsed/);
  });
});
