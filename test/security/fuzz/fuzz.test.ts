import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingText, fuzz } from './fuzz.ts';
import { SEEDS } from './seeds.ts';

const REQUESTS = 10_000;
const MEGABYTE = 1024 * 1024;
/** In ten thousand requests caches still fill; a leak of a kilobyte a request is seen. */
const MAX_HEAP_GROWTH = 10 * MEGABYTE;

test(`${REQUESTS} requests from the schemas, and all that once went wrong: nothing that is not declared`, async () => {
  const { findings, statuses, errorLines, memory } = await fuzz({ requests: REQUESTS, seed: 20_261_122, seeds: SEEDS });
  assert.deepEqual(findings.map(findingText), []);
  assert.deepEqual(errorLines, []);
  // A fuzzer that only ever meets one refusal shows nothing.
  for (const met of ['rest 200', 'rest 400', 'rest 404', 'rest 422', 'mcp 200', 'mcp 400']) {
    assert.ok((statuses[met] ?? 0) > 20, `${met}: ${statuses[met] ?? 0}`);
  }
  const [early, late] = [memory[1]!.heapBytes, memory.at(-1)!.heapBytes];
  assert.ok(late - early < MAX_HEAP_GROWTH, `${Math.round((late - early) / MEGABYTE)} MB more`);
});
