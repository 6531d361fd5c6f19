import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Counters, ConsumeRequest } from '../../src/access/counters.ts';

/** A driver of counters under test: two connections to one engine, and a way to let time pass there. */
export interface CountersUnderTest {
  one: Counters;
  other: Counters;
  elapse: (seconds: number) => Promise<void>;
  close: () => Promise<void>;
}

/** What every driver of `Counters` must do. Each test counts under names of its own. */
export function countersSuite(driver: string, open: () => Promise<CountersUnderTest>): void {
  describe(`counters: ${driver}`, async () => {
    const { one, other, elapse, close } = await open();
    after(close);

    const WINDOW = { limit: 10, windowSeconds: 3600 };
    const whole = (amount: number, more: Partial<ConsumeRequest> = {}): ConsumeRequest => ({
      ...WINDOW,
      amount,
      allOrNothing: true,
      ...more,
    });
    const some = (amount: number, more: Partial<ConsumeRequest> = {}): ConsumeRequest => ({
      ...WINDOW,
      amount,
      allOrNothing: false,
      ...more,
    });
    let names = 0;
    const fresh = (): string => `test:${process.pid}:${driver}:${++names}`;

    test('all of an amount or nothing: what is refused takes nothing', async () => {
      const name = fresh();
      assert.deepEqual(pick(await one.consume(name, whole(7))), [7, 3]);
      assert.deepEqual(pick(await one.consume(name, whole(6))), [0, 3]);
      assert.deepEqual(pick(await one.consume(name, whole(3))), [3, 0]);
      assert.deepEqual(pick(await one.consume(name, whole(1))), [0, 0]);
    });

    test('as many as are left', async () => {
      const name = fresh();
      assert.deepEqual(pick(await one.consume(name, some(7))), [7, 3]);
      assert.deepEqual(pick(await one.consume(name, some(6))), [3, 0]);
      assert.deepEqual(pick(await one.consume(name, some(6))), [0, 0]);
      assert.deepEqual(pick(await one.consume(fresh(), some(50))), [10, 0]);
    });

    test('more than the limit, all or nothing, is refused and opens no window', async () => {
      const name = fresh();
      assert.deepEqual(await one.consume(name, whole(11)), { granted: 0, remaining: 10, resetSeconds: 3600 });
      assert.deepEqual(await one.peek(name, WINDOW), { granted: 0, remaining: 10, resetSeconds: 3600 });
      await one.consume(name, whole(4));
      assert.deepEqual(pick(await one.consume(name, whole(11))), [0, 6]);
    });

    test('looking takes nothing and opens nothing', async () => {
      const name = fresh();
      for (let count = 0; count < 3; count++) {
        assert.deepEqual(await one.peek(name, WINDOW), { granted: 0, remaining: 10, resetSeconds: 3600 });
      }
      await one.consume(name, whole(4));
      assert.deepEqual(pick(await one.peek(name, WINDOW)), [0, 6]);
      assert.deepEqual(pick(await one.peek(name, WINDOW)), [0, 6]);
    });

    test('what is given back can be taken again, and nothing more', async () => {
      const name = fresh();
      await one.consume(name, whole(10));
      assert.equal((await one.refund(name, 4, WINDOW)).remaining, 4);
      assert.deepEqual(pick(await one.consume(name, whole(4))), [4, 0]);
      assert.equal((await one.refund(name, 50, WINDOW)).remaining, 10);
      const nobody = fresh();
      assert.deepEqual(await one.refund(nobody, 5, WINDOW), { granted: 0, remaining: 10, resetSeconds: 3600 });
      assert.deepEqual(pick(await one.consume(nobody, whole(10))), [10, 0]);
    });

    test('names do not touch each other', async () => {
      const [a, b] = [fresh(), fresh()];
      await one.consume(a, whole(10));
      assert.deepEqual(pick(await one.consume(b, whole(10))), [10, 0]);
    });

    test('both connections see one window', async () => {
      const name = fresh();
      await one.consume(name, whole(6));
      assert.deepEqual(pick(await other.peek(name, WINDOW)), [0, 4]);
      assert.deepEqual(pick(await other.consume(name, whole(4))), [4, 0]);
      assert.deepEqual(pick(await one.consume(name, whole(1))), [0, 0]);
      await other.refund(name, 1, WINDOW);
      assert.deepEqual(pick(await one.consume(name, whole(1))), [1, 0]);
    });

    test('a window opens with its first token, ends after its time, and then all is free', async () => {
      const name = fresh();
      const short = { limit: 3, windowSeconds: 2 };
      assert.equal((await one.consume(name, whole(1, short))).resetSeconds, 2);
      await elapse(1);
      const second = await one.consume(name, whole(2, short));
      assert.deepEqual(pick(second), [2, 0]);
      assert.equal(second.resetSeconds, 1);
      assert.deepEqual(pick(await one.consume(name, whole(1, short))), [0, 0]);
      await elapse(1.1);
      assert.deepEqual(await one.peek(name, short), { granted: 0, remaining: 3, resetSeconds: 2 });
      assert.deepEqual(await one.consume(name, whole(3, short)), { granted: 3, remaining: 0, resetSeconds: 2 });
    });

    test('refused calls do not lengthen the window', async () => {
      const name = fresh();
      const short = { limit: 1, windowSeconds: 2 };
      await one.consume(name, whole(1, short));
      await elapse(1);
      await one.consume(name, whole(1, short));
      await elapse(1.1);
      assert.equal((await one.consume(name, whole(1, short))).granted, 1);
    });

    test('a limit that was lowered since leaves nothing, not less than nothing', async () => {
      const name = fresh();
      await one.consume(name, whole(10));
      assert.deepEqual(pick(await one.peek(name, { ...WINDOW, limit: 4 })), [0, 0]);
      assert.deepEqual(pick(await one.consume(name, some(2, { limit: 4 }))), [0, 0]);
      assert.deepEqual(pick(await one.consume(name, whole(5, { limit: 20 }))), [5, 5]);
    });

    test('2,000 over both connections, 200 at once: exactly the limit', async () => {
      for (const request of [whole(1, { limit: 500 }), some(3, { limit: 500 })]) {
        const name = fresh();
        let granted = 0;
        // More at once take longer than a connection waits for an answer, on a busy machine.
        for (let round = 0; round < 10; round++) {
          const takes = Array.from({ length: 200 }, async (_, count) =>
            (count % 2 === 0 ? one : other).consume(name, request),
          );
          for (const taken of await Promise.all(takes)) granted += taken.granted;
        }
        assert.equal(granted, 500);
        assert.equal((await one.peek(name, request)).remaining, 0);
      }
    });
  });
}

function pick({ granted, remaining }: { granted: number; remaining: number }): [number, number] {
  return [granted, remaining];
}
