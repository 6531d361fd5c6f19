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

interface IdentifierOptions {
  /** Gives the canonical form; null where the text is not such an identifier. */
  read: (text: string) => string | null;
  name: string;
  /** What is accepted, to follow "Accepted: ". */
  accepted: string;
  example: string;
  maxLength?: number;
}

/** A schema for a text that `read` turns into its canonical form; where it gives null, the issue says what is accepted. */
export function identifierSchema({ read, name, accepted, example, maxLength = 512 }: IdentifierOptions) {
  return z
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
    .meta({ description: `${accepted[0]?.toUpperCase()}${accepted.slice(1)}.`, examples: [example] });
}

export const CveId = identifierSchema({
  read: parseCveId,
  name: 'CVE id',
  accepted: 'CVE-, a year, and at least four digits, in either case',
  example: 'CVE-2021-44228',
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
});

/** ASCII form (punycode), lower case, no final dot. */
export const Domain = identifierSchema({
  read: parseDomainName,
  name: 'domain name',
  accepted: 'a domain name, IDN or punycode, without scheme, path, port or wildcard; no IP address',
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
