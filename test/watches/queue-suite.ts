import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OwnerWatchBook } from '../../src/watches/book/owner-watch-book.ts';
import { DeliveryWorker } from '../../src/watches/delivery/delivery-worker.ts';
import type { DeliveryQueue } from '../../src/watches/delivery/delivery-queue.ts';
import type { WatchStore } from '../../src/watches/store/create-watch-store.ts';
import type { WatchSchedule } from '../../src/analysis/watch/watch.ts';
import { eventually } from '../support/engines.ts';
import { AT_ONCE, givenWatch, HOOK, sampleEvent } from './sample-watch.ts';

/**
 * What every queue of deliveries must do; it is tested with the real clock. `sharesLanes`: two processes never send two deliveries of one lane at
 * once.
 */
export function queueSuite(driver: string, sharesLanes: boolean, openStore: () => Promise<WatchStore>): void {
  describe(`queue of deliveries: ${driver}`, async () => {
    const store = await openStore();
    const problems: Error[] = [];
    const onProblem = (problem: Error): void => void problems.push(problem);
    const queues: DeliveryQueue[] = [await store.openQueue(onProblem), await store.openQueue(onProblem)];
    const [queue] = queues as [DeliveryQueue];
    after(async () => {
      for (const each of queues) await each.close();
      await store.close();
    });
    const now = (): Date => new Date();
    const book = new OwnerWatchBook('key:queue', { store, rules: { allowedPrivate: [], mailTo: null }, now });

    test('hands out one delivery of a lane at a time, and the next when it is done', async () => {
      const watchId = await tell({ channels: 20 });
      const delivered = new Set<string>();
      while (delivered.size < 20) {
        const taken = await takeAll(1, 100);
        const lanes = taken.map(({ lane }) => lane);
        assert.ok(taken.length <= 4 && new Set(lanes).size === taken.length, 'a host has four lanes');
        const others = await queue.take(100, lanes);
        assert.ok(others.every(({ lane }) => !lanes.includes(lane)));
        for (const each of [...taken, ...others]) {
          await deliver(each.deliveryId);
          await queue.done(each);
          delivered.add(each.deliveryId);
        }
      }
      assert.deepEqual(await queue.take(10, []), []);
      const { total } = await book.deliveries(watchId, { state: 'delivered', limit: 1, offset: 0 });
      assert.equal(total, 20);
    });

    test('hands out nothing before it is due, nor what was put back', async () => {
      const schedule = { ...AT_ONCE, when: 'daily', at: timeInHours(-1) } as const;
      await tell({ schedule });
      assert.deepEqual(await queue.take(10, []), []);
      await tell({});
      const [taken] = await takeAll(1);
      const claim = await store.deliveries.claim(taken!.deliveryId);
      assert.equal(claim.kind, 'send');
      const dueAt = Date.now() + 1500;
      if (claim.kind === 'send')
        await store.deliveries.finish(claim.claimed, { state: 'pending', dueAt, error: 'HTTP 500' });
      await queue.done(taken!);
      assert.deepEqual(await queue.take(10, []), []);
      const [again] = await takeAll(1);
      assert.ok(Date.now() >= dueAt - 50, 'not earlier');
      assert.equal(again?.deliveryId, taken!.deliveryId);
      await queue.putBack(again!, Date.now() + 3_600_000);
      await store.deliveries.claim(again!.deliveryId);
      assert.deepEqual(await queue.take(10, []), []);
    });

    test('nothing is handed out of a transaction that was rolled back', async () => {
      const { watch } = await book.create(givenWatch());
      const from = await store.matches.readCursor();
      const broken = { ...sampleEvent(watch.id, 1), seen_at: null as unknown as string };
      const matches = [
        { watch, events: [sampleEvent(watch.id, 2)] },
        { watch, events: [broken] },
      ];
      await assert.rejects(store.matches.commitMatches(from, { historyId: 'h', seq: 999, seenAt: 1 }, matches));
      assert.deepEqual(await queue.take(10, []), []);
      assert.deepEqual(await store.matches.readCursor(), from);
    });

    test('messages that wait for one channel are joined, and sent once', async () => {
      const { watch } = await book.create(givenWatch());
      for (const number of [1, 2]) {
        const from = await store.matches.readCursor();
        const to = { historyId: 'h', seq: (from?.seq ?? 0) + 1, seenAt: 1 };
        await store.matches.commitMatches(from, to, [{ watch, events: [sampleEvent(watch.id, number)] }]);
      }
      const [taken] = await takeAll(1);
      const claim = await store.deliveries.claim(taken!.deliveryId);
      await queue.done(taken!);
      assert.equal(claim.kind, 'send');
      if (claim.kind !== 'send') return;
      assert.equal(claim.claimed.events.length, 2);
      assert.notEqual(claim.claimed.delivery.id, taken!.deliveryId);
      // Its claim holds for a minute.
      const again = await queue.take(10, []);
      for (const each of again) {
        assert.equal((await store.deliveries.claim(each.deliveryId)).kind, 'nothing', 'the other part is gone');
        await queue.done(each);
      }
      await store.deliveries.finish(claim.claimed, { state: 'delivered' });
    });

    test('two workers send each of 200 deliveries once', async () => {
      for (let count = 0; count < 10; count++) await tell({ channels: 20 });
      const sent: string[] = [];
      const lanes = new Map<string, number>();
      const stop = new AbortController();
      const send = async (deliveryId: string): Promise<number | null> => {
        const claim = await store.deliveries.claim(deliveryId);
        if (claim.kind !== 'send') return claim.kind === 'later' ? claim.at : null;
        const { delivery, lane } = claim.claimed;
        const inLane = (lanes.get(lane) ?? 0) + 1;
        lanes.set(lane, inLane);
        // Two that ask for work in the same moment may each get one of a lane.
        if (sharesLanes && inLane > queues.length) problems.push(new Error(`${inLane} of one lane are sent at once`));
        await new Promise((resolve) => setImmediate(resolve));
        lanes.set(lane, lanes.get(lane)! - 1);
        sent.push(delivery.id);
        await store.deliveries.finish(claim.claimed, { state: 'delivered' });
        return null;
      };
      const workers = queues.map((each) =>
        new DeliveryWorker({ queue: each, onProblem, pollIntervalMs: 20, send }).run(stop.signal),
      );
      try {
        await eventually(() => sent.length >= 200, 'all are sent');
      } finally {
        stop.abort();
        await Promise.all(workers);
      }
      assert.equal(new Set(sent).size, 200);
      assert.equal(sent.length, 200);
      assert.deepEqual(problems, []);
    });

    /** A message to each channel of a new watch; its id. */
    async function tell({
      channels = 1,
      schedule = AT_ONCE,
    }: {
      channels?: number;
      schedule?: WatchSchedule;
    }): Promise<string> {
      const { watch } = await book.create(
        givenWatch({ schedule, channels: Array.from({ length: channels }, () => HOOK) }),
      );
      const from = await store.matches.readCursor();
      const to = { historyId: 'h', seq: (from?.seq ?? 0) + 1, seenAt: 1 };
      assert.equal(await store.matches.commitMatches(from, to, [{ watch, events: [sampleEvent(watch.id, 1)] }]), true);
      return watch.id;
    }

    async function deliver(id: string): Promise<void> {
      const claim = await store.deliveries.claim(id);
      assert.equal(claim.kind, 'send');
      if (claim.kind === 'send') await store.deliveries.finish(claim.claimed, { state: 'delivered' });
    }

    /** At least `count`, when they are due. */
    async function takeAll(count: number, limit = count) {
      const taken = await queue.take(limit, []);
      const more = async (): Promise<boolean> => taken.push(...(await queue.take(limit, []))) >= count;
      if (taken.length < count) await eventually(more, 'it is due', 20_000);
      return taken;
    }
  });
}

/** The time of day in UTC in some hours: `HH:MM`. */
function timeInHours(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
}
