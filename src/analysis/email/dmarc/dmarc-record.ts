import { hasVersionTag, parseTagList } from '../tag-list.ts';
import { normalizeDnsName } from '../../domain-name.ts';

export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** A DMARC record (RFC 9989, section 4.7; `pct` as in RFC 7489). */
export interface DmarcRecord {
  text: string;
  /** Null: absent or none of the three. */
  policy: DmarcPolicy | null;
  /** `sp`, or what stands in for it: the policy. */
  subdomainPolicy: DmarcPolicy | null;
  /** `np`, of subdomains that do not exist, or what stands in for it. */
  absentPolicy: DmarcPolicy | null;
  /** `t=y`: wants to be judged one step milder. */
  testing: boolean;
  /** Share of messages, 0 to 100; RFC 9989 knows it no longer. */
  pct: number;
  alignment: { spf: 'relaxed' | 'strict'; dkim: 'relaxed' | 'strict' };
  ruaUris: readonly string[];
  rufUris: readonly string[];
  /** Public suffix: `y` and `n` as written, `u` undecided. */
  psd: 'y' | 'n' | 'u';
  /** Tags that are broken, in words. */
  problems: readonly string[];
}

const DMARC_POLICIES: ReadonlySet<string> = new Set<DmarcPolicy>(['none', 'quarantine', 'reject']);
const MAX_URIS = 20;

export function isDmarcRecord(text: string): boolean {
  return hasVersionTag(text, 'DMARC1');
}

/** Whether a text is meant as a DMARC record but is not valid: its version is written otherwise, or is not its first tag (RFC 9989, 4.7). */
export function isMalformedDmarcRecord(text: string): boolean {
  return (
    !isDmarcRecord(text) &&
    (/(?:^|;)\s*v\s*=\s*"?DMARC/i.test(text) || /^\s*p\s*=\s*(?:none|quarantine|reject)\b/i.test(text))
  );
}

/** Reads a record that begins with `v=DMARC1`. What is broken counts as absent, as the standard has it, and is named. */
export function parseDmarcRecord(text: string): DmarcRecord {
  const faults: string[] = [];
  const tags = parseTagList(text) ?? parseTagsLenient(text, faults);
  const policyOf = (name: string): DmarcPolicy | null => {
    const value = tags.get(name)?.toLowerCase();
    if (value === undefined) return null;
    if (DMARC_POLICIES.has(value)) return value as DmarcPolicy;
    faults.push(`${name}=${value} is not none, quarantine or reject`);
    return null;
  };
  const ruaUris = parseReportUris(tags.get('rua'));
  const stated = policyOf('p');
  if (stated === null && !tags.has('p')) faults.push('there is no p tag');
  // Without a usable policy a record that asks for reports is one of `none` (RFC 9989, 4.7).
  const policy = stated ?? (ruaUris.length > 0 ? 'none' : null);
  const subdomainPolicy = policyOf('sp') ?? policy;
  const written = tags.get('pct') ?? '100';
  const pct = Number(written);
  const validPct = /^\d{1,3}$/.test(written) && pct <= 100;
  if (!validPct) faults.push('pct is not a number from 0 to 100');
  const psd = tags.get('psd')?.toLowerCase();
  return {
    text,
    policy,
    subdomainPolicy,
    absentPolicy: policyOf('np') ?? subdomainPolicy,
    testing: tags.get('t')?.toLowerCase() === 'y',
    pct: validPct ? pct : 100,
    alignment: { spf: parseAlignment(tags.get('aspf')), dkim: parseAlignment(tags.get('adkim')) },
    ruaUris,
    rufUris: parseReportUris(tags.get('ruf')),
    psd: psd === 'y' || psd === 'n' ? psd : 'u',
    problems: faults,
  };
}

/** Tag by tag, where the list as a whole is broken: the first of each name counts. */
function parseTagsLenient(text: string, faults: string[]): Map<string, string> {
  faults.push('a part is no tag, or a tag stands there twice');
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

/** Addresses of reports; a size limit (`!10m`) is not part of the address. */
function parseReportUris(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((uri) => uri.trim().replace(/!\d+[kmgt]?$/i, ''))
    .filter((uri) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(uri))
    .slice(0, MAX_URIS);
}

/** The domain that a `mailto:` address is at; null for other addresses. */
export function mailtoDomain(uri: string): string | null {
  const [, domain] = /^mailto:[^@?]*@([^@?]+)/i.exec(uri) ?? [];
  return domain === undefined ? null : normalizeDnsName(domain);
}
