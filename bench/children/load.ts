import { setTimeout as sleep } from 'node:timers/promises';
import { KeepAliveClient } from '../http-client.ts';
import type { LoadResult, LoadTask } from '../load.ts';
import { Dice } from '../statistics.ts';

let until = 0;

async function run({ port, questions, connections, seconds, pauseMs }: LoadTask): Promise<LoadResult> {
  const latencies: number[] = [];
  const dice = new Dice(connections);
  let next = 0;
  let failures = 0;
  const started = performance.now();
  until = started + seconds * 1000;
  const ask = async (): Promise<void> => {
    const client = new KeepAliveClient(port, { keepBodies: false });
    if (pauseMs > 0) await sleep(dice.next() * pauseMs);
    for (let now = performance.now(); now < until; now = performance.now()) {
      const { status } = await client.ask(questions[next++ % questions.length]!);
      latencies.push(Math.round((performance.now() - now) * 1000) / 1000);
      if (status !== 200) failures++;
      if (pauseMs > 0) await sleep(dice.next() * 2 * pauseMs);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, ask));
  return { requests: latencies.length, seconds: (performance.now() - started) / 1000, latencies, failures };
}

process.on('message', (message: LoadTask | 'finish') => {
  if (message === 'finish') until = 0;
  else run(message).then((result) => process.send!(result));
});
