import { type DkimKey, dkimKeyStrength, parseDkimKey } from '../../src/analysis/email/dkim-key.ts';
import { lookUpDmarc } from '../../src/analysis/email/dmarc/look-up-dmarc.ts';
import { lookUpMxProblems } from '../../src/analysis/email/look-up-mx-problems.ts';
import { assessPosture } from '../../src/analysis/email/posture/assess-posture.ts';
import type {
  DkimFacts,
  MailFacts,
  MailServerFacts,
  MtaStsFacts,
} from '../../src/analysis/email/posture/mail-facts.ts';
import { checkHost } from '../../src/analysis/email/spf/check-host.ts';
import { lookUpSpf } from '../../src/analysis/email/spf/look-up-spf.ts';
import { formatTlsa, tlsaProblem, type TlsaRecord } from '../../src/analysis/email/tlsa.ts';
import {
  isHostCovered,
  parseBimiRecord,
  parseMtaStsPolicy,
  parseMtaStsRecord,
  parseTlsRptRecord,
} from '../../src/analysis/email/transport-records.ts';
import { findRecords, type Zone, zoneDns } from './zone-dns.ts';

/** What is said of a domain whose zone is a table. The words are those of the labels. */
export interface MailSurvey {
  spf: string;
  spfSenders: string[] | null;
  dmarc: string;
  dmarcFrom: string | null;
  /** State by selector. */
  dkim: ReadonlyMap<string, string>;
  mtaSts: string;
  tlsRpt: boolean;
  bimi: string;
  /** Ids of the findings. */
  findings: string[];
}

/** Addresses that no zone lists; a record that lets all of IPv4 send is still one that ends in its `all` for the other family. */
const STRANGERS = ['198.18.255.254', '3fff:ffff::1'] as const;

/** Examines a domain by the analyses alone, as `email_security_posture` does over the network; `policyFile`: that of MTA-STS. */
export async function surveyMail(domain: string, zone: Zone, policyFile: string | null): Promise<MailSurvey> {
  const dns = zoneDns(zone);
  const mx = (await dns.mx(domain)) ?? [];
  const ask = (ip: string) => checkHost({ ip, sender: `someone@${domain}`, helo: domain }, dns);
  const [spf, dmarc, mxProblems, four, six] = await Promise.all([
    lookUpSpf(domain, dns),
    lookUpDmarc(domain, dns, { exists: existsIn(zone, domain) }),
    lookUpMxProblems(mx, dns),
    ask(STRANGERS[0]),
    ask(STRANGERS[1]),
  ]);
  const texts = (name: string): string[] => (findRecords(zone, name, 'TXT') ?? []).map(String);
  const mtaSts = mtaStsFacts(
    texts(`_mta-sts.${domain}`),
    policyFile,
    mx.map(({ exchange }) => exchange).filter(Boolean),
  );
  const tlsRpt = parseTlsRptRecord(texts(`_smtp._tls.${domain}`));
  const bimi = parseBimiRecord(texts(`default._bimi.${domain}`));
  const dkim = dkimFacts(domain, zone);
  const facts: MailFacts = {
    mx,
    mxProblems,
    spf,
    dmarc,
    dkim,
    mtaSts,
    tlsRpt: { present: tlsRpt !== null, record: tlsRpt?.text ?? null, ruaUris: tlsRpt?.ruaUris ?? [] },
    bimi: bimi === null ? { present: false } : { present: true, ...bimi, logoProblems: null, markCertificate: null },
    servers: mx.map(({ exchange }) => serverFacts(exchange, zone)),
  };
  return {
    spf: four.result !== 'pass' ? four.result : six.result === 'pass' ? 'pass_all' : six.result,
    spfSenders: spf.senders === null ? null : [...new Set(spf.senders.flatMap(({ networks }) => networks))].sort(),
    dmarc: dmarcWord(dmarc),
    dmarcFrom: dmarc.record?.policy == null ? null : dmarc.foundAt,
    dkim: dkimStates(dkim),
    mtaSts: mtaStsWord(mtaSts),
    tlsRpt: tlsRpt !== null && tlsRpt.ruaUris.length > 0,
    bimi: bimi === null ? 'absent' : bimi.problems.length > 0 ? 'invalid' : 'valid',
    findings: assessPosture(facts)
      .findings.filter(({ status }) => status !== 'pass' && status !== 'unknown')
      .map(({ id }) => id),
  };
}

