import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { registrableDomain } from '../analysis/domain-name.ts';
import type { Operation } from '../engine/operation.ts';
import { routeTemplate } from '../engine/route.ts';
import type { Self } from '../engine/self.ts';
import type { Accounts } from './accounts.ts';
import { type Caller, Callers, type Tier } from './caller.ts';
import { Charging } from './charging.ts';
import { ClientAddresses } from './client-address.ts';
import type { Counters } from './counters.ts';
import { openEmbeddedAccounts } from './embedded-accounts.ts';
import { type EngineSettings, type Engines, openEngines } from './engines.ts';
import { Gate } from './gate.ts';
import { KeyCache } from './key-cache.ts';
import { PostgresAccounts } from './postgres/postgres-accounts.ts';
import { REFUSED_PER_MINUTE, RefusedRequests } from './refused-requests.ts';
import { installationSecret, Pseudonyms } from './secret.ts';
import { selfOf } from './self.ts';
import { TargetThrottle } from './target-throttle.ts';
import { UsageRecorder } from './usage-recorder.ts';
import { within } from './within.ts';

const REACH_WITHIN_MS = 3000;

/** The part of the configuration that is about callers. */
export interface AccessSettings extends EngineSettings {
  readonly secret: string | null;
  /** Tokens an hour, 0 = unlimited. */
  readonly quotaKeyless: number;
  readonly quotaPro: number;
  readonly trustedProxies: readonly string[];
  /** Callers on this machine have no limit: an installation for one person. Default: they have. */
  readonly localUnlimited?: boolean;
  /** Requests of one address that may be refused without a charge within a minute. */
  readonly refusedPerMinute?: number;
}

/** All that surfaces need to know of callers. */
export interface Access {
  readonly gate: Gate;
  readonly charging: Charging;
  readonly refused: RefusedRequests;
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly pseudonyms: Pseudonyms;
  /** Null where every process asks live sources for itself. */
  readonly answers: Engines['answers'];
  /** The engines that are away at the moment. */
  degraded(): string[];
  /** Counts a look at a host's pages; throws 429 `target_throttled` past its limit. */
  throttle(host: string): Promise<void>;
  /** Takes note of a request. */
  readonly note: (caller: Caller, operation: Operation, unlogged: boolean) => void;
  /** For an operation about oneself. */
  readonly selfOf: (caller: Caller) => Self;
  /** Writes what is left, and lets go of the engines. */
  close(): Promise<void>;
}

interface Running {
  now: () => Date;
  onProblem: (problem: Error) => void;
  /** Told of every call that the quota did not reach. */
  onRefused?: (tier: Tier) => void;
}

/** Who asks for no limit has none of this kind either. */
function refusedPerMinute({ quotaKeyless }: AccessSettings): number {
  return quotaKeyless === 0 ? Number.POSITIVE_INFINITY : REFUSED_PER_MINUTE;
}

/** Opens the engines and puts together what stands before the operations. */
export async function openAccess(settings: AccessSettings, { now, onProblem, onRefused }: Running): Promise<Access> {
  mkdirSync(settings.dataDir, { recursive: true });
  const pseudonyms = new Pseudonyms(installationSecret(settings.dataDir, settings.secret));
  const engines = await openEngines(settings, { pseudonyms, now, onProblem });
  const { counters, accounts, answers } = engines;
  const callers = new Callers({
    addresses: new ClientAddresses(settings.trustedProxies),
    keys: new KeyCache(accounts),
    pseudonyms,
    now,
    localUnlimited: settings.localUnlimited ?? false,
  });
  const limits = { keyless: settings.quotaKeyless, pro: settings.quotaPro };
  const elapsed = (): number => now().getTime();
  const gate = new Gate({ callers, counters, limits, elapsed, ...(onRefused && { onRefused }) });
  const targets = new TargetThrottle({ counters, pseudonyms, registrableDomain });
  const recorder = new UsageRecorder({ accounts, now, onProblem });
  await within(REACH_WITHIN_MS, recorder.purge()).catch(() => {});
  const endpoints = new Map<Operation, string>();
  return {
    gate,
    charging: new Charging(gate),
    refused: new RefusedRequests(settings.refusedPerMinute ?? refusedPerMinute(settings), elapsed),
    accounts,
    counters,
    pseudonyms,
    answers,
    degraded: () => engines.degraded(),
    async throttle(host) {
      await targets.consume(host);
    },
    note(caller, operation, unlogged) {
      let endpoint = endpoints.get(operation);
      if (endpoint === undefined) {
        endpoint = operation.route === null ? operation.id : routeTemplate(operation.route);
        endpoints.set(operation, endpoint);
      }
      recorder.note(caller, endpoint, unlogged);
    },
    selfOf: (caller) => selfOf(caller, { gate, accounts, recorder }),
    async close() {
      await recorder.close();
      await engines.close();
    },
  };
}

/**
 * The accounts alone, for commands; throws `EngineAwayError` when they cannot be reached. `full`: a key that was shown is on
 * the disk; the service itself can do with `normal`. PostgreSQL always does the first.
 */
export async function openAccounts(
  { dataDir, databaseUrl = null }: Pick<AccessSettings, 'dataDir' | 'databaseUrl'>,
  synchronous: 'normal' | 'full',
): Promise<Accounts> {
  if (databaseUrl !== null) return reachAccounts(databaseUrl);
  mkdirSync(dataDir, { recursive: true });
  const accounts = openEmbeddedAccounts(join(dataDir, 'accounts.db'), synchronous);
  await accounts.migrate();
  return accounts;
}

async function reachAccounts(url: string): Promise<Accounts> {
  const accounts = new PostgresAccounts({ url, onProblem: () => {} });
  try {
    await accounts.migrate();
    await accounts.start(REACH_WITHIN_MS);
    return accounts;
  } catch (error) {
    await accounts.close();
    throw error;
  }
}
