import { z } from 'zod';
import { readRdapDomain } from '../analysis/whois/rdap.ts';
import type { Registration } from '../analysis/whois/registration.ts';
import { followRedirects } from '../net/follow-redirects.ts';
import { NetError } from '../net/net-error.ts';
import { httpSource } from './http-source.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { readInThreadIfLarge } from './read-in-thread-if-large.ts';
import type { Source, SourcePolicy } from './source.ts';
import { requireOk } from './source-failure.ts';

const MAX_REDIRECTS = 3;

const policy: SourcePolicy = {
  id: 'rdap',
  title: 'RDAP',
  provides: 'registration of domains, by registries and registrars',
  baseUrl: 'https://data.iana.org/rdap/',
  timeoutMs: 6000,
  maxBytes: 1024 * 1024,
  ttlSeconds: 24 * 3600,
  concurrency: 20,
  key: null,
};

/** Base addresses of RDAP services, by top-level domain. */
export type RdapBaseUrls = Readonly<Record<string, string>>;

const Bootstrap = z.object({ services: z.array(z.tuple([z.array(z.string()), z.array(z.string())])) });

/** IANA's list of the registries' RDAP services (RFC 9224). */
export const rdapBootstrap = httpSource<'dns', RdapBaseUrls>({
  policy,
  readerName: 'rdap_services',
  request: (file) => ({ path: `${file}.json`, headers: { accept: 'application/json' } }),
  read(status, body) {
    requireOk(status);
    const { services } = Bootstrap.parse(parseBoundedJson(body));
    return Object.fromEntries(
      services.flatMap(([domains, urls]) => {
        const base = urls.find((url) => url.startsWith('https:')) ?? urls.find((url) => url.startsWith('http:'));
        return base === undefined
          ? []
          : domains.map((domain) => [domain.toLowerCase(), base.replace(/\/*$/, '/')] as const);
      }),
    );
  },
});

/**
 * A domain's record at a registry's or registrar's RDAP service (RFC 9082, 3.1.3); null: unknown domain. The address of
 * the service is vetted, because it comes from a third party.
 */
export const rdapDomain: Source<{ url: string }, Registration | null> = {
  policy: { ...policy, baseUrl: null, ttlSeconds: 3600 },
  kind: 'rdap_domain',
  async ask({ url }, { net, timeoutMs, maxBytes, signal }) {
    const { response, stopReason } = await followRedirects(net, new URL(url), {
      headers: { accept: 'application/rdap+json, application/json' },
      maxHops: MAX_REDIRECTS,
      timeoutMs,
      maxBytes,
      signal,
    });
    if (stopReason !== null) throw new NetError('bad_redirect', 'rdap: the redirects lead to no response');
    if (response.status === 404) return null;
    requireOk(response.status);
    return readInThreadIfLarge('rdap_domain', readRdapResponse, { input: response.body, bytes: response.body, signal });
  },
};

/** Reads the JSON of an RDAP domain object. Throws for any other body. */
export function readRdapResponse(body: Uint8Array): Registration {
  return readRdapDomain(parseBoundedJson(new TextDecoder().decode(body)));
}
