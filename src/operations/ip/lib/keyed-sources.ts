import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import { type AbuseIpdbRecord, abuseipdb } from '../../../sources/abuseipdb.ts';
import { type ShodanHost, shodanHost } from '../../../sources/shodan-host-api.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { MAX_SHOWN_ITEMS, addTruncationGaps } from './exposure.ts';

const KeyedSourceStatus = z.enum(['ok', 'no_data', 'not_configured', 'unavailable']);

/** Data of AbuseIPDB; `status` says why fields are null. */
export const AbuseIpdbSummary = z.object({
  status: KeyedSourceStatus,
  score: z.number().nullable(),
  total_reports: z.number().int().nullable(),
  distinct_users: z.number().int().nullable(),
  last_reported_at: z.string().nullable(),
  usage_type: ForeignText.nullable(),
  isp: ForeignText.nullable(),
  whitelisted: z.boolean().nullable(),
});

export const ShodanSummary = z.object({
  status: KeyedSourceStatus,
  org: ForeignText.nullable(),
  isp: ForeignText.nullable(),
  os: ForeignText.nullable(),
  ports: z.array(z.number().int()).nullable(),
  vulns: z.array(z.string()).nullable(),
  last_update: z.string().nullable(),
});

/** AbuseIPDB and Shodan; `not_configured` without a key. */
export async function askKeyedSources(context: Context, ip: string) {
  const [abuse, shodan] = await Promise.all([context.ask(abuseipdb, ip), context.ask(shodanHost, ip)]);
  const reports = abuse.status === 'ok' ? abuse.found : null;
  const host = shodan.status === 'ok' ? shodan.found : null;
  addTruncationGaps(context, { 'ports by Shodan': host?.ports ?? [], 'CVEs by Shodan': host?.vulns ?? [] });
  return {
    reports,
    host,
    abuseipdb: toAbuseIpdbSummary(abuse.status, reports),
    shodan: toShodanSummary(shodan.status, host),
  };
}

type OutcomeStatus = SourceResult<unknown>['status'];

function toAbuseIpdbSummary(asked: OutcomeStatus, found: AbuseIpdbRecord | null): z.output<typeof AbuseIpdbSummary> {
  return {
    status: asked,
    score: found?.score ?? null,
    total_reports: found?.total_reports ?? null,
    distinct_users: found?.distinct_users ?? null,
    last_reported_at: found?.last_reported_at ?? null,
    usage_type: found?.usage_type ?? null,
    isp: found?.isp ?? null,
    whitelisted: found?.whitelisted ?? null,
  };
}

function toShodanSummary(asked: OutcomeStatus, found: ShodanHost | null): z.output<typeof ShodanSummary> {
  return {
    status: asked === 'ok' && found === null ? 'no_data' : asked,
    org: found?.org ?? null,
    isp: found?.isp ?? null,
    os: found?.os ?? null,
    ports: found?.ports.slice(0, MAX_SHOWN_ITEMS) ?? null,
    vulns: found?.vulns.slice(0, MAX_SHOWN_ITEMS) ?? null,
    last_update: found?.last_update ?? null,
  };
}
