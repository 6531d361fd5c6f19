import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { waitForIdleLoop } from '../../src/engine/wait-for-idle-loop.ts';

const patient = new AbortController().signal;

function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('those who come at once begin one after another', async () => {
  const begun: number[] = [];
  await Promise.all(
    [0, 1, 2].map((which) => waitForIdleLoop(patient).then(() => begun.push(which, performance.now()))),
  );
  assert.deepEqual([begun[0], begun[2], begun[4]], [0, 1, 2]);
  assert.ok(begun[5]! - begun[1]! >= 8, 'a tick each');
});

test('a busy thread is waited for, but not for ever', async () => {
  const started = performance.now();
  const turn = waitForIdleLoop(patient).then(() => performance.now() - started);
  for (let count = 0; count < 25; count++) {
    keepBusy(20);
    await nextTurn();
  }
  const waited = await turn;
  assert.ok(waited >= 20 && waited < 5000, `${waited} ms`);
});

test('whoever is gone does not wait', async () => {
  await waitForIdleLoop(patient);
  const started = performance.now();
  await waitForIdleLoop(AbortSignal.abort());
  assert.ok(performance.now() - started < 1000);
});
