/**
 * Matches five changes for one watch and sends what is due, as the watch process does: `<data folder> <watch> <kill at> <minutes later>`. It kills
 * itself before the SQL statement with this number (0: never), and prints how many it ran.
 */
import { DatabaseSync } from 'node:sqlite';
import { openNetworkClient } from '../../../src/net/open-network-client.ts';
import { DeliveryWorker } from '../../../src/watches/delivery/delivery-worker.ts';
import { sendDelivery } from '../../../src/watches/delivery/send-delivery.ts';
import { openWatchStore } from '../../../src/watches/store/open-watch-store.ts';
import { CHANGES, sampleEvent } from '../sample-watch.ts';

const [dataDir, watchId, killAt, minutesLater] = process.argv.slice(2) as [string, string, string, string];
const now = (): Date => new Date(Date.now() + Number(minutesLater) * 60_000);
const store = await openWatchStore({ dataDir, secret: null, databaseUrl: null }, now);

let statements = 0;
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function counted(this: DatabaseSync, sql: string) {
  if (++statements === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  return prepare.call(this, sql);
};

const net = openNetworkClient({ dnsServers: [], allowedPrivate: ['127.0.0.0/8'], proxy: null, extraCa: [] });
const deps = { deliveries: store.deliveries, net, mail: null, ownerProblem: async () => null, now };
const fail = (problem: Error): never => {
  throw problem;
};
const queue = await store.openQueue(fail);
const worker = new DeliveryWorker({ queue, onProblem: fail, send: (id) => sendDelivery(id, deps) });
for (;;) {
  const from = await store.matches.readCursor();
  if ((from?.seq ?? 0) >= CHANGES) break;
  const to = { historyId: 'h', seq: (from?.seq ?? 0) + 1, seenAt: 1 };
  const watches = await store.matches.findByKeys(['package:npm:lodash']);
  const watch = watches.find(({ id }) => id === watchId)!;
  await store.matches.commitMatches(from, to, [{ watch, events: [sampleEvent(watchId, to.seq)] }]);
  // So that some messages are joined, and some are not.
  if (to.seq % 2 === 1) await worker.runOnce(new AbortController().signal);
}
await worker.runOnce(new AbortController().signal);
await store.close();
await net.close();
console.log(statements);
