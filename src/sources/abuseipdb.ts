import { z } from 'zod';
import { parseCountryCode } from '../analysis/country-code.ts';
import { parseIp } from '../analysis/ip-address.ts';
import { httpSource } from './http-source.ts';
import { displayLineOrNull } from '../analysis/display-text.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { requireOk } from './source-failure.ts';

const MAX_AGE_DAYS = 90;

const ApiResponse = z.object({
  data: z.object({
    ipAddress: z.string(),
    isWhitelisted: z.boolean().nullish(),
    abuseConfidenceScore: z.number().min(0).max(100),
    countryCode: z.string().nullish(),
    usageType: z.string().nullish(),
    isp: z.string().nullish(),
    domain: z.string().nullish(),
    isTor: z.boolean().nullish(),
    totalReports: z.int().nonnegative(),
    numDistinctUsers: z.int().nonnegative().nullish(),
    lastReportedAt: z.iso.datetime({ offset: true }).nullish(),
  }),
});

/** Reports of the last 90 days. */
export interface AbuseIpdbRecord {
  /** AbuseIPDB's abuse confidence score, 0 to 100. */
  score: number;
  total_reports: number;
  distinct_users: number | null;
  last_reported_at: string | null;
  whitelisted: boolean;
  usage_type: string | null;
  isp: string | null;
  domain: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  tor: boolean | null;
}

/** Abuse reports about an IP address at AbuseIPDB (API v2, `check`). */
export const abuseipdb = httpSource<string, AbuseIpdbRecord>({
  policy: {
    id: 'abuseipdb',
    title: 'AbuseIPDB',
    provides: 'reports of abuse from an address',
    baseUrl: 'https://api.abuseipdb.com/',
    timeoutMs: 6000,
    maxBytes: 1024 * 1024,
    ttlSeconds: 24 * 3600,
    concurrency: 4,
    key: { variable: 'SEXTANT_ABUSEIPDB_KEY', needed: true },
  },
  readerName: 'abuseipdb',
  request: (ip, key) => ({
    path: `api/v2/check?ipAddress=${encodeURIComponent(ip)}&maxAgeInDays=${MAX_AGE_DAYS}`,
    headers: { accept: 'application/json', key: key ?? '' },
  }),
  read(status, body, ip) {
    requireOk(status);
    const { data } = ApiResponse.parse(parseBoundedJson(body));
    if (parseIp(data.ipAddress) !== ip) throw new Error('an answer about another address');
    return {
      score: data.abuseConfidenceScore,
      total_reports: data.totalReports,
      distinct_users: data.numDistinctUsers ?? null,
      last_reported_at: data.lastReportedAt == null ? null : new Date(data.lastReportedAt).toISOString(),
      whitelisted: data.isWhitelisted === true,
      usage_type: displayLineOrNull(data.usageType),
      isp: displayLineOrNull(data.isp),
      domain: displayLineOrNull(data.domain, 255),
      country: parseCountryCode(data.countryCode),
      tor: data.isTor ?? null,
    };
  },
});
