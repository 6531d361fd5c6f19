import ipaddr from 'ipaddr.js';
import {
  AddressSyntaxError,
  type AddressForm,
  isBlank,
  isControl,
  isHighControl,
  AddressScanner,
} from './address-scanner.ts';

/**
 * An e-mail address by the whole grammar of RFC 5322 (`addr-spec`), also internationalised (RFC 6531, 6532). `form`: `plain`: the usual
 * form; `smtp`: other forms that RFC 5321 allows (quoted local part, address literal, a domain of one label); `commented`: comments or
 * white space around; `obsolete`; `header`: not possible in SMTP (too long, unusual domain).
 */
export interface ParsedAddress {
  form: Exclude<AddressForm, 'broken'>;
  /** Why it is not `plain`. */
  note: string | null;
  /** Without comments, with its quotes. */
  local: string;
  /** Without comments, as written; a literal with its brackets. */
  domain: string;
  isLiteral: boolean;
  /** The local part is not ASCII: all mail servers on the way must support SMTPUTF8. */
  needsUtf8: boolean;
}

export type AddressParseResult = ParsedAddress | { form: 'broken'; note: string };

const MAX_LOCAL_OCTETS = 64;
const MAX_DOMAIN_OCTETS = 255;
const MAX_LABEL_OCTETS = 63;
/** RFC 5321, 4.5.3.1.3, without the angle brackets. */
const MAX_ADDRESS_OCTETS = 254;

/** Parses an address; a syntax error gives the form `broken`. Never throws. */
export function parseEmailAddress(text: string): AddressParseResult {
  const scanner = new AddressScanner(text.normalize('NFC'));
  try {
    const local = readLocal(scanner);
    const { domain, isLiteral } = readDomain(scanner);
    downgradeByLengths(scanner, local, domain, isLiteral);
    const form = scanner.form as ParsedAddress['form'];
    return { form, note: scanner.note, local, domain, isLiteral, needsUtf8: /[^\0-\x7f]/.test(local) };
  } catch (error) {
    if (error instanceof AddressSyntaxError) return { form: 'broken', note: error.message };
    throw error;
  }
}

function readLocal(scanner: AddressScanner): string {
  const words: string[] = [];
  let quoted = 0;
  if (scanner.skipCommentsAndSpace()) scanner.downgradeTo('commented', 'a comment or blanks before the address');
  for (;;) {
    if (scanner.nextPoint === '"') {
      words.push(readQuoted(scanner));
      quoted++;
    } else {
      words.push(readAtom(scanner, words.length === 0 ? 'local part' : 'part after a dot'));
    }
    const spaced = scanner.skipCommentsAndSpace();
    if (scanner.nextPoint === '@') {
      if (spaced) scanner.downgradeTo('obsolete', 'a comment or blanks beside the @');
      break;
    }
    if (scanner.isAtEnd) throw new AddressSyntaxError('has no @ and domain');
    if (scanner.nextPoint !== '.')
      throw new AddressSyntaxError('has characters in its local part that it must not have');
    scanner.take();
    if (scanner.skipCommentsAndSpace() || spaced) scanner.downgradeTo('obsolete', 'comments or blanks around a dot');
  }
  scanner.take();
  if (quoted > 0 && words.length > 1) scanner.downgradeTo('obsolete', 'quotes around a part of the local part');
  else if (quoted > 0) scanner.downgradeTo('smtp', 'a quoted local part');
  return words.join('.');
}

function readQuoted(scanner: AddressScanner): string {
  let text = scanner.take();
  for (;;) {
    if (scanner.nextPoint === '\r') {
      scanner.skipSpace();
      text += ' ';
      continue;
    }
    const point = scanner.take();
    if (point === '') throw new AddressSyntaxError('has a quote that is not closed');
    text += point;
    if (point === '"') return text;
    if (point === '\\') text += scanner.takeEscaped();
    else if (!isBlank(point)) scanner.acceptText(point, 'a quoted part');
  }
}

function readAtom(scanner: AddressScanner, what: string): string {
  let text = '';
  while (isAtomText(scanner.nextPoint)) text += scanner.take();
  if (text === '') throw new AddressSyntaxError(`has an empty ${what}, or characters in it that it must not have`);
  return text;
}

/** RFC 5322, section 3.2.3, extended by RFC 6532. */
function isAtomText(point: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]$/.test(point) || (point > '\x7f' && !isHighControl(point));
}

