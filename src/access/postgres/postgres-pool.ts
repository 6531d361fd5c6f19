import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import { DatabaseError, Pool, type PoolClient } from 'pg';
import { isSystemError } from '../../system-error.ts';

export interface PoolOptions {
  maxConnections: number;
  /** Milliseconds for a connection, and for each statement. */
  connectTimeoutMs: number;
  statementTimeoutMs: number;
}

const IDLE_TIMEOUT_MS = 30_000;
/** SQLSTATE classes of a server that cannot work now: connection, login, no such database, resources, operator, system; read-only. */
const UNAVAILABLE_SQLSTATE = /^(08|28|3D|53|57|58)|^25006$/;

/** PostgreSQL by a connection pool with bounded waits. It connects on first use. */
export function openPostgres<Tables>(url: string, bounds: PoolOptions): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: createPool(url, bounds) }) });
}

/** True for an error of a working server: a broken constraint, for instance. */
export function isStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && error.code !== undefined && !UNAVAILABLE_SQLSTATE.test(error.code);
}

/** True where the server cannot be reached or cannot work now. */
export function isServerAway(error: unknown): boolean {
  if (error instanceof DatabaseError) return !isStatementError(error);
  // Texts of the driver, which gives these errors no code.
  return (
    isSystemError(error) ||
    (error instanceof Error && /timeout|Connection terminated|connection is closed/i.test(error.message))
  );
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
  // A broken connection is replaced on next use; each query reports its own failure.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return {
    options: pool.options,
    connect: async () => discardWhenBroken(await pool.connect()),
    end: () => pool.end(),
  };
}

/** Closes a connection on release, instead of reusing it, where a statement was not answered. */
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
