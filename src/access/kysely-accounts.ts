import type { Kysely } from 'kysely';
import type { Accounts, EndpointUsage, ApiKeyRecord, UsageRow } from './accounts.ts';
import { type AccountsTables, type ApiKeyRow, migrateAccounts } from './accounts-schema.ts';

/** Keeps the parameters of one statement well below the limits of SQLite and PostgreSQL. */
const ROWS_PER_STATEMENT = 200;
const KEYS_PER_STATEMENT = 500;

/** Keys and usage in SQL through Kysely, independent of the database. */
export class KyselyAccounts implements Accounts {
  readonly #db: Kysely<AccountsTables>;
  readonly #lockMigration: (db: Kysely<AccountsTables>) => Promise<void>;

  /** `lockMigration` runs first in the migrating transaction: it must let only one process migrate at a time. */
  constructor(db: Kysely<AccountsTables>, lockMigration: (db: Kysely<AccountsTables>) => Promise<void>) {
    this.#db = db;
    this.#lockMigration = lockMigration;
  }

  async migrate(): Promise<void> {
    await migrateAccounts(this.#db, this.#lockMigration);
  }

  async addKey(key: ApiKeyRecord): Promise<void> {
    const row = {
      id: key.id,
      hash: key.hash,
      order_id: key.orderId,
      created_at: key.createdAt.getTime(),
      expires_at: key.expiresAt.getTime(),
      last_used_at: key.lastUsedAt?.getTime() ?? null,
      revoked_at: key.revokedAt?.getTime() ?? null,
    };
    await this.#db.insertInto('api_key').values(row).execute();
  }

  async findKeyByHash(hash: string): Promise<ApiKeyRecord | null> {
    const row = await this.#db
      .selectFrom('api_key')
      .selectAll()
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return row === undefined ? null : toApiKeyRecord(row);
  }

  async findKeyById(id: string): Promise<ApiKeyRecord | null> {
    const row = await this.#db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toApiKeyRecord(row);
  }

  async listKeys(): Promise<ApiKeyRecord[]> {
    const rows = await this.#db.selectFrom('api_key').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
    return rows.map(toApiKeyRecord);
  }

  async renewKey(id: string, expiresAt: Date): Promise<boolean> {
    return this.#updateUnrevoked(id, { expires_at: expiresAt.getTime() });
  }

  async revokeKey(id: string, at: Date): Promise<boolean> {
    return this.#updateUnrevoked(id, { revoked_at: at.getTime() });
  }

  async touchKeys(hashes: readonly string[], at: Date): Promise<void> {
    const time = at.getTime();
    for (const batch of batches(hashes, KEYS_PER_STATEMENT)) {
      await this.#db
        .updateTable('api_key')
        .set({ last_used_at: time })
        .where('hash', 'in', batch)
        .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', time)]))
        .execute();
    }
  }

  async addUsage(rows: readonly UsageRow[]): Promise<void> {
    // Always in the same order: replicas that add to the same rows must not deadlock.
    const sorted = rows
      .map(({ caller, endpoint, minute, count }) => ({ caller, endpoint, minute: minute.getTime(), count }))
      .sort((a, b) => compareText(a.caller, b.caller) || compareText(a.endpoint, b.endpoint) || a.minute - b.minute);
    for (const batch of batches(sorted, ROWS_PER_STATEMENT)) {
      await this.#db
        .insertInto('usage')
        .values(batch)
        .onConflict((conflict) =>
          conflict
            .columns(['caller', 'endpoint', 'minute'])
            .doUpdateSet((update) => ({ count: update('usage.count', '+', update.ref('excluded.count')) })),
        )
        .execute();
    }
  }

  async countUsage(callers: readonly string[], since: Date): Promise<EndpointUsage[]> {
    const rows = await this.#db
      .selectFrom('usage')
      .select(({ fn }) => ['endpoint', fn.sum<number | string>('count').as('count')])
      .where('caller', 'in', callers)
      .where('minute', '>=', since.getTime())
      .groupBy('endpoint')
      .orderBy('count', 'desc')
      .orderBy('endpoint')
      .execute();
    return rows.map(({ endpoint, count }) => ({ endpoint, count: Number(count) }));
  }

  async purgeUsage(before: Date): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('usage')
      .where('minute', '<', before.getTime())
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  async close(): Promise<void> {
    await this.#db.destroy();
  }

  async #updateUnrevoked(id: string, values: { expires_at: number } | { revoked_at: number }): Promise<boolean> {
    const { numUpdatedRows } = await this.#db
      .updateTable('api_key')
      .set(values)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}

function toApiKeyRecord(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id,
    hash: row.hash,
    orderId: row.order_id,
    createdAt: new Date(Number(row.created_at)),
    expiresAt: new Date(Number(row.expires_at)),
    lastUsedAt: row.last_used_at === null ? null : new Date(Number(row.last_used_at)),
    revokedAt: row.revoked_at === null ? null : new Date(Number(row.revoked_at)),
  };
}

function* batches<T>(all: readonly T[], size: number): Iterable<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
