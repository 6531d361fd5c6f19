import { z } from 'zod';
import { parseDomainName, isSameOrSubdomain } from '../analysis/domain-name.ts';
import { displayLine } from '../analysis/display-text.ts';
import { httpSource } from './http-source.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { requireOk } from './source-failure.ts';

const MAX_CERTIFICATES = 100;
const MAX_NAMES = 2000;
const MAX_TEXT_LENGTH = 200;

/** Times are UTC without a zone. */
const CrtshEntry = z.object({
  issuer_name: z.string(),
  common_name: z.string().nullish(),
  name_value: z.string(),
  id: z.number(),
  not_before: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
  not_after: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
  serial_number: z.string().nullish(),
});

export interface LoggedCertificate {
  /** Id of the log entry at crt.sh. */
  id: number;
  issuer: string;
  common_name: string | null;
  serial_number: string | null;
  /** ISO 8601, UTC. */
  not_before: string;
  not_after: string;
  /** Number of host names in it. */
  names: number;
}

export interface CertificateLogResult {
  total: number;
  /** Newest first, at most a hundred; empty with `subdomainsOnly`. */
  certificates: LoggedCertificate[];
  /** With `subdomainsOnly`: host names below the domain, wildcards without their `*.`, at most two thousand of `total_names`. */
  subdomains: string[];
  total_subdomains: number;
  /** Entries left out because they name neither the domain nor a host below it. */
  unrelated_entries: number;
}

/**
 * Certificates in the public logs (RFC 6962) that name a domain, or with `subdomainsOnly` any name under it, by crt.sh. A certificate
 * and its precertificate, which are two entries with one serial number, count once.
 */
export const crtsh = httpSource<{ domain: string; subdomainsOnly: boolean }, CertificateLogResult>({
  policy: {
    id: 'crtsh',
    title: 'crt.sh',
    provides: 'certificates in the transparency logs',
    baseUrl: 'https://crt.sh/',
    timeoutMs: 12_000,
    maxBytes: 8 * 1024 * 1024,
    ttlSeconds: 3600,
    concurrency: 4,
    key: null,
  },
  readerName: 'crtsh',
  request: ({ domain, subdomainsOnly }) => ({
    path: `?q=${encodeURIComponent(subdomainsOnly ? `%.${domain}` : domain)}&output=json`,
    headers: { accept: 'application/json' },
  }),
  read(status, body, { domain, subdomainsOnly }) {
    requireOk(status);
    const entries = z.array(CrtshEntry).parse(parseBoundedJson(body));
    const once = new Map<string, LoggedCertificate>();
    const names = new Set<string>();
    let unrelated = 0;
    for (const entry of entries) {
      const hosts = hostNamesIn(entry.name_value);
      if (![...entryNames(entry), ...hosts].some((name) => belongsToDomain(name, domain))) {
        unrelated++;
        continue;
      }
      for (const host of hosts) if (subdomainsOnly && host.endsWith(`.${domain}`)) names.add(host);
      const key = entry.serial_number ? `${entry.issuer_name} ${entry.serial_number}` : String(entry.id);
      if (!once.has(key)) once.set(key, toLoggedCertificate(entry, hosts.length));
    }
    const certificates = [...once.values()].sort((a, b) =>
      a.not_before < b.not_before ? 1 : a.not_before > b.not_before ? -1 : b.id - a.id,
    );
    return {
      total: once.size,
      certificates: subdomainsOnly ? [] : certificates.slice(0, MAX_CERTIFICATES),
      total_subdomains: names.size,
      subdomains: [...names].slice(0, MAX_NAMES).sort(),
      unrelated_entries: unrelated,
    };
  },
});

function toLoggedCertificate(entry: z.output<typeof CrtshEntry>, names: number): LoggedCertificate {
  const plain = (text: string): string => displayLine(text, MAX_TEXT_LENGTH);
  return {
    id: entry.id,
    issuer: plain(entry.issuer_name),
    common_name: entry.common_name ? plain(entry.common_name) : null,
    serial_number: /^[\da-f]{1,64}$/i.exec(entry.serial_number ?? '')?.[0].toLowerCase() ?? null,
    not_before: `${entry.not_before.slice(0, 19)}Z`,
    not_after: `${entry.not_after.slice(0, 19)}Z`,
    names,
  };
}

/** All names of an entry in lower case, also mail addresses. */
function entryNames({ name_value, common_name }: z.output<typeof CrtshEntry>): string[] {
  return [...name_value.split('\n', 1000), common_name ?? ''].map((name) => name.trim().toLowerCase());
}

function belongsToDomain(name: string, domain: string): boolean {
  return isSameOrSubdomain(name, domain) || name.endsWith(`@${domain}`);
}

/** Host names only: certificates also contain mail addresses and other text. */
function hostNamesIn(value: string): string[] {
  const names = value.split('\n', 1000).map((name) => parseDomainName(name.trim().replace(/^\*\./, '')));
  return [...new Set(names.filter((name) => name !== null))];
}
