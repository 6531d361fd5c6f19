import ipaddr from 'ipaddr.js';
import { endsInMacro, type MacroString, parseMacroString } from './macro.ts';
import { withoutFinalDot } from '../../domain-name.ts';

/** SPF records, by the grammar of RFC 7208, section 12. */
export interface SpfRecord {
  mechanisms: readonly SpfMechanism[];
  redirect: MacroString | null;
  /** `exp`: where the explanation of a `fail` stands. */
  explanation: MacroString | null;
}

export type SpfQualifier = 'pass' | 'fail' | 'softfail' | 'neutral';

export interface SpfMechanism {
  type: SpfMechanismType;
  qualifier: SpfQualifier;
  /** As written. */
  text: string;
  /** Null: the domain of the record. */
  target: MacroString | null;
  /** Of `ip4` and `ip6`. */
  network: string | null;
  prefix4: number;
  prefix6: number;
}

export type SpfMechanismType = 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';

/** A syntax error in a record. The message names the term. */
export class SpfSyntaxError extends Error {
  override readonly name = 'SpfSyntaxError';
}

const QUALIFIERS: Readonly<Record<string, SpfQualifier>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i;
const MECHANISM = /^([-+~?]?)([a-z0-9]+)(?=[:/]|$)(.*)$/i;
/** Prefix lengths have no leading zeros. */
const PREFIX = '(0|[1-9]\\d{0,2})';
const DUAL_PREFIX = new RegExp(`^(?:/${PREFIX})?(?://${PREFIX})?$`);
const SINGLE_PREFIX = new RegExp(`/${PREFIX}$`);
/** Limits of one evaluation (4.6.4): terms that cause DNS lookups, lookups without result, hosts of an MX record or of a PTR answer. */
export const SPF_LIMITS = { lookups: 10, voids: 2, hosts: 10 } as const;
/** Mechanisms that count as a lookup (4.6.4). */
export const MECHANISMS_NEEDING_DNS: ReadonlySet<SpfMechanismType> = new Set(['include', 'a', 'mx', 'ptr', 'exists']);

/** Whether a TXT record is an SPF record: `v=spf1`, alone or followed by a space (4.5). */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}

/** The terms of a record as written, valid or not. */
export function spfTerms(record: string): string[] {
  return record
    .slice('v=spf1'.length)
    .split(' ')
    .filter((term) => term !== '');
}

/** Parses a record for which `isSpfRecord` is true. Throws `SpfSyntaxError`. */
export function parseSpfRecord(record: string): SpfRecord {
  const mechanisms: SpfMechanism[] = [];
  const modifiers = new Map<string, MacroString>();
  for (const term of spfTerms(record)) {
    if (!/^[\x21-\x7e]+$/.test(term)) throw createSyntaxError(term, 'has characters other than printable ASCII');
    const [, name, value = ''] = MODIFIER.exec(term) ?? [];
    if (name === undefined) {
      mechanisms.push(parseMechanism(term));
      continue;
    }
    const modifier = name.toLowerCase();
    if (modifier === 'redirect' || modifier === 'exp') {
      if (modifiers.has(modifier)) throw createSyntaxError(term, 'stands there twice');
      modifiers.set(modifier, parseDomainSpec(term, value));
    } else if (parseMacroString(value) === null) throw createSyntaxError(term, 'has a broken macro');
  }
  return {
    mechanisms,
    redirect: modifiers.get('redirect') ?? null,
    explanation: modifiers.get('exp') ?? null,
  };
}

function parseMechanism(text: string): SpfMechanism {
  const [, sign = '', name = '', argument = ''] = MECHANISM.exec(text) ?? [];
  const type = name.toLowerCase() as SpfMechanismType;
  const qualifier = QUALIFIERS[sign || '+']!;
  const plain: SpfMechanism = { type, qualifier, text, target: null, network: null, prefix4: 32, prefix6: 128 };
  switch (type) {
    case 'all':
      if (argument !== '') throw createSyntaxError(text, 'takes no argument');
      return plain;
    case 'include':
    case 'exists':
      return { ...plain, target: parseDomainSpec(text, argument.startsWith(':') ? argument.slice(1) : '') };
    case 'ptr':
      return argument === ''
        ? plain
        : { ...plain, target: parseDomainSpec(text, argument.startsWith(':') ? argument.slice(1) : '') };
    case 'a':
    case 'mx':
      return { ...plain, ...parseTargetAndPrefixes(text, argument) };
    case 'ip4':
    case 'ip6':
      return { ...plain, ...parseNetworkArgument(type, text, argument) };
    default:
      throw createSyntaxError(text, 'is no mechanism');
  }
}

function parseTargetAndPrefixes(text: string, argument: string): Pick<SpfMechanism, 'target' | 'prefix4' | 'prefix6'> {
  const { name, prefixes } = splitPrefixes(argument);
  const [, four = '32', six = '128'] = DUAL_PREFIX.exec(prefixes) ?? [];
  if (!DUAL_PREFIX.test(prefixes) || Number(four) > 32 || Number(six) > 128)
    throw createSyntaxError(text, 'has no valid prefix length');
  const target = name === null ? null : parseDomainSpec(text, name);
  return { target, prefix4: Number(four), prefix6: Number(six) };
}

/** A name may contain slashes: only digits at the end are prefix lengths. */
function splitPrefixes(argument: string): { name: string | null; prefixes: string } {
  if (!argument.startsWith(':')) return { name: null, prefixes: argument };
  const at = argument.search(/(?:\/\d+)?(?:\/\/\d+)?$/);
  return { name: argument.slice(1, at), prefixes: argument.slice(at) };
}

function parseNetworkArgument(type: 'ip4' | 'ip6', text: string, argument: string): Partial<SpfMechanism> {
  const [suffix = '', digits] = SINGLE_PREFIX.exec(argument) ?? [];
  const network = argument.slice(1, argument.length - suffix.length);
  const size = type === 'ip4' ? 32 : 128;
  const prefix = digits === undefined ? size : Number(digits);
  const valid = type === 'ip4' ? ipaddr.IPv4.isValidFourPartDecimal(network) : isIpv6(network);
  if (!argument.startsWith(':') || !valid)
    throw createSyntaxError(text, `has no valid ${type === 'ip4' ? 'IPv4' : 'IPv6'} address`);
  if (prefix > size) throw createSyntaxError(text, 'has no valid prefix length');
  return { network, ...(type === 'ip4' ? { prefix4: prefix } : { prefix6: prefix }) };
}

function isIpv6(text: string): boolean {
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text);
}

/** A name that ends in a macro or in a valid top-level label (7.1). */
function parseDomainSpec(term: string, text: string): MacroString {
  const parsed = parseMacroString(text);
  if (parsed === null) throw createSyntaxError(term, 'has a broken macro');
  if (!endsInMacro(parsed) && !endsInTopLabel(text)) throw createSyntaxError(term, 'names no valid domain');
  return parsed;
}

function endsInTopLabel(text: string): boolean {
  const name = withoutFinalDot(text);
  const dot = name.lastIndexOf('.');
  return dot !== -1 && isTopLabel(name.slice(dot + 1));
}

/** `toplabel`: letters, digits and inner hyphens, not all digits. */
export function isTopLabel(label: string): boolean {
  return /^[a-z0-9-]+$/i.test(label) && !/^-|-$|^\d+$/.test(label);
}

function createSyntaxError(term: string, how: string): SpfSyntaxError {
  return new SpfSyntaxError(`"${term.replace(/[^\x21-\x7e]/g, '?')}" ${how}`);
}
