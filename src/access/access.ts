import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../operations/operation.ts';
import type { Self } from '../operations/self.ts';
import type { Accounts } from './accounts.ts';
import { type Caller, Callers } from './caller.ts';
import { ClientAddresses } from './client-address.ts';
import type { Counters } from './counters.ts';
import { openEmbeddedAccounts } from './embedded-accounts.ts';
import { EmbeddedCounters } from './embedded-counters.ts';
import { Gate } from './gate.ts';
import { KeyCache } from './key-cache.ts';
import { installationSecret, Pseudonyms } from './secret.ts';
import { selfOf } from './self.ts';
import { UsageRecorder } from './usage-recorder.ts';

/** The part of the configuration that is about callers. */
export interface AccessSettings {
  readonly dataDir: string;
  readonly secret: string | null;
  /** Tokens an hour, 0 = unlimited. */
  readonly quotaKeyless: number;
  readonly quotaPro: number;
  readonly trustedProxies: readonly string[];
}

/** All that surfaces need to know of callers. */
export interface Access {
  readonly gate: Gate;
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly pseudonyms: Pseudonyms;
  /** Takes note of a request. */
  note(caller: Caller, operation: Operation, unlogged: boolean): void;
  /** For an operation about oneself. */
  selfOf(caller: Caller): Self;
  /** Writes what is left, and lets go of the engines. */
  close(): Promise<void>;
}

interface Running {
  now: () => Date;
  onProblem: (problem: Error) => void;
}

/** Opens the engines and puts together what stands before the operations. */
export async function openAccess(settings: AccessSettings, { now, onProblem }: Running): Promise<Access> {
  mkdirSync(settings.dataDir, { recursive: true });
  const pseudonyms = new Pseudonyms(installationSecret(settings.dataDir, settings.secret));
  const counters = openCounters(settings, now);
  const accounts = await openAccounts(settings, 'normal');
  const callers = new Callers({
    addresses: new ClientAddresses(settings.trustedProxies),
    keys: new KeyCache(accounts),
    pseudonyms,
    now,
  });
  const limits = { keyless: settings.quotaKeyless, pro: settings.quotaPro };
  const gate = new Gate({ callers, counters, limits });
  const recorder = new UsageRecorder({ accounts, now, onProblem });
  await recorder.purge();
  const endpoints = new Map<Operation, string>();
  return {
    gate,
    accounts,
    counters,
    pseudonyms,
    note(caller, operation, unlogged) {
      let endpoint = endpoints.get(operation);
      if (endpoint === undefined) {
        endpoint = operation.route.replace(/:([a-z_0-9]+)/g, '{$1}');
        endpoints.set(operation, endpoint);
      }
      recorder.note(caller, endpoint, unlogged);
    },
    selfOf: (caller) => selfOf(caller, { gate, accounts, recorder }),
    async close() {
      await recorder.close();
      await Promise.all([accounts.close(), counters.close()]);
    },
  };
}

/** `full`: a key that was shown is on the disk; the service itself can do with `normal`. */
export async function openAccounts(
  settings: Pick<AccessSettings, 'dataDir'>,
  synchronous: 'normal' | 'full',
): Promise<Accounts> {
  mkdirSync(settings.dataDir, { recursive: true });
  const accounts = openEmbeddedAccounts(join(settings.dataDir, 'accounts.db'), synchronous);
  await accounts.migrate();
  return accounts;
}

function openCounters({ dataDir }: AccessSettings, now: () => Date): Counters {
  return new EmbeddedCounters(join(dataDir, 'counters.db'), now);
}
