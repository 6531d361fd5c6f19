import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { CompletionShell } from '../../../src/cli/completion/shells.ts';
import { sextant, temporaryFolder } from '../command-line.ts';

/** What each shell itself offers at the end of a line. */

const TIMEOUT_MS = 120_000;
const folder = temporaryFolder();
const scripts: Record<string, string> = {};

before(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = await sextant(['completion', shell], {});
    assert.equal(status, 0);
    scripts[shell] = join(folder, `completion.${shell}`);
    writeFileSync(scripts[shell], stdout);
  }
  writeFileSync(join(folder, 'the only file'), '');
});

function run(program: string, words: readonly string[]): string[] {
  const { stdout, stderr, status } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return stdout.split('\n').filter((line) => line !== '');
}

function skipWithout(shell: CompletionShell): { skip: string | false } {
  return { skip: spawnSync(shell, ['--version']).error === undefined ? false : `no ${shell}` };
}

/** The last word of a line is the one to complete. */
function completeInBash(...words: string[]): string[] {
  const program = `source "$0"; compopt() { :; }; COMP_WORDS=(sextant "$@"); COMP_CWORD=$#; _sextant; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return run('bash', ['--norc', '-c', program, scripts['bash']!, ...words]);
}

describe('in bash', skipWithout('bash'), () => {
  test('commands, and those below a command', () => {
    assert.deepEqual(completeInBash('cve-s'), ['cve-search']);
    assert.deepEqual(completeInBash('catalog', ''), ['info', 'export', 'import', 'keygen', 'publish', 'update']);
    assert.deepEqual(completeInBash('help', 'affected'), ['affected-check']);
    assert.ok(completeInBash('').includes('sigma-search'));
  });

  test('options of the command, wherever others stand', () => {
    assert.deepEqual(completeInBash('--json', 'catalog', 'export', '--s'), ['--sign']);
    assert.deepEqual(completeInBash('cve-search', '--severity', 'HIGH', '--epss-m'), ['--epss-min']);
    assert.deepEqual(completeInBash('--vers'), ['--version']);
  });

  test('values of options, also after an equals sign, and of arguments', () => {
    assert.deepEqual(completeInBash('cve-search', '--severity', 'C'), ['CRITICAL']);
    assert.deepEqual(completeInBash('cve-search', '--severity', '=', 'C'), ['CRITICAL']);
    assert.deepEqual(completeInBash('cve-search', '--severity', '='), ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']);
    assert.deepEqual(completeInBash('completion', 'z'), ['zsh']);
    assert.deepEqual(completeInBash('cve-search', '--product', ''), []);
  });

  test('files where a file is meant, and only there', () => {
    assert.deepEqual(completeInBash('check', 'the'), ['the only file']);
    assert.deepEqual(completeInBash('catalog', 'import', '--verify', 'the'), ['the only file']);
    assert.deepEqual(completeInBash('lookup', 'the'), []);
  });
});

test('in zsh', skipWithout('zsh'), () => {
  const lines = {
    'sextant cve-s': 'sextant cve-search ',
    'sextant catalog exp': 'sextant catalog export ',
    'sextant help affected': 'sextant help affected-check ',
    // The shell takes the sign away where a blank follows.
    'sextant catalog export --si': 'sextant catalog export --sign=',
    'sextant cve-search --severity C': 'sextant cve-search --severity CRITICAL ',
    'sextant cve-search --severity=C': 'sextant cve-search --severity=CRITICAL ',
    'sextant completion z': 'sextant completion zsh ',
    'sextant check the': 'sextant check the\\ only\\ file ',
    'sextant lookup the': 'sextant lookup the',
  };
  const completed = run('zsh', [
    '-f',
    join(import.meta.dirname, 'complete.zsh'),
    scripts['zsh']!,
    ...Object.keys(lines),
  ]);
  assert.deepEqual(completed, Object.values(lines));
});

describe('in fish', skipWithout('fish'), () => {
  const complete = (line: string): string[] =>
    run('fish', ['--no-config', '-c', `source ${scripts['fish']}; complete -C ${JSON.stringify(line)}`]).map(
      (row) => row.split('\t')[0]!,
    );

  test('commands, options, values and files', () => {
    assert.deepEqual(complete('sextant cve-s'), ['cve-search']);
    assert.deepEqual(complete('sextant catalog '), ['export', 'import', 'info', 'keygen', 'publish', 'update']);
    assert.deepEqual(complete('sextant catalog export --si'), ['--sign']);
    assert.deepEqual(complete('sextant cve-search --severity C'), ['CRITICAL']);
    assert.deepEqual(complete('sextant completion z'), ['zsh']);
    assert.deepEqual(complete('sextant check the'), ['the only file']);
    assert.deepEqual(complete('sextant lookup the'), []);
  });
});

test('another shell is refused, with those that there are', async () => {
  const { status, stderr } = await sextant(['completion', 'powershell'], {});
  assert.equal(status, 2);
  assert.match(stderr, /bash, zsh, fish/);
});
