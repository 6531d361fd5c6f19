import { FACT_BY_KEY, SECTION_BY_HEADING, OBJECT_START_KEYS } from './fact-vocabulary.ts';

/** A key with its value, and the heading that they stand under ('' without a heading). Keys and headings as `keyOf` makes them. */
export interface WhoisField {
  section: string;
  key: string;
  value: string;
}

const MAX_LINES = 2000;
const MAX_LINE = 1000;
const COMMENT = /^\s*(?:[%#;]|>>>|\/\/)/;
const BRACKETED = /^\s*(?:[a-z]\.\s*)?\[([^\]\s][^\]]{0,60})\]\s*(.*)$/;
const KEYED = /^([^:]{1,80}?)[\s.…]*:(?!\/\/)\s*(.*)$/;
const LEADERS = /^([^.:#]{2,60})#?(?: ?\.){4,}[ :]*(.*)$/;
const SPACED = /^(\S+(?: \S+){0,4})\s{2,}(\S.*)$/;
/** An attribute of a referral WHOIS object (RFC 2167); not one that points to another object. */
const REFERRAL = /^domain:([A-Za-z-]{1,40}):(.*)$/;

/** The form in which keys are compared: lower case, without accents, digits and marks. */
export function normalizeKey(text: string): string {
  return text
    .replace(/^\s*\d+[a-z]?\.\s+/, '')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

/** What a registrar's own object begins with, after the line that names it. */
const REGISTRAR_OBJECT_KEYS = new Set(['name', 'organization', 'type', 'handle']);

interface FieldBlock {
  heading: string;
  indent: number;
  /** Began a paragraph: what follows may stand as far left as itself. */
  startsParagraph: boolean;
  /** Holds lines that stand further right than its heading. */
  indented: boolean;
  filled: boolean;
}

/**
 * The fields of a WHOIS text, in whatever layout: `key: value`, `key` over indented values, `[key] value`, dotted leaders,
 * columns, sentences (`Record created on ...`), and sections of all these.
 */
export function parseWhoisFields(text: string): WhoisField[] {
  const fields: WhoisField[] = [];
  let block: FieldBlock | null = null;
  let object = '';
  let pending = false;
  let afterBlank = true;
  /** The field that may go on in the next line, and where its value stands. */
  let last: { field: WhoisField; column: number } | null = null;

  for (const raw of text.split(/\r\n?|\n/, MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE).replaceAll('\t', '    ').trimEnd();
    const body = line.trimStart().replace(/^\*\* /, '');
    if (body === '' || /^[-*=_]+$/.test(body)) {
      afterBlank = true;
      last = null;
      if (block !== null && (block.filled || closesAtBlank(block.heading))) block = null;
      continue;
    }
    if (COMMENT.test(line)) continue;
    const indent = line.length - line.trimStart().length;
    const fresh = afterBlank;
    afterBlank = false;

    const keyed = parseKeyedLine(body);
    if (keyed !== null) {
      if (block !== null && indent <= block.indent && (block.indented || !block.startsParagraph)) block = null;
      if (pending && REGISTRAR_OBJECT_KEYS.has(keyed.key)) object = 'registrar';
      if (fresh && block === null) object = OBJECT_START_KEYS.has(keyed.key) ? keyed.key : '';
      pending = fresh && keyed.key === 'registrar';
      if (keyed.value === '') {
        block = { heading: keyed.key, indent, startsParagraph: fresh, indented: false, filled: false };
        last = null;
        continue;
      }
      if (block !== null) {
        block.filled = true;
        if (indent > block.indent) block.indented = true;
      }
      const field = { section: block?.heading ?? object, ...keyed };
      fields.push(field);
      last = { field, column: line.length - keyed.value.length };
      continue;
    }
    const heading = normalizeKey(body);
    if (SECTION_BY_HEADING.has(heading)) {
      block = { heading, indent, startsParagraph: true, indented: false, filled: false };
      continue;
    }
    const said = parseDateSentence(body);
    if (said !== null) {
      if (block?.indented === true && indent <= block.indent) block = null;
      fields.push({ section: block?.heading ?? object, ...said });
      last = null;
    } else if (last !== null && last.column > 4 && indent >= last.column - 2) {
      fields.push({ ...last.field, value: body });
    } else if (block !== null && !(block.indented && indent <= block.indent)) {
      block.filled = true;
      if (indent > block.indent) block.indented = true;
      fields.push({ section: block.heading, key: block.heading, value: body });
    }
  }
  return fields;
}

/** A heading of servers may stand apart from them; any other fact without a value has none. */
function closesAtBlank(heading: string): boolean {
  return FACT_BY_KEY.has(heading) && FACT_BY_KEY.get(heading) !== 'nameServer';
}

function parseKeyedLine(body: string): { key: string; value: string } | null {
  const bracketed = BRACKETED.exec(body);
  if (bracketed !== null) return { key: normalizeKey(bracketed[1]!), value: bracketed[2]! };
  const led = LEADERS.exec(body) ?? REFERRAL.exec(body);
  if (led !== null) return { key: normalizeKey(led[1]!), value: led[2]!.trim() };
  const keyed = KEYED.exec(body);
  if (keyed !== null) {
    const key = normalizeKey(keyed[1]!);
    const value = keyed[2]!;
    if (key !== '' && key.split(' ').length <= 7 && !/^\d+\D+\d/.test(keyed[1]!) && parseDateSentence(body) === null)
      return { key, value };
  }
  const spaced = SPACED.exec(body);
  if (spaced !== null && !/[.,;]$/.test(spaced[1]!)) {
    const key = normalizeKey(spaced[1]!);
    if (FACT_BY_KEY.has(key)) return { key, value: spaced[2]! };
  }
  return null;
}

/** `Record created on 22-Apr-2003`: words that mean a date, and then one. */
function parseDateSentence(body: string): { key: string; value: string } | null {
  const words = body.split(/\s+/, 8);
  for (let count = Math.min(5, words.length - 1); count >= 2; count--) {
    const head = words.slice(0, count).join(' ');
    if (/[:\d]/.test(head) || /^last\b/i.test(head)) continue;
    const key = normalizeKey(head);
    const fact = FACT_BY_KEY.get(key);
    if (fact !== 'created' && fact !== 'updated' && fact !== 'expires') continue;
    const value = words.slice(count).join(' ');
    if (/^\W*\w*\d/.test(value)) return { key, value };
  }
  return null;
}
