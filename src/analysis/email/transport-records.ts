import { hasVersionTag, parseTagList } from './tag-list.ts';

/** Records of MTA-STS, TLS-RPT and BIMI, and the MTA-STS policy. */

/** The record at `_mta-sts` (RFC 8461, section 3.1); null: not exactly one begins with `v=STSv1`. */
export function parseMtaStsRecord(texts: readonly string[]): { text: string; id: string | null } | null {
  const records = texts.filter((text) => hasVersionTag(text, 'STSv1'));
  if (records.length !== 1) return null;
  const id = parseTagList(records[0]!)?.get('id') ?? null;
  return { text: records[0]!, id: id !== null && /^[a-z0-9]{1,32}$/i.test(id) ? id : null };
}

export interface MtaStsPolicy {
  mode: 'enforce' | 'testing' | 'none';
  /** Host names; `*.` at the start stands for one label. */
  mx: readonly string[];
  /** Seconds. */
  maxAge: number;
}

const MAX_AGE_SECONDS = 31_557_600;
const MAX_HOSTS = 100;

/** Parses the policy file (RFC 8461, section 3.2); a string says what is wrong with it. */
export function parseMtaStsPolicy(body: string): MtaStsPolicy | string {
  const fields = new Map<string, string[]>();
  for (const line of body.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const name = line.slice(0, colon).trim();
    fields.set(name, [...(fields.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const first = (name: string): string | undefined => fields.get(name)?.[0];
  const mode = first('mode');
  const maxAge = first('max_age') ?? '';
  const mx = (fields.get('mx') ?? []).map((host) => host.toLowerCase()).slice(0, MAX_HOSTS);
  if (first('version') !== 'STSv1') return 'its version is not STSv1';
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return 'its mode is not enforce, testing or none';
  if (!/^\d{1,10}$/.test(maxAge) || Number(maxAge) > MAX_AGE_SECONDS)
    return `its max_age is not a number of seconds up to ${MAX_AGE_SECONDS}`;
  if (mode !== 'none' && mx.length === 0) return 'it names no mail server';
  return { mode, mx, maxAge: Number(maxAge) };
}

/** Whether the policy allows mail delivery to a host (RFC 8461, section 4.1). */
export function isHostCovered(policy: MtaStsPolicy, host: string): boolean {
  const name = host.toLowerCase();
  return policy.mx.some((pattern) =>
    pattern.startsWith('*.')
      ? name.slice(name.indexOf('.')) === pattern.slice(1) && name.includes('.')
      : name === pattern,
  );
}

/** The record at `_smtp._tls` (RFC 8460, section 3); null: not exactly one begins with `v=TLSRPTv1`. */
export function parseTlsRptRecord(texts: readonly string[]): { text: string; ruaUris: string[] } | null {
  const records = texts.filter((text) => hasVersionTag(text, 'TLSRPTv1'));
  if (records.length !== 1) return null;
  const rua = parseTagList(records[0]!)?.get('rua') ?? '';
  const ruaUris = rua.split(',').map((uri) => uri.trim());
  return { text: records[0]!, ruaUris: ruaUris.filter((uri) => /^(?:mailto:\S+@\S+|https:\/\/\S+)$/i.test(uri)) };
}

export interface BimiRecord {
  text: string;
  /** URL of the logo; null: the domain does not want to show one. */
  logo: string | null;
  /** URL of the mark certificate (VMC, CMC); null: none. */
  evidence: string | null;
  /** What is wrong with it, so that mailbox providers pass over it. */
  problems: readonly string[];
}

/** The record at `default._bimi`; null: the domain has no such record. Where it has several, which is a fault, the first is shown. */
export function parseBimiRecord(texts: readonly string[]): BimiRecord | null {
  const records = texts.filter((text) => hasVersionTag(text, 'BIMI1'));
  const [text] = records;
  if (text === undefined) return null;
  const tags = parseTagList(text);
  const problems = [
    ...(records.length > 1 ? ['there are several records'] : []),
    ...(tags === null ? ['a part is not a tag, or a tag is repeated'] : []),
    ...(tags !== null && !tags.has('l') ? ['there is no l tag'] : []),
    ...urlProblems('l', tags?.get('l')),
    ...urlProblems('a', tags?.get('a')),
  ];
  return { text, logo: httpsUrlOrNull(tags?.get('l')), evidence: httpsUrlOrNull(tags?.get('a')), problems };
}

/** An empty tag says that there is no such file. */
function urlProblems(name: string, value: string | undefined): string[] {
  return value === undefined || value === '' || httpsUrlOrNull(value) !== null ? [] : [`${name} is not an https URL`];
}

function httpsUrlOrNull(uri: string | undefined): string | null {
  return uri !== undefined && /^https:\/\/\S+$/i.test(uri) ? uri : null;
}
