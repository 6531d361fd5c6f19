import { createWhoisExcerpt, parseWhois, findReferralServer } from '../analysis/whois/parse-whois.ts';
import type { Registration } from '../analysis/whois/registration.ts';
import { whoisQueryLine } from '../analysis/whois/whois-query-line.ts';
import { withoutBrackets } from '../net/http-url.ts';
import { WHOIS_PORT } from '../net/send-line.ts';
import type { Source, SourcePolicy } from './source.ts';
import { SourceStatusError } from './source-failure.ts';

const policy: SourcePolicy = {
  id: 'whois',
  title: 'WHOIS',
  provides: 'registration of domains, where RDAP has none',
  baseUrl: 'whois://whois.iana.org:43/',
  timeoutMs: 6000,
  maxBytes: 64 * 1024,
  ttlSeconds: 24 * 3600,
  concurrency: 20,
  key: null,
};

/** The WHOIS server of a top-level domain, by IANA's server; null: none. */
export const whoisReferral: Source<{ tld: string }, string | null> = {
  policy,
  kind: 'whois_referral',
  async ask({ tld }, { net, baseUrl, trusted, timeoutMs, maxBytes, signal }) {
    const { hostname, port } = new URL(baseUrl);
    const root = { host: withoutBrackets(hostname), port: port === '' ? WHOIS_PORT : Number(port) };
    return findReferralServer(await net.sendLine(root, tld, { timeoutMs, maxBytes, signal, trusted }));
  },
};

export interface WhoisResult {
  registration: Registration;
  /** The start of a text that could not be read, without personal data; else null. */
  excerpt: string | null;
}

/** A domain's record at a registry's or registrar's WHOIS server (RFC 3912). A refused query is a failure. */
export const whoisDomain: Source<{ server: string; domain: string }, WhoisResult> = {
  policy: { ...policy, baseUrl: null, ttlSeconds: 3600 },
  kind: 'whois_domain',
  async ask({ server, domain }, { net, timeoutMs, maxBytes, signal }) {
    const text = await net.sendLine({ host: server, port: WHOIS_PORT }, whoisQueryLine(server, domain), {
      timeoutMs,
      maxBytes,
      signal,
    });
    const { outcome, ...facts } = parseWhois(text, domain.split('.').at(-1));
    // Like the status of HTTP for this case.
    if (outcome === 'refused') throw new SourceStatusError(429);
    return { registration: { ...facts, outcome }, excerpt: outcome === 'unreadable' ? createWhoisExcerpt(text) : null };
  },
};
