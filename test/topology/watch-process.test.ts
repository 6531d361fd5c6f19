import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { childrenOf, eventually } from '../support/engines.ts';
import { startServe } from '../support/serve-process.ts';
import { startReceiver } from '../watches/receiver.ts';

/** The watch process as it is served: it starts with the first watch, and again where it was killed. */

test('starts with the first watch, and again where it is killed; ends with the service', async (t) => {
  const receiver = await startReceiver(t);
  const service = await startServe({ SEXTANT_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
  t.after(() => service.stop());
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${service.base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  };
  assert.deepEqual(watchProcesses(service.pid), [], 'none without a watch');
  const created = await ask('/v1/watches', {
    subject: { cve_id: 'CVE-2021-44228' },
    channels: [{ url: receiver.url }],
  });
  const { id } = created['watch'] as { id: string };
  const isDelivered = async (): Promise<boolean> => {
    const { deliveries } = (await ask(`/v1/watches/${id}/test`, {})) as { deliveries: { state: string }[] };
    return deliveries.every(({ state }) => state === 'delivered');
  };
  await eventually(isDelivered, 'a test is delivered', 120_000);
  const [pid] = watchProcesses(service.pid) as [number];
  process.kill(pid, 'SIGKILL');
  await eventually(() => watchProcesses(service.pid).some((other) => other !== pid), 'it is started again', 120_000);
  await eventually(isDelivered, 'a test is delivered again', 120_000);
  assert.match(service.log(), /the watch process died/);
  const [last] = watchProcesses(service.pid) as [number];
  assert.equal(await service.stop(), 0);
  await eventually(() => !isRunning(last), 'it has ended');
});

function watchProcesses(pid: number): number[] {
  return childrenOf(pid).filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('watch-process'));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
