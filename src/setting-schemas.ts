import { createPublicKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { parseCidr } from './access/client-address.ts';
import { isLoopbackHost } from './access/origin-policy.ts';
import { isOciAddress } from './feeds/oci-address.ts';
import { parseDnsServer } from './net/dns/servers.ts';
import { withoutBrackets } from './net/http-url.ts';

/** What the texts of settings may be, and what is made from them. */
export const sourceUrlSchema = z.string().regex(/^(https?|file):\S+$/, 'an http://, https:// or file: address');
export const whoisUrlSchema = z
  .string()
  .refine((text) => /^whois:\/\/[^\s/@?#]+\/?$/.test(text) && URL.canParse(text), 'whois://host or whois://host:port');
export const secretSchema = z.string().min(1).nullable();
export const quotaSchema = wholeNumberSchema(0, Number.MAX_SAFE_INTEGER);
export const originSchema = z.string().refine((text) => URL.parse(text)?.origin === text, {
  error: ({ input }) => `"${String(input)}" is not an origin, for example https://app.example.com`,
});
/** Plain http only where nobody is on the way. */
function isSecureUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || /[?#]/.test(text)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(withoutBrackets(url.hostname)));
}
/** RFC 8414, 2. */
export const issuerSchema = z
  .string()
  .refine(isSecureUrl, 'not an https:// address without query, fragment and credentials')
  .nullable();
export const resourceSchema = z
  .string()
  .refine(
    (text) => isSecureUrl(text) && URL.parse(text)!.origin === text,
    'not an origin, for example https://sextant.example.com',
  )
  .nullable();
export const jwksUrlSchema = z
  .string()
  .refine((text) => {
    const url = URL.parse(text);
    return /^https?:$/.test(url?.protocol ?? '') && url!.username === '' && url!.password === '';
  }, 'not an http:// or https:// address without credentials')
  .nullable();
/** A list separated by spaces, of the characters of a scope (RFC 6749, 3.3). */
export function spacedListSchema(what: string) {
  return z
    .string()
    .transform((text) => text.split(/ +/).filter((item) => item !== ''))
    .pipe(z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, `not ${what}, or several separated by spaces`)));
}
export const hostNameSchema = z
  .string()
  .toLowerCase()
  .refine((text) => /^[\w.:[\]-]+$/.test(text) && URL.parse(`http://${text}/`)?.hostname === text, {
    error: ({ input }) => `"${String(input)}" is not a host name without a port, for example sextant.example.com`,
  });
const MAIL_ADDRESS = /^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/;
export const mailAddressSchema = z.string().regex(MAIL_ADDRESS, 'not a mail address, for example alerts@example.com');
/** An address, a domain, or `*`. */
export const mailRecipientSchema = z
  .string()
  .toLowerCase()
  .refine((text) => text === '*' || MAIL_ADDRESS.test(text) || hostNameSchema.safeParse(text).success, {
    error: ({ input }) => `"${String(input)}" is not a mail address, a domain or *`,
  });
export const networkSchema = z.string().refine((text) => parseCidr(text) !== null, {
  error: ({ input }) => `"${String(input)}" is not an address or CIDR, for example 10.0.0.0/8`,
});
export const resolverSchema = z.string().refine((text) => parseDnsServer(text) !== null, {
  error: ({ input }) => `"${String(input)}" is not host[:port], for example 9.9.9.9 or [2620:fe::fe]:53`,
});

export function wholeNumberSchema(from: number, to: number) {
  const accepted = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `${from} to ${to}`;
  const isAccepted = (text: string): boolean => /^\d{1,16}$/.test(text) && Number(text) >= from && Number(text) <= to;
  return z.string().refine(isAccepted, `not a whole number, accepted ${accepted}`).transform(Number);
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A comma-separated list; empty for an empty text. */
export function listSchema<Item extends z.ZodType<string, string>>(item: Item) {
  return z.string().transform(splitList).pipe(z.array(item));
}

/** URLs of servers, comma-separated; null where the setting is empty. */
export function serverAddressesSchema(protocols: readonly string[]) {
  const accepted = (text: string): boolean => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return z
    .string()
    .refine(
      (text) => splitList(text).length > 0 && splitList(text).every(accepted),
      `an address that begins with ${protocols[0]}//`,
    )
    .nullable();
}

export function isProxyAddress(text: string): boolean {
  const url = URL.parse(text);
  return /^https?:$/.test(url?.protocol ?? '') && url?.pathname === '/' && url.search === '' && url.hash === '';
}

/** Reads the certificates in a PEM file, one text each; reports a zod issue where it cannot. */
export function readCertificates(path: string, context: z.RefinementCtx): string[] {
  if (path === '') return [];
  try {
    const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new Error('no certificate in it');
    return found.map((pem) => new X509Certificate(pem).toString());
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `"${path}" is not a PEM file of certificates: ${(error as Error).message}`,
    });
    return z.NEVER;
  }
}

export function parseFeedsAddress(given: string): string {
  if (given === 'upstream') return given;
  const url = /^(https?|file):/.test(given) ? given : pathToFileURL(resolve(given)).href;
  return url.endsWith('/') ? url : `${url}/`;
}

/** A folder, `file:`, `http:` or `https:`, as a URL that ends with `/`; a repository of an OCI registry as it stands. */
export const catalogAddressSchema = z
  .string()
  .refine((text) => !text.startsWith('oci:') || isOciAddress(text), {
    error: ({ input }) =>
      `"${String(input)}" is not a repository of an OCI registry, for example oci://registry.example.com/owner/catalog`,
  })
  .transform((text) => (text.startsWith('oci:') ? text : parseFeedsAddress(text)))
  .nullable();

/** Base64 of the 32 bytes of an Ed25519 public key, from that text or from a PEM file. */
export const catalogKeySchema = z.string().transform(readCatalogKey).nullable();

function readCatalogKey(given: string, context: z.RefinementCtx): string {
  if (/^[A-Za-z0-9+/]{43}=$/.test(given)) return given;
  try {
    const key = createPublicKey(readFileSync(given));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key');
    return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64');
  } catch (error) {
    context.addIssue({
      code: 'custom',
      message: `"${given}" is neither 44 characters of base64 nor a PEM file of an Ed25519 public key: ${(error as Error).message}`,
    });
    return z.NEVER;
  }
}
