import { z } from 'zod';
import { DAY_MS } from '../../engine/time-units.ts';
import { definePersonalOperation, SummaryField } from '../../engine/operation.ts';
import { formatCount, joinSummary, sumCounts } from '../../engine/summary.ts';
import { KEPT_DAYS, type Watch } from '../../engine/watch-book.ts';
import type { CallerAccount } from '../../engine/caller-account.ts';
import { ApiError } from '../../errors.ts';
import { placeOf } from '../watches/lib/describe-watch.ts';

/** What no file, database or log of this service holds. */
export const NOT_STORED: readonly string[] = [
  'IP addresses: only an HMAC-SHA-256 of them, with a secret of this installation',
  'what was asked: no identifier, target, query parameter or request body, but for what a caller has watched',
  'answers to callers: cached ones live in memory, or under hashed keys that expire',
  'API keys: only their SHA-256',
  'access tokens, and whom they are about: only an HMAC-SHA-256 of issuer and subject',
  'that a request was made, where it was sent with DNT: 1 or Sec-GPC: 1',
  'user agents, referrers, cookies',
];

const SOURCE_CODE = 'Sextant, MIT licence. All that touches callers is in src/access.';
const PRIVACY_POLICY = '/privacy';

export const privacyMyData = definePersonalOperation({
  id: 'privacy_my_data',
  area: 'service',
  title: 'What is stored about you',
  description:
    'Every stored row about the caller: the hash of the address, usage by endpoint within 24 hours, the Pro key record and the watches if any. Free, needs no key.',
  route: 'GET /v1/privacy/my-data',
  personal: 'anyone',
  input: z.strictObject({}),
  output: z
    .object({
      tier: z.enum(['keyless', 'pro']),
      rate_limit: z.object({
        limit: z.number().int().nullable().meta({ description: 'Tokens an hour; null: no limit.' }),
        remaining: z.number().int().nullable(),
        reset_seconds: z.number().int().nullable(),
      }),
      client_ip_hash: z.string().meta({ description: 'HMAC-SHA-256 of the address, of the /64 for IPv6.' }),
      api_key_record: z
        .object({
          id: z.string(),
          order_id: z.string(),
          created_at: z.string(),
          expires_at: z.string(),
          last_used_at: z.string().nullable(),
        })
        .nullable(),
      usage_last_24h: z.object({
        total_requests: z.number().int(),
        by_endpoint: z.record(z.string(), z.number().int()),
      }),
      watches: z
        .object({
          count: z.number().int(),
          delivers_to: z.array(z.string()).meta({ description: 'Mail addresses, and hosts of webhooks.' }),
          kept_days: z.number().int().meta({ description: 'How long events and deliveries are kept.' }),
        })
        .nullable()
        .meta({ description: 'watch_list has them, watch_delete deletes; null: this caller has none.' }),
      not_stored: z.array(z.string()),
      source_code: z.string(),
      privacy_policy: z.string(),
      summary: SummaryField,
    })
    .meta({ id: 'PrivacyData' }),
  cost: 0,
  examples: [{ title: 'Of the caller', input: {} }],
  async answer(_, { self, now }) {
    const [rows, quota, key, watches] = await Promise.all([
      self.usage(new Date(now.getTime() - DAY_MS), 'all'),
      self.quota(),
      self.key(),
      watchesOf(self),
    ]);
    return {
      tier: self.tier,
      rate_limit: {
        limit: quota?.limit ?? null,
        remaining: quota?.remaining ?? null,
        reset_seconds: quota?.resetSeconds ?? null,
      },
      client_ip_hash: self.addressHash,
      api_key_record:
        key === null
          ? null
          : {
              id: key.id,
              order_id: key.orderId,
              created_at: key.createdAt.toISOString(),
              expires_at: key.expiresAt.toISOString(),
              last_used_at: key.lastUsedAt?.toISOString() ?? null,
            },
      usage_last_24h: {
        total_requests: sumCounts(rows),
        by_endpoint: Object.fromEntries(rows.map(({ endpoint, count }) => [endpoint, count])),
      },
      watches:
        watches === null
          ? null
          : {
              count: watches.length,
              delivers_to: [...new Set(watches.flatMap(({ channels }) => channels.map(placeOf)))],
              kept_days: KEPT_DAYS,
            },
      not_stored: [...NOT_STORED],
      source_code: SOURCE_CODE,
      privacy_policy: PRIVACY_POLICY,
      summary: joinSummary(
        `Stored about you: a hash of your address, ${formatCount(sumCounts(rows), 'request')} of the last 24 hours by endpoint${key === null ? '' : ', and the record of your key'}${watches === null ? '' : `, and ${formatCount(watches.length, 'watch')}`}.`,
        'Rows of requests are gone after 24 hours.',
      ),
    };
  },
});

/** Null for callers who have none, or can have none. */
async function watchesOf(self: CallerAccount): Promise<Watch[] | null> {
  try {
    const watches = await (await self.watches()).list();
    return watches.length === 0 ? null : watches;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'api_key_required') return null;
    throw error;
  }
}
