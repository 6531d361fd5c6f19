import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OwnerWatchBook } from '../../src/watches/book/owner-watch-book.ts';
import type { MatchCursor } from '../../src/watches/store/watch-store.ts';
import type { WatchStore } from '../../src/watches/store/create-watch-store.ts';
import { AT_ONCE, givenWatch, HOOK, sampleEvent } from './sample-watch.ts';

const START = Date.UTC(2026, 10, 20, 12);
const PUBLIC_ONLY = { allowedPrivate: [], mailTo: ['example.com'] };
const HISTORY = 'a'.repeat(32);

/**
 * Two connections to one store that was empty before, which read the given clock. `canWait`: one waits for the other without blocking this
 * process.
 */
export type OpenStores = (
  now: () => Date,
) => Promise<{ one: WatchStore; other: WatchStore; canWait: boolean; close: () => Promise<void> }>;

/** What every store of watches must do. */
export function storeSuite(driver: string, open: OpenStores): void {
  describe(`watches: ${driver}`, async () => {
    const clock = { ms: START };
    const now = (): Date => new Date(clock.ms);
    const { one, other, canWait, close } = await open(now);
    after(close);
    let owners = 0;
    const book = (owner = `key:owner${++owners}`, store = one) =>
      new OwnerWatchBook(owner, { store, rules: PUBLIC_ONLY, now });
    const cursorAt = (seq: number): MatchCursor => ({ historyId: HISTORY, seq, seenAt: START });

    test('a watch is found as it was given, by its owner alone', async () => {
      const mine = book('key:mine');
      const given = givenWatch({ name: 'build', schedule: { ...AT_ONCE, quiet: { from: '22:00', to: '07:00' } } });
      const { watch, secrets } = await mine.create(given);
      assert.match(watch.id, /^wat_[a-z2-7]{20}$/);
      const [channel] = watch.channels;
      assert.deepEqual(channel, { id: channel!.id, ...HOOK });
      assert.match(secrets[channel!.id]!, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const again = await book('key:mine', other).get(watch.id);
      assert.deepEqual(again, watch);
      assert.deepEqual(again.subject, given.subject);
      assert.deepEqual(again.schedule, given.schedule);
      for (const act of [
        () => book('key:other').get(watch.id),
        () => book('key:other').delete(watch.id),
        () => book('key:other').update(watch.id, { name: 'mine now' }),
        () => book('key:other').events(watch.id, { after: null, since: null, limit: 1 }),
        () => book('key:other').deliveries(watch.id, { state: null, limit: 1, offset: 0 }),
        () => book('key:other').test(watch.id),
        () => book('key:other').replay(watch.id, now(), null),
      ])
        await assert.rejects(act, { code: 'not_found' });
      assert.deepEqual(await book('key:other').list(), []);
      assert.equal((await mine.get(watch.id)).name, 'build');
    });

    test('a watch is found by its keys, unless it is paused', async () => {
      const mine = book();
      const { watch } = await mine.create(givenWatch({ subject: { kind: 'cve', cve_id: 'CVE-2021-44228' } }));
      const find = async () =>
        (await other.matches.findByKeys(['cve:CVE-2021-44228', 'cve:CVE-2014-0160'])).map(({ id }) => id);
      assert.deepEqual(await find(), [watch.id]);
      await mine.update(watch.id, { isPaused: true });
      assert.deepEqual(await find(), []);
      await mine.update(watch.id, { isPaused: false, subject: { kind: 'cve', cve_id: 'CVE-2014-0160' } });
      assert.deepEqual(await find(), [watch.id]);
      assert.deepEqual(await one.matches.findByKeys(['cve:CVE-2021-44228']), []);
    });

    test('watches of one key come in pages', async () => {
      const subject = { kind: 'vendor', vendor: 'pagesoft' } as const;
      const mine = book();
      for (let count = 0; count < 5; count++) await mine.create(givenWatch({ subject }));
      const all = (await one.matches.findByKeys(['vendor:pagesoft'])).map(({ id }) => id);
      assert.equal(all.length, 5);
      const first = await one.matches.findByKeys(['vendor:pagesoft'], { afterId: '', limit: 3 });
      const second = await one.matches.findByKeys(['vendor:pagesoft'], { afterId: first.at(-1)!.id, limit: 3 });
      assert.deepEqual(
        [...first, ...second].map(({ id }) => id),
        all,
      );
    });

    test('only one of two passes over the same changes is written', async () => {
      const mine = book();
      const { watch } = await mine.create(givenWatch());
      const from = await one.matches.readCursor();
      const to = cursorAt((from?.seq ?? 0) + 5);
      const matches = [{ watch, events: [sampleEvent(watch.id, 1), sampleEvent(watch.id, 2)] }];
      const written = await bothCommit(from, to, matches);
      assert.deepEqual(written.toSorted(), [false, true]);
      assert.deepEqual(await other.matches.readCursor(), to);
      assert.equal(await one.matches.commitMatches(from, cursorAt(to.seq + 1), matches), false);
      const { events, next, hasMore } = await mine.events(watch.id, { after: null, since: null, limit: 10 });
      assert.deepEqual(events, matches[0]!.events);
      assert.equal(hasMore, false);
      assert.deepEqual(await mine.events(null, { after: next, since: null, limit: 10 }), {
        events: [],
        next,
        hasMore: false,
      });
      const { total, deliveries } = await mine.deliveries(watch.id, { state: 'pending', limit: 10, offset: 0 });
      assert.equal(total, 1);
      assert.deepEqual(deliveries[0]!.eventIds.toSorted(), events.map(({ id }) => id).toSorted());
      assert.match(deliveries[0]!.id, /^msg_[0-9a-f]{32}$/);
      assert.deepEqual((await mine.get(watch.id)).lastEventAt, now());
    });

    test('what was kept already is neither kept nor delivered again', async () => {
      const mine = book();
      const { watch } = await mine.create(givenWatch());
      await commit([{ watch, events: [sampleEvent(watch.id, 1)] }]);
      await commit([{ watch, events: [sampleEvent(watch.id, 1), sampleEvent(watch.id, 2)] }]);
      const { deliveries } = await mine.deliveries(watch.id, { state: null, limit: 10, offset: 0 });
      assert.deepEqual(deliveries.map(({ eventIds }) => eventIds).toSorted(), [
        [sampleEvent(watch.id, 1).id],
        [sampleEvent(watch.id, 2).id],
      ]);
    });

    test('at most 100 events are in one message', async () => {
      const mine = book();
      const { watch } = await mine.create(givenWatch({ channels: [HOOK, { kind: 'email', to: 'team@example.com' }] }));
      await commit([{ watch, events: Array.from({ length: 205 }, (_, number) => sampleEvent(watch.id, number)) }]);
      const { deliveries } = await mine.deliveries(watch.id, { state: null, limit: 10, offset: 0 });
      const sizes = deliveries.map(({ eventIds }) => eventIds.length).toSorted((a, b) => a - b);
      assert.deepEqual(sizes, [5, 5, 100, 100, 100, 100]);
    });

    test('the status of a CVE that was told last is kept; an older one does not replace it', async () => {
      const mine = book();
      const { watch } = await mine.create(givenWatch());
      const at = (day: number) => `2026-11-${day}T00:00:00.000Z`;
      await commit([{ watch, events: [sampleEvent(watch.id, 1, { status: 'affected', seen_at: at(20) })] }]);
      const other_ = {
        ...sampleEvent(watch.id, 2, { status: 'unknown', seen_at: at(10) }),
        about: sampleEvent(watch.id, 1).about,
      };
      await commit([{ watch, events: [other_] }]);
      const cveId = 'CVE-2026-1001';
      const pairs = [
        { watchId: watch.id, cveId },
        { watchId: watch.id, cveId: 'CVE-2026-9999' },
      ];
      assert.deepEqual(await other.matches.lastTold(pairs), [{ watchId: watch.id, cveId, status: 'affected' }]);
    });

    test('a deleted watch takes all of it along, and events for it are dropped', async () => {
      const mine = book();
      const { watch } = await mine.create(givenWatch());
      await commit([{ watch, events: [sampleEvent(watch.id, 1)] }]);
      await mine.delete(watch.id);
      await assert.rejects(mine.get(watch.id), { code: 'not_found' });
      await commit([{ watch, events: [sampleEvent(watch.id, 2)] }]);
      assert.deepEqual((await mine.events(null, { after: null, since: null, limit: 10 })).events, []);
      assert.deepEqual(await one.owners.findDeliveries(watch.id, []), []);
    });

    test('one of several processes matches, another when it does not hold on to it', async () => {
      const hold = (store: WatchStore, holder: string) => store.matches.holdMatching(holder, 60_000);
      assert.equal(await hold(one, 'a'), true);
      assert.equal(await hold(other, 'b'), false);
      clock.ms += 50_000;
      assert.equal(await hold(one, 'a'), true);
      clock.ms += 50_000;
      assert.equal(await hold(other, 'b'), false);
      clock.ms += 10_001;
      assert.equal(await hold(other, 'b'), true);
      assert.equal(await hold(one, 'a'), false);
      assert.equal(await other.matches.holdMatching('b', 0), true);
      assert.equal(await hold(one, 'a'), true);
    });

    test('domains are examined by one process only, when they are due', async () => {
      const mine = book();
      const { watch } = await mine.create(givenWatch({ subject: { kind: 'domain', domain: 'example.com' } }));
      assert.deepEqual(watch.nextExaminationAt, now());
      const claims = await Promise.all([one, other].map(({ matches }) => matches.claimExaminations(now(), 10)));
      assert.deepEqual(
        claims.flat().map(({ watch: { id }, snapshot }) => [id, snapshot]),
        [[watch.id, null]],
      );
      const nextAt = new Date(START + 86_400_000);
      const event = sampleEvent(watch.id, 1, { about: { kind: 'domain', domain: 'example.com' }, status: null });
      await one.matches.commitExamination(watch.id, { snapshot: { grade: 'B' }, nextAt, events: [event] });
      assert.deepEqual((await mine.get(watch.id)).nextExaminationAt, nextAt);
      assert.deepEqual(await other.matches.claimExaminations(now(), 10), []);
      const [claimed] = await other.matches.claimExaminations(nextAt, 10);
      assert.deepEqual(claimed?.snapshot, { grade: 'B' });
      assert.deepEqual((await mine.events(watch.id, { after: null, since: null, limit: 5 })).events, [event]);
    });

    async function bothCommit(...commit: Parameters<WatchStore['matches']['commitMatches']>): Promise<boolean[]> {
      const commits = [one, other].map(
        ({ matches }) =>
          () =>
            matches.commitMatches(...commit),
      );
      if (canWait) return Promise.all(commits.map((run) => run()));
      return [await commits[0]!(), await commits[1]!()];
    }

    async function commit(matches: Parameters<WatchStore['matches']['commitMatches']>[2]): Promise<void> {
      const from = await one.matches.readCursor();
      assert.equal(await one.matches.commitMatches(from, cursorAt((from?.seq ?? 0) + 1), matches), true);
    }
  });
}
