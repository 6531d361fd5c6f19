import ipaddr from 'ipaddr.js';
import { AddressFault, type AddressForm, isBlank, isControl, isHighControl, Scanner } from './scanner.ts';

/**
 * An e-mail address by the whole grammar of RFC 5322 (`addr-spec`), internationalised too (RFC 6531, 6532). `form` says what of it:
 * `plain`: what everybody uses; `smtp`: more of what RFC 5321 lets through (quoted local part, address literal, a domain of one
 * label); `commented`: comments or white space around; `obsolete`; `header`: beyond what SMTP can carry (too long, odd domain).
 */
export interface ParsedAddress {
  form: Exclude<AddressForm, 'broken'>;
  /** Why it is not `plain`. */
  note: string | null;
  /** Without comments; quotes where it has any. */
  local: string;
  /** Without comments, as written; of a literal with its brackets. */
  domain: string;
  isLiteral: boolean;
  /** Beyond ASCII in the local part: needs SMTPUTF8 on the way. */
  needsUtf8: boolean;
}

export type AddressReading = ParsedAddress | { form: 'broken'; note: string };

const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;
const MAX_LABEL = 63;
/** RFC 5321, 4.5.3.1.3, less the angle brackets. */
const MAX_ADDRESS = 254;

export function parseAddress(text: string): AddressReading {
  const scanner = new Scanner(text.normalize('NFC'));
  try {
    const local = readLocal(scanner);
    const { domain, isLiteral } = readDomain(scanner);
    checkLengths(scanner, local, domain, isLiteral);
    const form = scanner.form as ParsedAddress['form'];
    return { form, note: scanner.note, local, domain, isLiteral, needsUtf8: /[^\0-\x7f]/.test(local) };
  } catch (error) {
    if (error instanceof AddressFault) return { form: 'broken', note: error.message };
    throw error;
  }
}

function readLocal(scanner: Scanner): string {
  const words: string[] = [];
  let quoted = 0;
  if (scanner.skipCommentsAndSpace()) scanner.atBest('commented', 'a comment or blanks before the address');
  for (;;) {
    if (scanner.next === '"') {
      words.push(readQuoted(scanner));
      quoted++;
    } else {
      words.push(readAtom(scanner, words.length === 0 ? 'local part' : 'part after a dot'));
    }
    const spaced = scanner.skipCommentsAndSpace();
    if (scanner.next === '@') {
      if (spaced) scanner.atBest('obsolete', 'a comment or blanks beside the @');
      break;
    }
    if (scanner.ended) throw new AddressFault('has no @ and domain');
    if (scanner.next !== '.') throw new AddressFault('has characters in its local part that it must not have');
    scanner.take();
    if (scanner.skipCommentsAndSpace() || spaced) scanner.atBest('obsolete', 'comments or blanks around a dot');
  }
  scanner.take();
  if (quoted > 0 && words.length > 1) scanner.atBest('obsolete', 'quotes around a part of the local part');
  else if (quoted > 0) scanner.atBest('smtp', 'a quoted local part');
  return words.join('.');
}

function readQuoted(scanner: Scanner): string {
  let text = scanner.take();
  for (;;) {
    if (scanner.next === '\r') {
      scanner.skipSpace();
      text += ' ';
      continue;
    }
    const point = scanner.take();
    if (point === '') throw new AddressFault('has a quote that is not closed');
    text += point;
    if (point === '"') return text;
    if (point === '\\') text += scanner.takeEscaped();
    else if (!isBlank(point)) scanner.checkText(point, 'a quoted part');
  }
}

function readAtom(scanner: Scanner, what: string): string {
  let text = '';
  while (isAtomText(scanner.next)) text += scanner.take();
  if (text === '') throw new AddressFault(`has an empty ${what}, or characters in it that it must not have`);
  return text;
}

/** RFC 5322, section 3.2.3, and what RFC 6532 adds. */
function isAtomText(point: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]$/.test(point) || (point > '\x7f' && !isHighControl(point));
}