function readDomain(scanner: AddressScanner): { domain: string; isLiteral: boolean } {
  if (scanner.skipCommentsAndSpace()) scanner.downgradeTo('obsolete', 'a comment or blanks beside the @');
  if (scanner.isAtEnd) throw new AddressSyntaxError('has no domain');
  const isLiteral = scanner.nextPoint === '[';
  const domain = isLiteral ? readLiteral(scanner) : readName(scanner);
  if (isLiteral && scanner.skipCommentsAndSpace())
    scanner.downgradeTo('commented', 'a comment or blanks after the address');
  if (!scanner.isAtEnd) throw new AddressSyntaxError('has characters in its domain that it must not have');
  return { domain, isLiteral };
}

function readName(scanner: AddressScanner): string {
  const labels: string[] = [];
  for (;;) {
    labels.push(readLabel(scanner));
    const spaced = scanner.skipCommentsAndSpace();
    if (scanner.isAtEnd && spaced) scanner.downgradeTo('commented', 'a comment or blanks after the address');
    if (scanner.nextPoint !== '.') break;
    scanner.take();
    if (scanner.skipCommentsAndSpace() || spaced) scanner.downgradeTo('obsolete', 'comments or blanks around a dot');
  }
  const top = labels.at(-1)!;
  if (labels.length === 1) scanner.downgradeTo('smtp', 'a domain of one label');
  else if (/^\d+$/.test(top)) scanner.downgradeTo('smtp', 'a top-level domain of digits');
  return labels.join('.');
}

function readLabel(scanner: AddressScanner): string {
  const label = readAtom(scanner, 'label in its domain');
  if (/^-|-$/.test(label)) throw new AddressSyntaxError('has a label in its domain that begins or ends with a hyphen');
  if (!/^[^\0-\x7f]*$/.test(label.replace(/[A-Za-z0-9-]/g, '')))
    scanner.downgradeTo('header', 'a domain with characters that host names do not have');
  if (countOctets(label) > MAX_LABEL_OCTETS && !/[^\0-\x7f]/.test(label))
    scanner.downgradeTo('header', 'a label of more than 63 characters');
  return label;
}

function readLiteral(scanner: AddressScanner): string {
  let text = scanner.take();
  for (;;) {
    const spaced = scanner.skipSpace();
    if (spaced) text += ' ';
    const point = scanner.take();
    if (point === '') throw new AddressSyntaxError('has a bracket that is not closed');
    text += point;
    if (point === ']') break;
    if (point === '\\') {
      text += scanner.takeEscaped();
      scanner.downgradeTo('header', 'an escape in a literal');
    } else if (point === '[' || ['\0', '\n', '\r'].includes(point) || point > '\x7f') {
      throw new AddressSyntaxError('has characters in its literal that it must not have');
    } else if (isControl(point)) scanner.downgradeTo('header', 'a control character in a literal');
  }
  classifyLiteral(scanner, text.slice(1, -1));
  return text;
}

function classifyLiteral(scanner: AddressScanner, text: string): void {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return scanner.downgradeTo('smtp', 'an address literal');
  const address = /^IPv6:/i.test(text) ? text.slice(5) : '';
  if (address === '' || address.includes('%') || !ipaddr.IPv6.isValid(address))
    return scanner.downgradeTo('header', 'a literal that is not an IP address');
  // Two colons replace at least two groups (RFC 5321, section 4.1.3).
  const groups = address.split(/:+/).filter((group) => group !== '').length + (address.includes('.') ? 1 : 0);
  if (address.includes('::') && groups > 6)
    return scanner.downgradeTo('obsolete', 'an IPv6 address with :: for a single group');
  return scanner.downgradeTo('smtp', 'an address literal');
}

function downgradeByLengths(scanner: AddressScanner, local: string, domain: string, isLiteral: boolean): void {
  if (countOctets(local) > MAX_LOCAL_OCTETS) scanner.downgradeTo('header', 'a local part of more than 64 octets');
  if (!isLiteral && countOctets(domain) > MAX_DOMAIN_OCTETS)
    scanner.downgradeTo('header', 'a domain of more than 255 octets');
  if (countOctets(local) + 1 + countOctets(domain) > MAX_ADDRESS_OCTETS)
    scanner.downgradeTo('header', 'more than 254 octets');
}

function countOctets(text: string): number {
  return new TextEncoder().encode(text).length;
}