function existsIn(zone: Zone, domain: string): boolean {
  return Object.keys(zone).some((name) => name === domain || name.endsWith(`.${domain}`));
}

function dmarcWord({ malformed, record, effectivePolicy }: Awaited<ReturnType<typeof lookUpDmarc>>): string {
  if (effectivePolicy !== null) return effectivePolicy;
  return malformed !== null || record !== null ? 'malformed' : 'none_found';
}

function dkimFacts(domain: string, zone: Zone): DkimFacts {
  const suffix = `._domainkey.${domain}`;
  const selectors = Object.keys(zone)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length));
  const keys = selectors.flatMap((selector) =>
    (findRecords(zone, `${selector}${suffix}`, 'TXT') ?? []).flatMap((text) => {
      const key = parseDkimKey(String(text));
      return key === null ? [] : [{ selector, key }];
    }),
  );
  return {
    tested: selectors,
    unanswered: [],
    keys,
    unreadable: selectors.filter((selector) => !keys.some((key) => key.selector === selector)),
    wildcard: selectors.includes('*'),
  };
}

function dkimStates({ keys, unreadable }: DkimFacts): Map<string, string> {
  return new Map([
    ...unreadable.map((selector) => [selector, 'malformed'] as const),
    ...keys.map(({ selector, key }) => [selector, dkimState(key)] as const),
  ]);
}

function dkimState(key: DkimKey): string {
  const strength = dkimKeyStrength(key);
  if (strength === null) return 'revoked';
  if (strength === 'unreadable' || strength === 'unknown') return 'malformed';
  if (key.testing) return 'test';
  return strength === 'broken' ? 'weak' : 'valid';
}

function mtaStsFacts(texts: readonly string[], policyFile: string | null, hosts: readonly string[]): MtaStsFacts {
  const record = parseMtaStsRecord(texts);
  const facts = { present: record !== null, record: record?.text ?? null, id: record?.id ?? null };
  const none = { ...facts, policy: null, policyProblem: null, uncovered: [] };
  if (record === null) return none;
  if (policyFile === null) return { ...none, policyProblem: 'is answered with status 404' };
  const policy = parseMtaStsPolicy(policyFile);
  if (typeof policy === 'string') return { ...none, policyProblem: `cannot be used: ${policy}` };
  const uncovered = policy.mode === 'none' ? [] : hosts.filter((host) => !isHostCovered(policy, host));
  return { ...facts, policy, policyProblem: null, uncovered };
}

function mtaStsWord({ present, id, policy }: MtaStsFacts): string {
  if (!present) return 'absent';
  return id === null || policy === null ? 'invalid' : policy.mode;
}

/** As far as the DNS shows it: nobody is connected to. */
function serverFacts(host: string, zone: Zone): MailServerFacts {
  const records = (findRecords(zone, `_25._tcp.${host}`, 'TLSA') ?? []).flatMap((data) => toTlsaRecord(String(data)));
  const problems = records.map(tlsaProblem).filter((problem) => problem !== null);
  return {
    host,
    startTls: null,
    said: null,
    protocol: null,
    certificateProblem: null,
    notAfter: null,
    dane: {
      records: records.map(formatTlsa),
      signed: true,
      unsignedReason: null,
      usable: records.length - problems.length,
      problems,
      matches: null,
      fitting: null,
    },
  };
}

function toTlsaRecord(text: string): TlsaRecord[] {
  const [usage, selector, matchingType, ...data] = text.trim().split(/\s+/);
  if (matchingType === undefined) return [];
  return [
    {
      usage: Number(usage),
      selector: Number(selector),
      matchingType: Number(matchingType),
      data: data.join('').toLowerCase(),
    },
  ];
}
