import { CompiledQuery } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { entryModuleUrl } from '../../program-files.ts';
import type { DeliveryQueue, QueuedDelivery } from '../delivery/delivery-queue.ts';
import { DELIVERY_LOCK_MS, type DeliveryStore } from '../store/delivery-store.ts';
import type { DueDelivery, WatchTransaction } from '../store/store-context.ts';

const QUEUE = 'watch_delivery';
const SCHEMA = 'watch_queue';
/** Entries of one statement. */
const ENTRIES_PER_STATEMENT = 1000;
/** Deliveries that are due for this long and that nobody has lost their entry; it is written again. */
const LOST_AFTER_MS = 5 * 60_000;
const LOST_INTERVAL_MS = 60_000;
const LOST_LIMIT = 100;
const STOP_TIMEOUT_MS = 2000;
/** Of pg-boss itself: for what it does beside our transactions. */
const CONNECTIONS = 2;

interface Entry {
  deliveryId: string;
}

/**
 * The queue of deliveries that replicas share: pg-boss, in the PostgreSQL of the watches. Entries are written in the transaction of what they
 * stand for. An entry whose worker died is handed out again after a minute.
 */
export class BossQueue implements DeliveryQueue {
  readonly #boss: PgBoss;
  readonly #deliveries: Pick<DeliveryStore, 'listDue'>;
  readonly #now: () => Date;
  readonly #lostTimer: NodeJS.Timeout;

  private constructor(
    boss: PgBoss,
    deliveries: Pick<DeliveryStore, 'listDue'>,
    now: () => Date,
    onProblem: (problem: Error) => void,
  ) {
    this.#boss = boss;
    this.#deliveries = deliveries;
    this.#now = now;
    this.#lostTimer = setInterval(() => void this.#findLost().catch(onProblem), LOST_INTERVAL_MS).unref();
  }

  /** Opens the queue for who sends. */
  static async open(
    url: string,
    deliveries: Pick<DeliveryStore, 'listDue'>,
    now: () => Date,
    onProblem: (problem: Error) => void,
  ): Promise<BossQueue> {
    return new BossQueue(await startBoss(url, true, onProblem), deliveries, now, onProblem);
  }

  async take(limit: number, busyLanes: readonly string[]): Promise<QueuedDelivery[]> {
    if (limit <= 0) return [];
    const jobs = await this.#boss.fetch<Entry>(QUEUE, {
      batchSize: limit,
      groupConcurrency: 1,
      ignoreGroups: [...busyLanes],
    });
    return jobs.map(({ id, data, groupId }) => ({ deliveryId: data.deliveryId, lane: groupId ?? id, entryId: id }));
  }

  async done({ entryId }: QueuedDelivery): Promise<void> {
    await this.#boss.complete(QUEUE, entryId);
  }

  async putBack(taken: QueuedDelivery, at: number): Promise<void> {
    await insertEntries(this.#boss, [{ id: taken.deliveryId, lane: taken.lane, dueAt: at }]);
    await this.done(taken);
  }

  async close(): Promise<void> {
    clearInterval(this.#lostTimer);
    await this.#boss.stop({ graceful: false, timeout: STOP_TIMEOUT_MS });
  }

  /** A second entry of a delivery does no harm: only one claims it. */
  async #findLost(): Promise<void> {
    const before = this.#now().getTime() - LOST_AFTER_MS;
    const due = await this.#deliveries.listDue(LOST_LIMIT, []);
    await insertEntries(
      this.#boss,
      due.filter(({ dueAt }) => dueAt < before),
    );
  }
}

/** Writes entries for who does not send. It is started by the first one. */
export class BossWriter {
  readonly #url: string;
  #boss: Promise<PgBoss> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** In the given transaction. */
  async enqueue(transaction: WatchTransaction, due: readonly DueDelivery[]): Promise<void> {
    this.#boss ??= startBoss(this.#url, false, () => {});
    const boss = await this.#boss.catch((error: unknown) => {
      this.#boss = null;
      throw error;
    });
    const executeSql = async (sql: string, values: unknown[] = []) => {
      const { rows } = await transaction.executeQuery(CompiledQuery.raw(sql, values));
      return { rows };
    };
    await insertEntries(boss, due, { executeSql });
  }

  async close(): Promise<void> {
    const boss = await this.#boss?.catch(() => null);
    await boss?.stop({ graceful: false, timeout: STOP_TIMEOUT_MS });
  }
}

async function insertEntries(
  boss: PgBoss,
  due: readonly DueDelivery[],
  db?: { executeSql(sql: string, values?: unknown[]): Promise<{ rows: unknown[] }> },
): Promise<void> {
  for (let start = 0; start < due.length; start += ENTRIES_PER_STATEMENT) {
    const entries = due.slice(start, start + ENTRIES_PER_STATEMENT).map(({ id, lane, dueAt }) => ({
      data: { deliveryId: id } satisfies Entry,
      startAfter: new Date(dueAt),
      group: { id: lane },
    }));
    await boss.insert(QUEUE, entries, db && { db });
  }
}

/** `supervises`: hands out again what a worker did not finish. */
async function startBoss(url: string, supervises: boolean, onProblem: (problem: Error) => void): Promise<PgBoss> {
  const library = entryModuleUrl('watches/postgres/pg-boss.ts').href;
  const { PgBoss: Boss } = (await import(library)) as typeof import('./pg-boss.ts');
  const boss = new Boss({
    connectionString: url,
    schema: SCHEMA,
    max: CONNECTIONS,
    application_name: 'sextant',
    connectionTimeoutMillis: 1000,
    schedule: false,
    supervise: supervises,
    superviseIntervalSeconds: 60,
  });
  boss.on('error', onProblem);
  await boss.start();
  // What fails is decided by the delivery itself: an entry is only handed out again where its worker died.
  await boss.createQueue(QUEUE, {
    retryLimit: 1000,
    expireInSeconds: DELIVERY_LOCK_MS / 1000,
    deleteAfterSeconds: 3600,
  });
  return boss;
}
