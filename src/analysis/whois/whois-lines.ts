import { factOfKey, isHeading } from './fact-vocabulary.ts';
import { normalizeKey } from './key-grammar.ts';

/** A line by its form. Keys and headings as `normalizeKey` makes them; `indent`: number of spaces before it. */
export type WhoisLine =
  | { form: 'blank' }
  | { form: 'field'; key: string; value: string; indent: number; afterBlank: boolean; valueColumn: number }
  | { form: 'heading'; heading: string; indent: number }
  | { form: 'date sentence'; key: string; value: string; indent: number }
  | { form: 'text'; text: string; indent: number };

const MAX_LINES = 2000;
const MAX_LINE = 1000;
const COMMENT = /^\s*(?:[%#;]|>>>|\/\/)/;
/** `a. [Domain Name]  EXAMPLE.TEST`, `a [Domain Name] EXAMPLE.TEST` */
const BRACKETED = /^\s*(?:[a-z]{1,2}\.?\s+|[a-z]\.)?\[([^\]\s][^\]]{0,60})\]\s*(.*)$/;
/** `Domain Name: EXAMPLE.TEST` */
const KEYED = /^([^:]{1,80}?)[\s.…]*:(?!\/\/)\s*(.*)$/;
/** `domain.......: example.test` */
const DOTTED = /^([^.:#]{2,60})#?(?: ?\.){4,}[ :]*(.*)$/;
/** `Domain-name     example.test` */
const COLUMNS = /^(\S+(?: \S+){0,4})\s{2,}(\S.*)$/;
/** `example.test. 3600 IN NS ns1.example.net.`: a line of a zone file (RFC 1035, 5.1). */
const ZONE_LINE = /^\S+\s+(?:\d+\s+)?(?:IN\s+)?NS\s+(\S+)$/i;
/** `Domain EXAMPLE.TEST (ACTIVE)` */
const DOMAIN_WITH_STATUS = /^domain\s+([^\s:]+\.[^\s:]+)\s+\(([\p{L} _-]{2,40})\)$/iu;
/** The first line of a server that says nothing but pairs of the name and a name server. */
const PAIRS_BANNER = /^Tonic whoisd\b/i;
const PAIR = /^[a-z0-9-]+ ([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;
/** More words make a sentence with a colon, not a key; bilingual keys have twice as many as others. */
const MAX_KEY_WORDS = 9;
/** An attribute of a referral WHOIS object (RFC 2167) that does not point to another object. */
const REFERRAL = /^domain:([A-Za-z-]{1,40}):(.*)$/;

/** The lines of a WHOIS text, without comments. */
export function* whoisLines(text: string): Generator<WhoisLine> {
  let afterBlank = true;
  const hasPairs = PAIRS_BANNER.test(text);
  for (const raw of text.split(/\r\n?|\n/, MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE).replaceAll('\t', '    ').trimEnd();
    const body = line.trimStart().replace(/^\*\* /, '');
    const isBlank = body === '' || /^[-*=_]+$/.test(body);
    if (!isBlank && COMMENT.test(line)) continue;
    const named = DOMAIN_WITH_STATUS.exec(body);
    const pair = hasPairs ? PAIR.exec(body) : null;
    if (pair !== null)
      yield { form: 'field', key: 'nserver', value: pair[1]!, indent: 0, afterBlank: false, valueColumn: 0 };
    else if (named === null) yield isBlank ? { form: 'blank' } : parseLine(line, body, afterBlank);
    else yield* domainWithStatus(named, afterBlank);
    afterBlank = isBlank;
  }
}

function* domainWithStatus([, domain = '', status = '']: RegExpExecArray, afterBlank: boolean): Generator<WhoisLine> {
  const place = { form: 'field', indent: 0, valueColumn: 0 } as const;
  yield { ...place, key: 'domain', value: domain, afterBlank };
  yield { ...place, key: 'status', value: status, afterBlank: false };
}

function parseLine(line: string, body: string, afterBlank: boolean): WhoisLine {
  const indent = line.length - line.trimStart().length;
  const field = parseField(body);
  if (field !== null)
    return { form: 'field', ...field, indent, afterBlank, valueColumn: line.length - field.value.length };
  const heading = normalizeKey(body);
  if (isHeading(heading)) return { form: 'heading', heading, indent };
  const date = parseDateSentence(body);
  return date === null ? { form: 'text', text: body, indent } : { form: 'date sentence', ...date, indent };
}

function parseField(body: string): { key: string; value: string } | null {
  const marked = BRACKETED.exec(body) ?? DOTTED.exec(body) ?? REFERRAL.exec(body);
  if (marked !== null) return { key: normalizeKey(marked[1]!), value: marked[2]!.trim() };
  const zoneLine = ZONE_LINE.exec(body);
  if (zoneLine !== null) return { key: 'nserver', value: zoneLine[1]! };
  const keyed = KEYED.exec(body);
  if (keyed !== null) {
    const key = normalizeKey(keyed[1]!);
    const isKey = key !== '' && key.split(' ').length <= MAX_KEY_WORDS && !/^\d+\D+\d/.test(keyed[1]!);
    if (isKey && parseDateSentence(body) === null) return { key, value: keyed[2]! };
  }
  const columns = COLUMNS.exec(body);
  if (columns === null || /[.,;]$/.test(columns[1]!)) return null;
  const key = normalizeKey(columns[1]!);
  return factOfKey(key) === null ? null : { key, value: columns[2]! };
}

/** `Record created on 22-Apr-2003`: a key that means a date, followed by one. */
function parseDateSentence(body: string): { key: string; value: string } | null {
  const words = body.split(/\s+/, 8);
  for (let count = Math.min(5, words.length - 1); count >= 2; count--) {
    const start = words.slice(0, count).join(' ');
    if (/[:\d]/.test(start) || /^last\b/i.test(start)) continue;
    const key = normalizeKey(start);
    const fact = factOfKey(key);
    if (fact !== 'created' && fact !== 'updated' && fact !== 'expires') continue;
    const value = words.slice(count).join(' ');
    if (/^\W*\w*\d/.test(value)) return { key, value };
  }
  return null;
}
