import { hasVersionTag, parseTagList } from '../tag-list.ts';
import { normalizeDnsName } from '../../domain-name.ts';

export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A DMARC record (RFC 9989, section 4.7; `pct` as in RFC 7489). */
export interface DmarcRecord {
  text: string;
  /** Null: absent or not a known policy. */
  policy: DmarcPolicy | null;
  /** `p` is there and a known policy; without it `policy` is what receivers take the record for. */
  isPolicyStated: boolean;
  /** `sp`; default: the policy. */
  subdomainPolicy: DmarcPolicy | null;
  /** `np`, for subdomains that do not exist; default: `subdomainPolicy`. */
  absentPolicy: DmarcPolicy | null;
  /** `t=y`: receivers apply the next milder policy. */
  testing: boolean;
  /** Percentage of messages that the policy applies to; RFC 9989 has removed it. */
  pct: number;
  alignment: { spf: 'relaxed' | 'strict'; dkim: 'relaxed' | 'strict' };
  ruaUris: readonly string[];
  rufUris: readonly string[];
  /** Public suffix domain: `y` yes, `n` no, `u` not stated. */
  psd: 'y' | 'n' | 'u';
  /** What is wrong with its tags. */
  problems: readonly string[];
}

const DMARC_POLICIES: ReadonlySet<string> = new Set<DmarcPolicy>(['none', 'quarantine', 'reject']);
const MAX_URIS = 20;
/** The problem of a record without `p`, which findings of their own report. */
export const MISSING_POLICY = 'there is no p tag';

/** Whether a TXT record begins with `v=DMARC1`. */
export function isDmarcRecord(text: string): boolean {
  return hasVersionTag(text, 'DMARC1');
}

/** Whether a text is intended as a DMARC record but invalid: its version is misspelt or not the first tag (RFC 9989, 4.7). */
export function isMalformedDmarcRecord(text: string): boolean {
  return (
    !isDmarcRecord(text) &&
    (/(?:^|;)\s*v\s*=\s*"?DMARC/i.test(text) || /^\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(text))
  );
}

/** Parses a record that begins with `v=DMARC1`. Invalid tags count as absent, as in the standard, and are listed in `problems`. */
export function parseDmarcRecord(text: string): DmarcRecord {
  const problems: string[] = [];
  const tags = parseTagList(text) ?? parseTagsLenient(text, problems);
  const policyOf = (name: string): DmarcPolicy | null => {
    const value = tags.get(name)?.toLowerCase();
    if (value === undefined) return null;
    if (DMARC_POLICIES.has(value)) return value as DmarcPolicy;
    problems.push(`${name}=${value} is not none, quarantine or reject`);
    return null;
  };
  const ruaUris = parseReportUris(tags.get('rua'));
  const stated = policyOf('p');
  if (stated === null && !tags.has('p')) problems.push(MISSING_POLICY);
  // A record without a valid policy that has report addresses counts as `none` (RFC 9989, 4.7).
  const policy = stated ?? (ruaUris.length > 0 ? 'none' : null);
  const subdomainPolicy = policyOf('sp') ?? policy;
  const written = tags.get('pct') ?? '100';
  const pct = Number(written);
  const validPct = /^\d{1,3}$/.test(written) && pct <= 100;
  if (!validPct) problems.push('pct is not a number from 0 to 100');
  const psd = tags.get('psd')?.toLowerCase();
  return {
    text,
    policy,
    isPolicyStated: stated !== null,
    subdomainPolicy,
    absentPolicy: policyOf('np') ?? subdomainPolicy,
    testing: tags.get('t')?.toLowerCase() === 'y',
    pct: validPct ? pct : 100,
    alignment: { spf: parseAlignment(tags.get('aspf')), dkim: parseAlignment(tags.get('adkim')) },
    ruaUris,
    rufUris: parseReportUris(tags.get('ruf')),
    psd: psd === 'y' || psd === 'n' ? psd : 'u',
    problems,
  };
}

/** Parses tag by tag, for lists that are invalid as a whole; the first tag of a name counts. */
function parseTagsLenient(text: string, problems: string[]): Map<string, string> {
  problems.push('a part is not a tag, or a tag is repeated');
  const tags = new Map<string, string>();
  for (const part of text.split(';')) {
    const [name, value] = [...(parseTagList(part) ?? [])][0] ?? [];
    if (name !== undefined && value !== undefined && !tags.has(name)) tags.set(name, value);
  }
  return tags;
}

function parseAlignment(value: string | undefined): 'relaxed' | 'strict' {
  return value?.toLowerCase() === 's' ? 'strict' : 'relaxed';
}

/** URIs for reports, without their size limits (`!10m`). */
function parseReportUris(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((uri) => uri.trim().replace(/!\d+[kmgt]?$/i, ''))
    .filter((uri) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(uri))
    .slice(0, MAX_URIS);
}

/** The domain of a `mailto:` URI; null for other URIs. */
export function mailtoDomain(uri: string): string | null {
  const [, domain] = /^mailto:[^@?]*@([^@?]+)/i.exec(uri) ?? [];
  return domain === undefined ? null : normalizeDnsName(domain);
}
