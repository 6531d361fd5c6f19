export type RobotsRecordName = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay' | 'host';

/** One record: `name: value`, without comment. `name` null: unknown. */
export interface RobotsRecord {
  name: RobotsRecordName | null;
  value: string;
}

/** The rest of a longer line is ignored. Eight times the longest URL of old browsers. */
const MAX_LINE_LENGTH = 16_663;

/** Common misspellings are accepted. */
const RECORD_NAMES: ReadonlyMap<string, RobotsRecordName> = new Map([
  ['user-agent', 'user-agent'],
  ['useragent', 'user-agent'],
  ['user agent', 'user-agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['crawl-delay', 'crawl-delay'],
  ['host', 'host'],
]);

/** The records of a robots.txt in order (RFC 9309, section 2.2); lines end with LF, CR or both. */
export function* parseRobotsRecords(text: string): Generator<RobotsRecord> {
  for (const line of text.split(/\r\n|\n|\r/)) {
    const record = parseRecord(line.slice(0, MAX_LINE_LENGTH));
    if (record !== null) yield record;
  }
}

function parseRecord(line: string): RobotsRecord | null {
  const comment = line.indexOf('#');
  const content = trimBlanks(comment === -1 ? line : line.slice(0, comment));
  const colon = content.indexOf(':');
  if (colon !== -1) return toRecord(content.slice(0, colon), content.slice(colon + 1));
  // Without a colon: exactly two words.
  const [name, value, ...more] = content.split(/[ \t]+/, 3);
  return name === undefined || value === undefined || more.length > 0 ? null : toRecord(name, value);
}

function toRecord(name: string, value: string): RobotsRecord {
  return { name: RECORD_NAMES.get(trimBlanks(name).toLowerCase()) ?? null, value: trimBlanks(value) };
}

/** Removes blanks and tabs at both ends. `trim` would also remove a byte order mark. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}
