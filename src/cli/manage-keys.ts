import { openAccounts } from '../access/access.ts';
import type { Accounts, ApiKeyRecord } from '../access/accounts.ts';
import { issueApiKey, renewApiKey, apiKeyStateOf } from '../access/api-key-lifecycle.ts';
import { CliError } from '../exit-codes.ts';
import { loadConfig } from './load-config.ts';
import { printOutput } from './output.ts';
import { renderTable } from './table.ts';
import { formatMinute } from './terminal-text.ts';

const KEY_COLUMNS = [
  { title: 'id' },
  { title: 'state' },
  { title: 'order' },
  { title: 'created' },
  { title: 'expires' },
  { title: 'last used' },
];

export async function issueAndPrintKey(options: { orderId: string; days: number; json: boolean }): Promise<void> {
  const { key, record } = await withAccounts((accounts) => issueApiKey(accounts, { ...options, now: new Date() }));
  printOutput(options.json, { key, ...keyDocument(record) }, () => [
    key,
    '',
    `Shown this once. Id ${record.id}, expires ${formatMinute(record.expiresAt.toISOString())}.`,
  ]);
}

export async function printKeys(json: boolean): Promise<void> {
  const records = await withAccounts((accounts) => accounts.listKeys());
  printOutput(json, { keys: records.map(keyDocument) }, (width) =>
    records.length === 0
      ? ['No keys yet. sextant keys issue makes one.']
      : renderTable(KEY_COLUMNS, records.map(keyCells), width),
  );
}

export async function renewAndPrintKey({ id, days, json }: { id: string; days: number; json: boolean }): Promise<void> {
  const record = await withAccounts((accounts) => renewApiKey(accounts, { id, days, now: new Date() }));
  if (record === null) throw unknownKeyError(id);
  printOutput(json, keyDocument(record), () => [`${id} expires ${formatMinute(record.expiresAt.toISOString())}.`]);
}

export async function revokeAndPrintKey(id: string, json: boolean): Promise<void> {
  const now = new Date();
  const revoked = await withAccounts((accounts) => accounts.revokeKey(id, now));
  if (!revoked) throw unknownKeyError(id);
  printOutput(json, { id, state: 'revoked', revoked_at: now.toISOString() }, () => [`${id} is revoked.`]);
}

function unknownKeyError(id: string): CliError {
  return new CliError('not_found', `no key ${id} that is not revoked. sextant keys list shows all of them`);
}

async function withAccounts<T>(work: (accounts: Accounts) => Promise<T>): Promise<T> {
  const accounts = await openAccounts(loadConfig(), 'full');
  try {
    return await work(accounts);
  } finally {
    await accounts.close();
  }
}

function keyDocument(record: ApiKeyRecord) {
  return {
    id: record.id,
    state: apiKeyStateOf(record, new Date()),
    order_id: record.orderId,
    created_at: record.createdAt.toISOString(),
    expires_at: record.expiresAt.toISOString(),
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    revoked_at: record.revokedAt?.toISOString() ?? null,
  };
}

function keyCells(record: ApiKeyRecord): string[] {
  const { id, state, order_id, created_at, expires_at, last_used_at } = keyDocument(record);
  return [id, state, order_id, ...[created_at, expires_at, last_used_at ?? 'never'].map(formatMinute)];
}
