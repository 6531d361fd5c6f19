import { FACT_BY_KEY, SECTION_BY_HEADING } from './fact-vocabulary.ts';

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
/** `a. [Domain Name]  EXAMPLE.TEST` */
const BRACKETED = /^\s*(?:[a-z]\.\s*)?\[([^\]\s][^\]]{0,60})\]\s*(.*)$/;
/** `Domain Name: EXAMPLE.TEST` */
const KEYED = /^([^:]{1,80}?)[\s.…]*:(?!\/\/)\s*(.*)$/;
/** `domain.......: example.test` */
const DOTTED = /^([^.:#]{2,60})#?(?: ?\.){4,}[ :]*(.*)$/;
/** `Domain-name     example.test` */
const COLUMNS = /^(\S+(?: \S+){0,4})\s{2,}(\S.*)$/;
/** An attribute of a referral WHOIS object (RFC 2167) that does not point to another object. */
const REFERRAL = /^domain:([A-Za-z-]{1,40}):(.*)$/;

/** The lines of a WHOIS text, without comments. */
export function* whoisLines(text: string): Generator<WhoisLine> {
  let afterBlank = true;
  for (const raw of text.split(/\r\n?|\n/, MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE).replaceAll('\t', '    ').trimEnd();
    const body = line.trimStart().replace(/^\*\* /, '');
    const isBlank = body === '' || /^[-*=_]+$/.test(body);
    if (!isBlank && COMMENT.test(line)) continue;
    yield isBlank ? { form: 'blank' } : parseLine(line, body, afterBlank);
    afterBlank = isBlank;
  }
}

function parseLine(line: string, body: string, afterBlank: boolean): WhoisLine {
  const indent = line.length - line.trimStart().length;
  const field = parseField(body);
  if (field !== null)
    return { form: 'field', ...field, indent, afterBlank, valueColumn: line.length - field.value.length };
  const heading = normalizeKey(body);
  if (SECTION_BY_HEADING.has(heading)) return { form: 'heading', heading, indent };
  const date = parseDateSentence(body);
  return date === null ? { form: 'text', text: body, indent } : { form: 'date sentence', ...date, indent };
}

function parseField(body: string): { key: string; value: string } | null {
  const marked = BRACKETED.exec(body) ?? DOTTED.exec(body) ?? REFERRAL.exec(body);
  if (marked !== null) return { key: normalizeKey(marked[1]!), value: marked[2]!.trim() };
  const keyed = KEYED.exec(body);
  if (keyed !== null) {
    const key = normalizeKey(keyed[1]!);
    const isKey = key !== '' && key.split(' ').length <= 7 && !/^\d+\D+\d/.test(keyed[1]!);
    if (isKey && parseDateSentence(body) === null) return { key, value: keyed[2]! };
  }
  const columns = COLUMNS.exec(body);
  if (columns === null || /[.,;]$/.test(columns[1]!)) return null;
  const key = normalizeKey(columns[1]!);
  return FACT_BY_KEY.has(key) ? { key, value: columns[2]! } : null;
}

/** `Record created on 22-Apr-2003`: a key that means a date, followed by one. */
function parseDateSentence(body: string): { key: string; value: string } | null {
  const words = body.split(/\s+/, 8);
  for (let count = Math.min(5, words.length - 1); count >= 2; count--) {
    const start = words.slice(0, count).join(' ');
    if (/[:\d]/.test(start) || /^last\b/i.test(start)) continue;
    const key = normalizeKey(start);
    const fact = FACT_BY_KEY.get(key);
    if (fact !== 'created' && fact !== 'updated' && fact !== 'expires') continue;
    const value = words.slice(count).join(' ');
    if (/^\W*\w*\d/.test(value)) return { key, value };
  }
  return null;
}

/** The form in which keys are compared: lower case, letters only, without accents, one space between words. */
function normalizeKey(text: string): string {
  return text
    .replace(/^\s*\d+[a-z]?\.\s+/, '')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}
