import { hasNullMx, type MailFacts, sendsNoMail } from './mail-facts.ts';

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
  spf_missing: (facts, domain) =>
    txt(domain, hasNullMx(facts) || facts.mx?.length === 0 ? 'v=spf1 -all' : 'v=spf1 mx ~all'),
  spf_pass_all: withSpfAll('~all'),
  spf_neutral_all: withSpfAll('~all'),
  spf_softfail: withSpfAll('-all'),
  spf_no_all: ({ spf: { records } }, domain) =>
    records.length === 1 && !/\bredirect=/i.test(records[0]!) ? txt(domain, `${records[0]!.trim()} ~all`) : null,
  dmarc_missing: firstDmarc,
  dmarc_malformed: firstDmarc,
  dmarc_no_policy: withDmarcTags((facts) => ({ p: sendsNoMail(facts) ? 'reject' : 'none' })),
  dmarc_policy_none: withDmarcTags((facts, domain) => ({
    p: sendsNoMail(facts) ? 'reject' : 'quarantine',
    sp: null,
    ...(facts.dmarc.record?.ruaUris.length === 0 && { rua: reportAddress(domain) }),
  })),
  dmarc_policy_quarantine: withDmarcTags(() => ({ p: 'reject' })),
  dmarc_subdomains_weaker: withDmarcTags(() => ({ sp: null })),
  dmarc_testing: withDmarcTags(() => ({ t: null })),
  dmarc_pct: withDmarcTags(() => ({ pct: null })),
  dmarc_no_reports: withDmarcTags((_, domain) => ({ rua: reportAddress(domain) })),
  tls_rpt_missing: (_, domain) => txt(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=mailto:tls-reports@${domain}`),
};

/** The record that mends a finding of the mail posture; null where it cannot be written without knowing more. */
export function suggestMailRecord(findingId: string, facts: MailFacts, domain: string): SuggestedRecord | null {
  return Object.hasOwn(SUGGESTIONS, findingId) ? SUGGESTIONS[findingId]!(facts, domain) : null;
}

function txt(name: string, value: string): SuggestedRecord {
  return { name, type: 'TXT', value };
}

function reportAddress(domain: string): string {
  return `mailto:dmarc-reports@${domain}`;
}

function firstDmarc(facts: MailFacts, domain: string): SuggestedRecord {
  const policy = sendsNoMail(facts) ? 'reject' : 'none';
  return txt(`_dmarc.${domain}`, `v=DMARC1; p=${policy}; rua=${reportAddress(domain)}`);
}

/** Only where the domain's own record says it: one that it redirects to is somebody else's. */
function withSpfAll(all: string): Suggest {
  return ({ spf: { records } }, domain) => {
    const [record] = records;
    if (record === undefined || records.length > 1 || !SPF_ALL.test(record)) return null;
    return txt(domain, record.replace(SPF_ALL, `$1${all}`));
  };
}

/** The record as published with some tags set, or left out (null). Only where the record is the domain's own. */
function withDmarcTags(change: (facts: MailFacts, domain: string) => Record<string, string | null>): Suggest {
  return (facts, domain) => {
    const { record, foundAt } = facts.dmarc;
    if (record === null || foundAt !== domain) return null;
    const tags = new Map<string, string>();
    for (const tag of record.text.split(';')) {
      const [name = '', ...value] = tag.split('=');
      if (value.length > 0) tags.set(name.trim().toLowerCase(), value.join('=').trim());
    }
    const { v = 'DMARC1', p = 'none', ...others } = { ...Object.fromEntries(tags), ...change(facts, domain) };
    const rest = Object.entries(others).flatMap(([name, value]) => (value === null ? [] : `${name}=${value}`));
    return txt(`_dmarc.${domain}`, [`v=${v}`, `p=${p}`, ...rest].join('; '));
  };
}
