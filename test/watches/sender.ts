import type { NetworkClient } from '../../src/net/network-client.ts';
import { openNetworkClient } from '../../src/net/open-network-client.ts';
import { OwnerWatchBook } from '../../src/watches/book/owner-watch-book.ts';
import { DeliveryWorker } from '../../src/watches/delivery/delivery-worker.ts';
import type { MailSender } from '../../src/watches/delivery/mail-sender.ts';
import { sendDelivery } from '../../src/watches/delivery/send-delivery.ts';
import type { WatchStore } from '../../src/watches/store/create-watch-store.ts';
import { openWatchStore } from '../../src/watches/store/open-watch-store.ts';
import { temporaryFolder } from '../operations/fixture-catalog.ts';
import { sampleEvent } from './sample-watch.ts';

export const START = Date.UTC(2026, 10, 20, 12);
export const LOOPBACK_ALLOWED = ['127.0.0.0/8'];

export interface SenderOptions {
  /** Networks that may be reached although they are private; default: loopback. */
  allowedPrivate?: readonly string[];
  dnsServers?: readonly string[];
  mail?: MailSender | null;
  ownerProblem?: (owner: string) => string | null;
  store?: WatchStore;
}

/** A store with its sender and a clock, for the tests of deliveries. */
export async function openSender(owner: { after(end: () => unknown): void }, options: SenderOptions = {}) {
  const { allowedPrivate = LOOPBACK_ALLOWED, dnsServers = [], mail = null, ownerProblem = () => null } = options;
  const clock = { ms: START };
  const now = (): Date => new Date(clock.ms);
  const settings = { dataDir: temporaryFolder(), secret: null, databaseUrl: null };
  const store = options.store ?? (await openWatchStore(settings, now));
  const net: NetworkClient = openNetworkClient({ dnsServers, allowedPrivate, proxy: null, extraCa: [] });
  const problems: Error[] = [];
  const onProblem = (problem: Error): void => void problems.push(problem);
  const queue = await store.openQueue(onProblem);
  const deps = { deliveries: store.deliveries, net, mail, now, ownerProblem: async (of: string) => ownerProblem(of) };
  const worker = new DeliveryWorker({ queue, onProblem, send: (id) => sendDelivery(id, deps), pollIntervalMs: 20 });
  owner.after(async () => {
    await queue.close();
    await store.close();
    await net.close();
  });
  const book = new OwnerWatchBook('key:sender', {
    store,
    rules: { allowedPrivate: LOOPBACK_ALLOWED, mailTo: ['example.com'] },
    now,
  });
  return {
    clock,
    store,
    book,
    worker,
    problems,
    /** Sends what is due now. */
    send: () => worker.runOnce(new AbortController().signal),
    /** Has a watch be told events with these numbers. */
    async tell(watchId: string, ...numbers: number[]): Promise<void> {
      const from = await store.matches.readCursor();
      const to = { historyId: 'h', seq: (from?.seq ?? 0) + 1, seenAt: clock.ms };
      const watch = await book.get(watchId);
      await store.matches.commitMatches(from, to, [
        { watch, events: numbers.map((number) => sampleEvent(watchId, number)) },
      ]);
    },
    async deliveries(watchId: string) {
      return (await book.deliveries(watchId, { state: null, limit: 100, offset: 0 })).deliveries;
    },
  };
}
