import type { Accounts } from './accounts.ts';
import { KyselyAccounts } from './kysely-accounts.ts';
import type { AccountsTables } from './accounts-schema.ts';
import { openEmbeddedTables } from './embedded-tables.ts';

/**
 * Accounts in the data folder (SQLite), shared by the processes of one machine. `full`: committed writes survive a power failure;
 * `normal`: they survive the end of the process, without waiting for the disk.
 */
export function openEmbeddedAccounts(file: string, synchronous: 'normal' | 'full'): Accounts {
  // No lock is needed: each transaction begins as a writer.
  return new KyselyAccounts(openEmbeddedTables<AccountsTables>(file, synchronous), async () => {});
}
