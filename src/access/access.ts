import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../engine/operation.ts';
import type { NetworkClient } from '../net/network-client.ts';
import { routeTemplate } from '../engine/route.ts';
import type { Accounts } from './accounts.ts';
import { CallerAuthenticator, type Tier } from './caller.ts';
import { CallRunner } from './call-runner.ts';
import { ClientAddressResolver } from './client-address.ts';
import type { Counters } from './counters.ts';
import { openEmbeddedAccounts } from './embedded-accounts.ts';
import {
  type BackendSettings,
  type Backends,
  CONNECT_TIMEOUT_MS,
  createPostgresAccounts,
  openBackends,
} from './backends.ts';
import { AdmissionController } from './admission-controller.ts';
import { ApiKeyCache } from './api-key-cache.ts';
import { MAX_REFUSED_PER_MINUTE, RefusedRequestLimiter } from './refused-request-limiter.ts';
import { loadOrCreateInstallationSecret } from './installation-secret.ts';
import { openAccessTokens } from './oauth/access-tokens.ts';
import type { OAuthSettings } from './oauth/oauth-settings.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { createCallerAccount, type OpenWatches } from './caller-account.ts';
import { TargetThrottle } from './target-throttle.ts';
import { UsageRecorder } from './usage-recorder.ts';
import { withTimeout } from './with-timeout.ts';

/** Settings of `openAccess`. */
export interface AccessSettings extends BackendSettings {
  readonly secret: string | null;
  /** Tokens an hour; 0: unlimited. */
  readonly quotaKeyless: number;
  readonly quotaPro: number;
  /** Of a subject of access tokens; default, and null: as for a key. */
  readonly quotaOidc?: number | null;
  /** Null, and default: no access tokens are accepted. */
  readonly oauth?: OAuthSettings | null;
  readonly trustedProxies: readonly string[];
  /** Callers on this machine have no limit: an installation for one person. Default: false. */
  readonly unlimitedLocalCallers?: boolean;
  /** Requests of one address that may be refused without a charge in a minute; default: none where the keyless quota is 0. */
  readonly maxRefusedPerMinute?: number;
}

/** What surfaces need to identify, charge and limit callers. */
export interface Access {
  readonly admission: AdmissionController;
  readonly callRunner: CallRunner;
  readonly refusedRequests: RefusedRequestLimiter;
  /** Null where no access tokens are accepted. */
  readonly oauth: OAuthSettings | null;
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly pseudonyms: Pseudonyms;
  /** Null: each process asks live sources by itself. */
  readonly sharedAnswers: Backends['sharedAnswers'];
  /** Names of the backends that are down. */
  unavailableBackends(): string[];
  /** Counts a visit to a host; throws `ApiError` 429 `target_throttled` over its limit. */
  throttleTarget(host: string): Promise<void>;
  /** Flushes usage and closes all backends. */
  close(): Promise<void>;
}

interface AccessDeps {
  now: () => Date;
  onProblem: (problem: Error) => void;
  /** Called for every call that the quota does not cover. */
  onQuotaRefusal?: (tier: Tier) => void;
  /** The way to the authorization server; needed with `oauth`. */
  net?: Pick<NetworkClient, 'fetch'> | undefined;
  /** Opens the watches of an owner; absent: no caller has any. */
  openWatches?: OpenWatches | undefined;
}

/** Opens the backends and builds what surfaces need to identify, admit and charge callers. */
export async function openAccess(
  settings: AccessSettings,
  { now, onProblem, onQuotaRefusal, net, openWatches }: AccessDeps,
): Promise<Access> {
  mkdirSync(settings.dataDir, { recursive: true });
  const pseudonyms = new Pseudonyms(loadOrCreateInstallationSecret(settings.dataDir, settings.secret));
  const { oauth = null } = settings;
  const accessTokens = oauth === null ? null : await openAccessTokens(oauth, { net: net!, pseudonyms, now, onProblem });
  const backends = await openBackends(settings, { pseudonyms, now, onProblem });
  const { counters, accounts, sharedAnswers } = backends;
  const authenticator = new CallerAuthenticator({
    addresses: new ClientAddressResolver(settings.trustedProxies),
    keys: new ApiKeyCache(accounts),
    pseudonyms,
    now,
    unlimitedLocalCallers: settings.unlimitedLocalCallers ?? false,
    accessTokens,
  });
  const defaultMaxRefused = settings.quotaKeyless === 0 ? Number.POSITIVE_INFINITY : MAX_REFUSED_PER_MINUTE;
  const { maxRefusedPerMinute = defaultMaxRefused } = settings;
  const { quotaKeyless, quotaPro } = settings;
  const limits = { keyless: quotaKeyless, pro: quotaPro, accessToken: settings.quotaOidc ?? quotaPro };
  const nowMs = (): number => now().getTime();
  const admission = new AdmissionController({
    authenticator,
    counters,
    limits,
    requiresCredentials: oauth?.required === 'all',
    nowMs,
    onQuotaRefusal,
  });
  const targetThrottle = new TargetThrottle({ counters, pseudonyms });
  const recorder = new UsageRecorder({ accounts, now, onProblem });
  await withTimeout(CONNECT_TIMEOUT_MS, recorder.purge()).catch(() => {});
  return {
    admission,
    callRunner: new CallRunner({
      admission,
      callerAccountOf: (caller) =>
        createCallerAccount(caller, { admission, accounts, recorder, openWatches: openWatches ?? null }),
      recordRequest: (caller, operation, optedOut) => recorder.record(caller, endpointOf(operation), optedOut),
      countsAtOnce: settings.redisUrl == null,
    }),
    refusedRequests: new RefusedRequestLimiter(maxRefusedPerMinute, nowMs),
    oauth,
    accounts,
    counters,
    pseudonyms,
    sharedAnswers,
    unavailableBackends: () => backends.unavailableBackends(),
    async throttleTarget(host) {
      await targetThrottle.consume(host);
    },
    async close() {
      await recorder.close();
      await backends.close();
    },
  };
}

/** The name of an operation in usage rows: the template of its route. Called for each request, so the templates are kept. */
function endpointOf({ id, route }: Operation): string {
  if (route === null) return id;
  let template = templates.get(route);
  if (template === undefined) {
    template = routeTemplate(route);
    templates.set(route, template);
  }
  return template;
}
const templates = new Map<string, string>();

/**
 * Opens the account store for a command. `full`: a key that was shown survives a power failure; the service uses `normal`.
 * PostgreSQL always does the first. Throws `BackendUnavailableError` where PostgreSQL cannot be reached.
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
  const accounts = await createPostgresAccounts({ url, onProblem: () => {} });
  try {
    await accounts.migrate();
    await accounts.waitUntilReady(CONNECT_TIMEOUT_MS);
    return accounts;
  } catch (error) {
    await accounts.close();
    throw error;
  }
}
