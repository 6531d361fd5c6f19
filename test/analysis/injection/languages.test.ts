import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkInjectionInThisThread } from '../../../src/threads/check-injection-in-this-thread.ts';
import { detectLanguage, LANGUAGES, languageNamed } from '../../../src/analysis/injection/languages.ts';
import { labelledSnippets } from './labelled.ts';
import { cpuMs } from '../../support/cpu-time.ts';

describe('languages', () => {
  test('are known by their usual names', () => {
    for (const [names, language] of [
      ['js javascript jsx mjs JavaScript', 'javascript'],
      ['ts typescript tsx', 'typescript'],
      ['py python Python3', 'python'],
      ['java', 'java'],
      ['php', 'php'],
      ['go golang', 'go'],
      ['rb ruby', 'ruby'],
      ['cs csharp c# C#', 'csharp'],
    ] as const) {
      for (const name of names.split(' ')) assert.equal(languageNamed(name)?.name, language, name);
    }
    for (const name of ['rust', 'c', 'kotlin', '', 'javascriptt', '__proto__']) assert.equal(languageNamed(name), null);
  });

  test('no name is that of two', () => {
    const names = LANGUAGES.flatMap(({ aliases }) => aliases);
    assert.equal(new Set(names).size, names.length);
  });

  test('a file is taken for what it is', () => {
    const files = new Map<string, string>();
    for (const { language, code } of labelledSnippets()) {
      files.set(language, `${files.get(language) ?? ''}${code}\n`);
    }
    for (const [language, code] of files) {
      const seen = detectLanguage(code)?.name;
      assert.ok(seen === language || (language === 'typescript' && seen === 'javascript'), `${language} as ${seen}`);
    }
  });

  test('what could be anything is taken for nothing', () => {
    for (const text of ['', 'x', 'a = b', '\0\0\0', 'SELECT * FROM users', '{"a": 1}', 'the quick brown fox']) {
      assert.equal(detectLanguage(text), null, text);
    }
  });

  test('looking for signs is quick, whatever the text', () => {
    for (const piece of [
      '\n',
      ' ',
      '\t\n',
      'def a(',
      'def a()',
      '):',
      '@a(',
      '@a()\n',
      'import a',
      'import ',
      'class ',
      'const a:',
    ]) {
      const started = cpuMs();
      detectLanguage(piece.repeat(600_000 / piece.length));
      const taken = cpuMs() - started;
      assert.ok(taken < 1000, `${JSON.stringify(piece)} took ${taken.toFixed(0)} ms`);
    }
  });
});

test('TypeScript with JSX is read by the second grammar, in each form that an element has', async () => {
  for (const element of ['<b>{req.query.a}</b>', '<b title={c} />', '<></>', '<a.b>\n</a.b>']) {
    const code = `const of = <T,>(c: T) => c as unknown as string;\nexport const a = (c: string) => ${element};\n`;
    const { parse_errors, analysis } = await checkInjectionInThisThread({ code, language: 'typescript' });
    assert.deepEqual([parse_errors, analysis], [0, 'syntax_tree'], element);
  }
});
