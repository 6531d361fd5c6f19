import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { registrableDomain } from '../analysis/domain-name.ts';
import { routeTemplate } from '../engine/route.ts';
import type { Accounts } from './accounts.ts';
import { CallerAuthenticator, type Tier } from './caller.ts';
import { CallRunner } from './call-runner.ts';
import { ClientAddressResolver } from './client-address.ts';
import type { Counters } from './counters.ts';
import { openEmbeddedAccounts } from './embedded-accounts.ts';
import { type BackendSettings, type Backends, openBackends } from './backends.ts';
import { AdmissionController } from './admission-controller.ts';
import { ApiKeyCache } from './api-key-cache.ts';
import { PostgresAccounts } from './postgres/postgres-accounts.ts';
import { MAX_REFUSED_PER_MINUTE, RefusedRequestLimiter } from './refused-request-limiter.ts';
import { loadInstallationSecret, Pseudonyms } from './installation-secret.ts';
import { createCallerAccount } from './caller-account.ts';
import { TargetThrottle } from './target-throttle.ts';
import { UsageRecorder } from './usage-recorder.ts';
import { withTimeout } from './with-timeout.ts';

const CONNECT_TIMEOUT_MS = 3000;

/** The part of the configuration that is about callers. */
export interface AccessSettings extends BackendSettings {
  readonly secret: string | null;
  /** Tokens an hour, 0 = unlimited. */
  readonly quotaKeyless: number;
  readonly quotaPro: number;
  readonly trustedProxies: readonly string[];
  /** Callers on this machine have no limit: an installation for one person. Default: they have. */
  readonly unlimitedLocalCallers?: boolean;
  /** Requests of one address that may be refused without a charge within a minute. */
  readonly maxRefusedPerMinute?: number;
}

/** All that surfaces need to know of callers. */
export interface Access {
  readonly admission: AdmissionController;
  readonly callRunner: CallRunner;
  readonly refusedRequests: RefusedRequestLimiter;
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly pseudonyms: Pseudonyms;
  /** Null where every process asks live sources for itself. */
  readonly sharedAnswers: Backends['sharedAnswers'];
  /** The engines that are away at the moment. */
  unavailableBackends(): string[];
  /** Counts a look at a host's pages; throws 429 `target_throttled` past its limit. */
  throttleTarget(host: string): Promise<void>;
  /** Writes what is left, and lets go of the engines. */
  close(): Promise<void>;
}

interface AccessDeps {
  now: () => Date;
  onProblem: (problem: Error) => void;
  /** Told of every call that the quota did not reach. */
  onQuotaRefusal?: (tier: Tier) => void;
}

/** Who asks for no limit has none of this kind either. */
function defaultRefusedPerMinute({ quotaKeyless }: AccessSettings): number {
  return quotaKeyless === 0 ? Number.POSITIVE_INFINITY : MAX_REFUSED_PER_MINUTE;
}

/** Opens the engines and puts together what stands before the operations. */
export async function openAccess(
  settings: AccessSettings,
  { now, onProblem, onQuotaRefusal }: AccessDeps,
): Promise<Access> {
  mkdirSync(settings.dataDir, { recursive: true });
  const pseudonyms = new Pseudonyms(loadInstallationSecret(settings.dataDir, settings.secret));
  const engines = await openBackends(settings, { pseudonyms, now, onProblem });
  const { counters, accounts, sharedAnswers } = engines;
  const callers = new CallerAuthenticator({
    addresses: new ClientAddressResolver(settings.trustedProxies),
    keys: new ApiKeyCache(accounts),
    pseudonyms,
    now,
    unlimitedLocalCallers: settings.unlimitedLocalCallers ?? false,
  });
  const limits = { keyless: settings.quotaKeyless, pro: settings.quotaPro };
  const nowMs = (): number => now().getTime();
  const admission = new AdmissionController({
    authenticator: callers,
    counters,
    limits,
    nowMs,
    onQuotaRefusal,
  });
  const targets = new TargetThrottle({ counters, pseudonyms, registrableDomain });
  const recorder = new UsageRecorder({ accounts, now, onProblem });
  await withTimeout(CONNECT_TIMEOUT_MS, recorder.purge()).catch(() => {});
  return {
    admission,
    callRunner: new CallRunner({
      admission,
      callerAccountOf: (caller) => createCallerAccount(caller, { admission, accounts, recorder }),
      recordRequest: (caller, { id, route }, optedOut) =>
        recorder.record(caller, route === null ? id : routeTemplate(route), optedOut),
    }),
    refusedRequests: new RefusedRequestLimiter(
      settings.maxRefusedPerMinute ?? defaultRefusedPerMinute(settings),
      nowMs,
    ),
    accounts,
    counters,
    pseudonyms,
    sharedAnswers,
    unavailableBackends: () => engines.unavailableBackends(),
    async throttleTarget(host) {
      await targets.consume(host);
    },
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
  if (databaseUrl !== null) return openPostgresAccounts(databaseUrl);
  mkdirSync(dataDir, { recursive: true });
  const accounts = openEmbeddedAccounts(join(dataDir, 'accounts.db'), synchronous);
  await accounts.migrate();
  return accounts;
}

async function openPostgresAccounts(url: string): Promise<Accounts> {
  const accounts = new PostgresAccounts({ url, onProblem: () => {} });
  try {
    await accounts.migrate();
    await accounts.waitUntilReady(CONNECT_TIMEOUT_MS);
    return accounts;
  } catch (error) {
    await accounts.close();
    throw error;
  }
}