function readDomain(scanner: Scanner): { domain: string; isLiteral: boolean } {
  if (scanner.skipCommentsAndSpace()) scanner.atBest('obsolete', 'a comment or blanks beside the @');
  if (scanner.ended) throw new AddressFault('has no domain');
  const isLiteral = scanner.next === '[';
  const domain = isLiteral ? readLiteral(scanner) : readName(scanner);
  if (isLiteral && scanner.skipCommentsAndSpace()) scanner.atBest('commented', 'a comment or blanks after the address');
  if (!scanner.ended) throw new AddressFault('has characters in its domain that it must not have');
  return { domain, isLiteral };
}

function readName(scanner: Scanner): string {
  const labels: string[] = [];
  for (;;) {
    labels.push(readLabel(scanner));
    const spaced = scanner.skipCommentsAndSpace();
    if (scanner.ended && spaced) scanner.atBest('commented', 'a comment or blanks after the address');
    if (scanner.next !== '.') break;
    scanner.take();
    if (scanner.skipCommentsAndSpace() || spaced) scanner.atBest('obsolete', 'comments or blanks around a dot');
  }
  const top = labels.at(-1)!;
  if (labels.length === 1) scanner.atBest('smtp', 'a domain of one label');
  else if (/^\d+$/.test(top)) scanner.atBest('smtp', 'a top-level domain of digits');
  return labels.join('.');
}

function readLabel(scanner: Scanner): string {
  const label = readAtom(scanner, 'label in its domain');
  if (/^-|-$/.test(label)) throw new AddressFault('has a label in its domain that begins or ends with a hyphen');
  if (!/^[^\0-\x7f]*$/.test(label.replace(/[A-Za-z0-9-]/g, '')))
    scanner.atBest('header', 'a domain with characters that host names do not have');
  if (octets(label) > MAX_LABEL && !/[^\0-\x7f]/.test(label))
    scanner.atBest('header', 'a label of more than 63 characters');
  return label;
}

function readLiteral(scanner: Scanner): string {
  let text = scanner.take();
  for (;;) {
    const spaced = scanner.skipSpace();
    if (spaced) text += ' ';
    const point = scanner.take();
    if (point === '') throw new AddressFault('has a bracket that is not closed');
    text += point;
    if (point === ']') break;
    if (point === '\\') {
      text += scanner.takeEscaped();
      scanner.atBest('header', 'an escape in a literal');
    } else if (point === '[' || ['\0', '\n', '\r'].includes(point) || point > '\x7f') {
      throw new AddressFault('has characters in its literal that it must not have');
    } else if (isControl(point)) scanner.atBest('header', 'a control character in a literal');
  }
  judgeLiteral(scanner, text.slice(1, -1));
  return text;
}

function judgeLiteral(scanner: Scanner, text: string): void {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return scanner.atBest('smtp', 'an address literal');
  const address = /^IPv6:/i.test(text) ? text.slice(5) : '';
  if (address === '' || address.includes('%') || !ipaddr.IPv6.isValid(address))
    return scanner.atBest('header', 'a literal that is no address');
  // Two colons stand for two groups at least (RFC 5321, section 4.1.3).
  const groups = address.split(/:+/).filter((group) => group !== '').length + (address.includes('.') ? 1 : 0);
  if (address.includes('::') && groups > 6)
    return scanner.atBest('obsolete', 'an IPv6 address with :: for a single group');
  return scanner.atBest('smtp', 'an address literal');
}

function checkLengths(scanner: Scanner, local: string, domain: string, isLiteral: boolean): void {
  if (octets(local) > MAX_LOCAL) scanner.atBest('header', 'a local part of more than 64 octets');
  if (!isLiteral && octets(domain) > MAX_DOMAIN) scanner.atBest('header', 'a domain of more than 255 octets');
  if (octets(local) + 1 + octets(domain) > MAX_ADDRESS) scanner.atBest('header', 'more than 254 octets');
}

function octets(text: string): number {
  return new TextEncoder().encode(text).length;
}
