import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import type { AccountsTables } from '../accounts-schema.ts';

export interface PoolOptions {
  maxConnections: number;
  /** Milliseconds for a connection, and for each statement. */
  connectTimeoutMs: number;
  statementTimeoutMs: number;
}

const IDLE_TIMEOUT_MS = 30_000;
/** SQLSTATE classes of a server that is no help now: connection, login, no such database, resources, operator, system; read-only. */
const UNAVAILABLE_SQLSTATE = /^(08|28|3D|53|57|58)|^25006$/;

/** PostgreSQL by a pool whose waits are bounded. It connects when first used. */
export function openPostgres(url: string, bounds: PoolOptions): Kysely<AccountsTables> {
  return new Kysely<AccountsTables>({ dialect: new PostgresDialect({ pool: createPool(url, bounds) }) });
}

/** Whether the error is an answer of a server that works: a constraint that was broken, for instance. */
export function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code !== undefined && !UNAVAILABLE_SQLSTATE.test(error.code);
}

function createPool(url: string, { maxConnections, connectTimeoutMs, statementTimeoutMs }: PoolOptions): PostgresPool {
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'sextant',
  });
  // A connection that breaks is replaced when one is next needed; what was asked over it fails by itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    connect: async () => discardWhenBroken(await pool.connect()),
    end: () => pool.end(),
  };
}

/** A connection on which a statement was not answered is closed when it is given back, not used again. */
function discardWhenBroken(client: PoolClient): Awaited<ReturnType<PostgresPool['connect']>> {
  let isBroken = false;
  return {
    query: (async (sql: string, parameters: unknown[]) => {
      try {
        return await client.query(sql, parameters);
      } catch (error) {
        isBroken ||= !isStatementError(error);
        throw error;
      }
    }) as never,
    release: (destroy) => client.release(destroy === true || isBroken),
  };
}
