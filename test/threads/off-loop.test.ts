import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { INLINE_BELOW_SIZE, runTask } from '../../src/threads/run-task.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CODE = 'nothing = here\n';

test('gives the same inline and in a thread', async () => {
  const input = { code: CODE, language: 'auto' };
  const inline = await runTask('secrets', input, { inputSize: INLINE_BELOW_SIZE - 1 });
  assert.deepEqual(await runTask('secrets', input, { inputSize: INLINE_BELOW_SIZE }), inline);
  assert.deepEqual(await runTask('secrets', input), inline);
});

test('a signal that was aborted is heard', async () => {
  const gone = new Error('gone');
  await assert.rejects(runTask('secrets', { code: CODE, language: 'auto' }, { signal: AbortSignal.abort(gone) }), gone);
});

test('a process with idle threads ends by itself, and works where it was started through a link, as npx does', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sextant-threads-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['src', 'package.json']) cpSync(join(ROOT, name), join(folder, 'real', name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'real', 'node_modules'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const program = join(folder, 'ask.mjs');
  writeFileSync(
    program,
    `import { runTask } from './link/src/threads/run-task.ts';
const { total } = await runTask('secrets', { code: ${JSON.stringify(CODE)}, language: 'auto' });
console.log('total', total);`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 120_000 });
  assert.equal(stderr, '');
  assert.equal(stdout, 'total 0\n');
  assert.equal(status, 0);
});
