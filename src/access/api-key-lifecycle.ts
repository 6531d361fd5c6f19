import type { Accounts, ApiKeyRecord } from './accounts.ts';
import { generateApiKey } from './api-key.ts';

const DAY_MS = 86_400_000;

/** Creates a key that is valid for some days. The key itself is in the result only. */
export async function issueApiKey(
  accounts: Accounts,
  { orderId, days, now }: { orderId: string; days: number; now: Date },
): Promise<{ key: string; record: ApiKeyRecord }> {
  const { key, id, hash } = generateApiKey();
  const record = {
    id,
    hash,
    orderId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + days * DAY_MS),
    lastUsedAt: null,
    revokedAt: null,
  };
  await accounts.addKey(record);
  return { key, record };
}

/** Extends a key by some days, from its expiry or from now, whichever is later. Null for a key that is unknown or revoked. */
export async function renewApiKey(
  accounts: Accounts,
  { id, days, now }: { id: string; days: number; now: Date },
): Promise<ApiKeyRecord | null> {
  const record = await accounts.findKeyById(id);
  if (record === null) return null;
  const expiresAt = new Date(Math.max(now.getTime(), record.expiresAt.getTime()) + days * DAY_MS);
  return (await accounts.renewKey(id, expiresAt)) ? { ...record, expiresAt } : null;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

export function apiKeyStateOf({ revokedAt, expiresAt }: ApiKeyRecord, now: Date): ApiKeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}
