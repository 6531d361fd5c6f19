import { z } from 'zod';
import { parseCveId } from '../../analysis/cve/cve-id.ts';
import { parseDomainName } from '../../analysis/domain-name.ts';
import { isPublicIp, parseIp } from '../../analysis/ip-address.ts';

const MAX_QUOTED_CHARACTERS = 40;

/** Input in a form that is safe to repeat in a message: shortened, printable ASCII, without the credentials of a URL. */
export function quoteInput(text: string): string {
  const plain = text.replace(/[^\x20-\x7e]/g, '?').replace(/\/\/[^/@]*@/, '//...@');
  return `"${plain.length > MAX_QUOTED_CHARACTERS ? `${plain.slice(0, MAX_QUOTED_CHARACTERS)}...` : plain}"`;
}

/** `a CVE id`, `an e-mail address`. */
function withArticle(name: string): string {
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * Patterns (ECMA-262, without flags) of input texts that are accepted, for the OpenAPI document. They are not in the schemas, because the
 * list of tools has no room for them.
 */
export const inputPatterns = z.registry<{ pattern: string }>();

interface IdentifierOptions {
  /** Gives the canonical form; null where the text is not such an identifier. */
  read: (text: string) => string | null;
  name: string;
  /** What is accepted, to follow "Accepted: ". */
  accepted: string;
  /** Where many tools have it, which are all put before a model: in fewer words. Default: `accepted`. */
  description?: string;
  example: string;
  maxLength?: number;
  /** What `read` accepts, where a pattern can say it: lower-case letters stand for both cases, and white space may be around it. */
  pattern?: RegExp;
}

/** A schema for a text that `read` turns into its canonical form; where it gives null, the issue says what is accepted. */
export function identifierSchema({
  read,
  name,
  accepted,
  description = `${accepted[0]?.toUpperCase()}${accepted.slice(1)}.`,
  example,
  maxLength = 512,
  pattern,
}: IdentifierOptions) {
  const schema = z
    .string()
    .transform((text, context) => {
      const canonical = text.length > maxLength ? null : read(text.trim());
      if (canonical !== null) return canonical;
      context.addIssue({
        code: 'custom',
        message: `${quoteInput(text)} is not ${withArticle(name)}. Accepted: ${accepted}, for example ${example}.`,
      });
      return z.NEVER;
    })
    .meta({ description, examples: [example] });
  if (pattern !== undefined) inputPatterns.add(schema, { pattern: inEitherCase(pattern) });
  return schema;
}

/** `[a-f0-9]` and `cve`: ranges and single letters, but no escapes with letters. */
function inEitherCase({ source }: RegExp): string {
  const text = source.replace(/\[[^\]]*\]|[a-z]/g, (part) =>
    part.startsWith('[')
      ? part.replace(/[a-z](?:-[a-z])?/g, (letters) => letters + letters.toUpperCase())
      : `[${part.toUpperCase()}${part}]`,
  );
  return `^\\s*(?:${text})\\s*$`;
}

export const CveId = identifierSchema({
  read: parseCveId,
  name: 'CVE id',
  accepted: 'CVE-, a year, and at least four digits, in either case',
  description: 'CVE id, in either case.',
  example: 'CVE-2021-44228',
  pattern: /cve-[0-9]{4}-[0-9]{4,19}/,
});

/** Canonical: `GHSA-` in capitals, the rest in lower case. */
export const GhsaId = identifierSchema({
  read: (text) => {
    const groups = /^GHSA((?:-[0-9a-z]{4}){3})$/i.exec(text)?.[1];
    return groups === undefined ? null : `GHSA${groups.toLowerCase()}`;
  },
  name: 'GitHub advisory id',
  accepted: 'GHSA- and three groups of four letters and digits, in either case',
  example: 'GHSA-jfh8-c2jp-5v3q',
  pattern: /ghsa(?:-[0-9a-z]{4}){3}/,
});

/** Canonical `CWE-79`. */
export const CweId = identifierSchema({
  read: (text) => {
    const digits = /^(?:CWE[-_ ]?)?0*([1-9]\d{0,4})$/i.exec(text)?.[1];
    return digits === undefined ? null : `CWE-${digits}`;
  },
  name: 'CWE id',
  accepted: 'CWE- and a number (CWE-79, cwe-79, CWE 79 or 79)',
  example: 'CWE-79',
  pattern: /(?:cwe[-_ ]?)?0*[1-9][0-9]{0,4}/,
});

/** ASCII form (punycode), lower case, no final dot. */
export const Domain = identifierSchema({
  read: parseDomainName,
  name: 'domain name',
  accepted: 'a domain name, IDN or punycode, without scheme, path, port or wildcard; no IP address',
  description: 'Domain name, without scheme, path or port.',
  example: 'example.com',
});

/** Canonical form (RFC 5952 for IPv6). */
export const PublicIp = identifierSchema({
  read(text) {
    const ip = parseIp(text);
    return ip !== null && isPublicIp(ip) ? ip : null;
  },
  name: 'public IP address',
  accepted:
    'an IPv4 or IPv6 address that is not private, loopback, link-local, multicast, for documentation or reserved',
  example: '8.8.8.8',
});
