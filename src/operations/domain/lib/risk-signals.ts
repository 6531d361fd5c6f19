import type { RiskSignals } from '../../../analysis/domain-risk.ts';
import type { Context } from '../../../engine/context.ts';
import { DAY_MS } from '../../../engine/time-units.ts';
import type { DomainThreat } from './look-up-domain-threat.ts';
import type { DnsRecords } from './look-up-dns-records.ts';
import type { EmailSummary } from './email-summary.ts';
import type { AddressReputation } from './address-reputation.ts';
import type { SslReport } from './check-ssl.ts';
import type { Whois } from './present-whois.ts';

/** The parts of a report; null where not requested or not answered. */
export interface ReportParts {
  dns: DnsRecords;
  /** `none`: no TLS on port 443. */
  ssl: SslReport | 'none' | null;
  mail: EmailSummary | null;
  whois: Whois | null;
  threat: DomainThreat | null;
  reputation: readonly AddressReputation[] | null;
}

/** Extracts the risk signals from the parts of a report. */
export function toRiskSignals(
  { dns, ssl, mail, whois, threat, reputation }: ReportParts,
  { now }: Context,
): RiskSignals {
  const created = whois?.creation_date ?? null;
  return {
    malware:
      threat === null || threat.url_count === null
        ? null
        : { online: threat.urls_online ?? 0, listed: threat.url_count },
    listedAddresses: findListedAddresses(reputation),
    vulnerabilities: sumVulnerabilities(reputation),
    ageDays: created === null ? null : Math.floor((now.getTime() - Date.parse(created)) / DAY_MS),
    daysToExpiry: whois?.days_to_expiry ?? null,
    status: whois?.outcome === 'registered' ? whois.status : null,
    tls:
      ssl === null || ssl === 'none' ? ssl : { grade: ssl.grade, valid: ssl.valid, daysRemaining: ssl.days_remaining },
    emailGrade: mail?.grade ?? null,
    hasMail: mail?.mx === null || mail === null ? null : mail.mx.length > 0,
    nameServers: dns.ns?.length ?? null,
  };
}

/** Null where no list was asked about any address. */
function findListedAddresses(reputation: ReportParts['reputation']): RiskSignals['listedAddresses'] {
  const asked =
    reputation?.flatMap(({ ip, listed_on }) => (listed_on === null ? [] : [{ ip, lists: listed_on }])) ?? [];
  return asked.length === 0 ? null : asked.flatMap(({ ip, lists }) => lists.map((list) => ({ ip, list })));
}

function sumVulnerabilities(reputation: ReportParts['reputation']): RiskSignals['vulnerabilities'] {
  const known = reputation?.filter(({ vulnerabilities }) => vulnerabilities !== null) ?? [];
  if (known.length === 0) return null;
  const counts = known.map(({ vulnerabilities }) => vulnerabilities!);
  const exploited = counts.map((each) => each.exploited).filter((count) => count !== null);
  return {
    total: counts.reduce((sum, { total }) => sum + total, 0),
    exploited: exploited.length === 0 ? null : exploited.reduce((sum, count) => sum + count, 0),
  };
}
