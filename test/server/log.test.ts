import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const LOG = join(import.meta.dirname, '../../src/log.ts');

/** What a process writes to standard error that makes a logger and does `work`. */
function logOf(work: string): Record<string, unknown>[] {
  const program = `const { createLogger } = await import(${JSON.stringify(LOG)}); const log = createLogger({ logLevel: 'info', logFormat: 'json', explicitVariables: new Set() }); ${work}`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  assert.equal(status, 0, stderr);
  return stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test('every line is written, in order, also by a process that exits at once', () => {
  // 20,000 lines are several blocks.
  const lines = logOf(
    'for (let n = 0; n < 20000; n++) log.info({ n }); log.warn({ n: 20000 }); log.info({ n: 20001 }); process.exit();',
  );
  assert.deepEqual(
    lines.map(({ n }) => n),
    Array.from({ length: 20_002 }, (_, n) => n),
  );
  assert.deepEqual([...new Set(lines.map(({ level }) => level))], [30, 40]);
});

test('a process that ends by itself, or asks for it, has written its lines', () => {
  assert.equal(logOf('log.info("a"); log.info("b");').length, 2);
  assert.equal(logOf('log.info("a"); log.flush(); log.info("b");').length, 2);
});
