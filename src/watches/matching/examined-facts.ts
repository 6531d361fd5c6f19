import type { z } from 'zod';
import type { ExaminedFact, ExaminedFacts, OpenFinding } from '../../analysis/watch/compare-facts.ts';
import type { auditDomain } from '../../operations/domain/audit-domain.ts';
import type { emailSecurityPosture } from '../../operations/email/email-security-posture.ts';
import type { iocLookup } from '../../operations/indicators/ioc-lookup.ts';

/** Lists of networks, in the catalog. */
const ADDRESS_LISTS = ['firehol', 'tor', 'feodo'];

type Audit = z.output<typeof auditDomain.output>;
type Posture = z.output<typeof emailSecurityPosture.output>;
type Indicator = z.output<typeof iocLookup.output>;

/**
 * What an audit says of a domain that can be compared from day to day. A part whose source did not answer is left out: it is not known. Left
 * out are also values that differ from one question to the next: names of certificate logs, technologies, subdomains.
 */
export function factsOfAudit({ report, live_headers, verdict }: Audit): ExaminedFacts {
  const { dns, whois, ssl, threat, reputation, risk } = report;
  const facts: Record<string, ExaminedFact> = {};
  const list = (name: string, label: string, source: string, value: readonly string[] | null): void => {
    if (value !== null) facts[name] = { kind: 'list', label, source, value };
  };
  const value = (
    name: string,
    label: string,
    source: string,
    text: string | null,
    kind: 'grade' | 'value' = 'value',
  ) => {
    facts[name] = { kind, label, source, value: text };
  };
  list('addresses', 'Addresses', 'dns', dns.a === null || dns.aaaa === null ? null : [...dns.a, ...dns.aaaa]);
  list('name_servers', 'Name servers', 'dns', dns.ns);
  list('mail_servers', 'Mail servers', 'dns', dns.mx?.map(({ exchange }) => exchange) ?? null);
  if (whois !== null && whois.outcome === 'registered') {
    value('registrar', 'Registrar', 'rdap', whois.registrar);
    value('registered_until', 'End of registration', 'rdap', dayOf(whois.expiry_date));
  }
  if (ssl !== null) {
    value('certificate_issuer', 'Certificate issuer', 'tls', ssl.issuer);
    value('certificate_until', 'End of certificate', 'tls', dayOf(ssl.not_after));
    value('tls_grade', 'TLS grade', 'tls', ssl.grade, 'grade');
    const caps = ssl.caps.map(({ id, severity, reason }) => [id, { severity, text: reason }] as const);
    facts['tls_findings'] = { kind: 'findings', label: 'TLS', source: 'tls', value: Object.fromEntries(caps) };
  }
  if (live_headers !== null) {
    value('header_grade', 'Grade of headers', 'web', live_headers.grade, 'grade');
    const findings = live_headers.findings.flatMap(({ issues, severity, description }) =>
      issues.map((id) => [id, { severity, text: description }] as const),
    );
    facts['header_findings'] = {
      kind: 'findings',
      label: 'Header',
      source: 'web',
      value: Object.fromEntries(findings),
    };
  }
  if (threat !== null && threat.urlhaus_status !== null && !verdict.sources_unavailable.includes('urlhaus'))
    value('urlhaus', 'URLhaus', 'urlhaus', threat.urlhaus_status);
  const named = reputation?.map(({ ip, listed_on }) => listed_on?.map((name) => `${name} (${ip})`) ?? null) ?? null;
  if (named !== null && !ADDRESS_LISTS.some((id) => verdict.sources_unavailable.includes(id)))
    list(
      'address_lists',
      'Lists that name its addresses',
      'lists',
      named.includes(null) ? null : named.flatMap((one) => one ?? []),
    );
  // A part that is not known would change the grade of the whole.
  if (verdict.sources_unavailable.length === 0) value('risk_grade', 'Risk grade', 'risk', risk.grade, 'grade');
  return facts;
}

/** What protects the mail of a domain. A check that could not be made is left out. */
export function factsOfPosture({ all_findings, posture_grade, verdict }: Posture): ExaminedFacts {
  const facts: Record<string, ExaminedFact> = {};
  const byCheck = Map.groupBy(all_findings, ({ check }) => check);
  for (const [check, findings] of byCheck) {
    if (findings.some(({ status }) => status === 'unknown')) continue;
    const open = findings
      .filter(({ status }) => status === 'warn' || status === 'fail')
      .map(({ id, severity, description }): [string, OpenFinding] => [id, { severity, text: description }]);
    facts[`mail_${check}`] = { kind: 'findings', label: 'Mail', source: 'dns', value: Object.fromEntries(open) };
  }
  const isWhole = verdict.sources_unavailable.length === 0 && all_findings.every(({ status }) => status !== 'unknown');
  if (isWhole && posture_grade !== null)
    facts['mail_grade'] = { kind: 'grade', label: 'Grade of mail', source: 'dns', value: posture_grade };
  return facts;
}

/** Which lists name an indicator, and the threat level where all that could were asked. */
export function factsOfIndicator({ threat_level, sources }: Indicator): ExaminedFacts {
  const asked = Object.entries(sources).filter(([, { status }]) => status !== 'not_applicable');
  const known = asked.filter(([, { status }]) => status === 'listed' || status === 'not_listed');
  const facts: Record<string, ExaminedFact> = {};
  for (const [name, { status }] of known) {
    const value = status === 'listed' ? 'listed' : 'not listed';
    facts[`list_${name}`] = { kind: 'value', label: name, source: name, value };
  }
  if (known.length === asked.length)
    facts['threat_level'] = { kind: 'grade', label: 'Threat level', source: 'lists', value: threat_level };
  return facts;
}

function dayOf(time: string | null): string | null {
  return time === null ? null : time.slice(0, 10);
}
