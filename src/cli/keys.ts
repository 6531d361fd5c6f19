import { openAccounts } from '../access/access.ts';
import type { Accounts, KeyRecord } from '../access/accounts.ts';
import { issueKey, renewKey, stateOfKey } from '../access/keys.ts';
import { CliError } from '../exit.ts';
import { loadConfig } from './load-config.ts';
import { show } from './output.ts';
import { table } from './table.ts';

const COLUMNS = [
  { title: 'id' },
  { title: 'state' },
  { title: 'order' },
  { title: 'created' },
  { title: 'expires' },
  { title: 'last used' },
];

export async function issue(of: { orderId: string; days: number; json: boolean }): Promise<void> {
  const { key, record } = await withAccounts((accounts) => issueKey(accounts, { ...of, now: new Date() }));
  show(of.json, { key, ...documentOf(record) }, () => [
    key,
    '',
    `Shown this once. Id ${record.id}, expires ${minute(record.expiresAt)}.`,
  ]);
}

export async function list(json: boolean): Promise<void> {
  const records = await withAccounts((accounts) => accounts.listKeys());
  show(json, { keys: records.map(documentOf) }, (width) =>
    records.length === 0 ? ['No keys yet. sextant keys issue makes one.'] : table(COLUMNS, records.map(cellsOf), width),
  );
}

export async function renew({ id, days, json }: { id: string; days: number; json: boolean }): Promise<void> {
  const record = await withAccounts((accounts) => renewKey(accounts, { id, days, now: new Date() }));
  if (record === null) throw unknownKey(id);
  show(json, documentOf(record), () => [`${id} expires ${minute(record.expiresAt)}.`]);
}

export async function revoke(id: string, json: boolean): Promise<void> {
  const now = new Date();
  const revoked = await withAccounts((accounts) => accounts.revokeKey(id, now));
  if (!revoked) throw unknownKey(id);
  show(json, { id, state: 'revoked', revoked_at: now.toISOString() }, () => [`${id} is revoked.`]);
}

function unknownKey(id: string): CliError {
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

function documentOf(record: KeyRecord): Record<string, unknown> {
  return {
    id: record.id,
    state: stateOfKey(record, new Date()),
    order_id: record.orderId,
    created_at: record.createdAt.toISOString(),
    expires_at: record.expiresAt.toISOString(),
    last_used_at: record.lastUsedAt?.toISOString() ?? null,
    revoked_at: record.revokedAt?.toISOString() ?? null,
  };
}

function cellsOf(record: KeyRecord): string[] {
  const { lastUsedAt } = record;
  return [
    record.id,
    stateOfKey(record, new Date()),
    record.orderId,
    minute(record.createdAt),
    minute(record.expiresAt),
    lastUsedAt === null ? 'never' : minute(lastUsedAt),
  ];
}

/** `2026-11-21 12:34 UTC`. */
function minute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
