import { findMailProvider } from '../mail-providers.ts';
import { repairSpfRecord } from '../spf/repair-spf-record.ts';
import { nextDmarcStep } from './dmarc-step.ts';
import { hasNullMx, type MailFacts } from './mail-facts.ts';

/** A DNS record that mends a finding. */
export interface SuggestedRecord {
  name: string;
  type: 'TXT';
  value: string;
}

type Suggest = (facts: MailFacts, domain: string) => SuggestedRecord | null;

const SPF_ALL = /(^|\s)[+?~-]?all(?=\s|$)/i;

/**
 * The record to publish, by the id of the finding. It keeps what is published and changes what the finding is about; where nothing is
 * published it is the mildest that is safe to begin with. Not for findings that need knowledge of who sends mail.
 */
const SUGGESTIONS: Readonly<Record<string, Suggest>> = {
  spf_missing: (facts, domain) => txt(domain, receivesMail(facts) ? `v=spf1 ${sendersOf(facts)} ~all` : 'v=spf1 -all'),
  spf_syntax: ({ spf: { records } }, domain) => {
    const repair = records.length === 1 ? repairSpfRecord(records[0]!) : null;
    return repair === null ? null : txt(domain, repair.record);
  },
  spf_pass_all: withSpfAll('~all'),
  spf_neutral_all: withSpfAll('~all'),
  spf_softfail: withSpfAll('-all'),
  spf_no_all: ({ spf: { records } }, domain) =>
    records.length === 1 && !/\bredirect=/i.test(records[0]!) ? txt(domain, `${records[0]!.trim()} ~all`) : null,
  spf_unreached_terms: moveAllToTheEnd,
  dmarc_missing: nextDmarc,
  dmarc_malformed: nextDmarc,
  dmarc_broken: nextDmarc,
  dmarc_no_policy: nextDmarc,
  dmarc_policy_none: nextDmarc,
  dmarc_policy_quarantine: nextDmarc,
  dmarc_subdomains_weaker: nextDmarc,
  dmarc_testing: nextDmarc,
  dmarc_pct: nextDmarc,
  dmarc_no_reports: nextDmarc,
  mta_sts_missing: firstMtaSts,
  mta_sts_bad_id: firstMtaSts,
  tls_rpt_missing: firstTlsRpt,
  tls_rpt_no_address: firstTlsRpt,
};

/** The record that mends a finding of the mail posture; null where it cannot be written without knowing more. */
export function suggestMailRecord(findingId: string, facts: MailFacts, domain: string): SuggestedRecord | null {
  return Object.hasOwn(SUGGESTIONS, findingId) ? SUGGESTIONS[findingId]!(facts, domain) : null;
}

/** What stands behind `all` was meant to count; what is let send so is more than before, and what was named. */
function moveAllToTheEnd({ spf: { records } }: MailFacts, domain: string): SuggestedRecord | null {
  const [record, ...others] = records;
  const all = record === undefined ? undefined : SPF_ALL.exec(record)?.[0].trim();
  return record === undefined || others.length > 0 || all === undefined
    ? null
    : txt(domain, `${record.replace(SPF_ALL, '').trim()} ${all}`);
}

function txt(name: string, value: string): SuggestedRecord {
  return { name, type: 'TXT', value };
}

/** Any id does for the first policy; a later one needs another. */
function firstMtaSts(_: MailFacts, domain: string): SuggestedRecord {
  return txt(`_mta-sts.${domain}`, 'v=STSv1; id=1');
}

function firstTlsRpt(_: MailFacts, domain: string): SuggestedRecord {
  return txt(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=mailto:tls-reports@${domain}`);
}

/** Services that send from other servers than they receive with, and what they document for SPF. */
const SPF_OF_PROVIDER: Readonly<Record<string, string>> = {
  'Google Workspace': 'include:_spf.google.com',
  'Microsoft 365': 'include:spf.protection.outlook.com',
  'Proton Mail': 'include:_spf.protonmail.ch',
  Fastmail: 'include:spf.messagingengine.com',
  'iCloud Mail': 'include:icloud.com',
  Infomaniak: 'include:spf.infomaniak.ch',
  Migadu: 'include:spf.migadu.com',
};

/** Who sends, as far as the MX records show it. */
function sendersOf({ mx }: MailFacts): string {
  const provider = findMailProvider((mx ?? []).map(({ exchange }) => exchange));
  return (provider === null ? undefined : SPF_OF_PROVIDER[provider]) ?? 'mx';
}

/** The same record for each finding of DMARC. */
function nextDmarc(facts: MailFacts, domain: string): SuggestedRecord | null {
  const step = nextDmarcStep(facts, domain);
  return step === null ? null : txt(`_dmarc.${domain}`, step.value);
}

/**
 * Only where the domain's own record says it: one that it redirects to is somebody else's. A record that names nobody else would then
 * let nobody send: where mail is received, its servers are named.
 */
function withSpfAll(all: string): Suggest {
  return (facts, domain) => {
    const [record, ...others] = facts.spf.records;
    if (record === undefined || others.length > 0 || !SPF_ALL.test(record)) return null;
    const namesNobody = record.replace(SPF_ALL, '').trim().toLowerCase() === 'v=spf1';
    return txt(
      domain,
      record.replace(SPF_ALL, namesNobody && receivesMail(facts) ? `$1${sendersOf(facts)} ${all}` : `$1${all}`),
    );
  };
}

function receivesMail(facts: MailFacts): boolean {
  return !hasNullMx(facts) && facts.mx?.length !== 0;
}
