import { type ReaderInput, type HttpSourceDefinition, readHttpResponse } from './http-source.ts';

type HttpResponseReader = Pick<HttpSourceDefinition<never, unknown>, 'read'>;

const httpReader = (load: () => Promise<HttpResponseReader>) => async () => {
  const api = await load();
  return (answer: ReaderInput<never>): unknown => readHttpResponse(api, answer);
};

/** Response readers by name, for the worker thread. Pure functions. */
export const READERS = {
  abuseipdb: httpReader(async () => (await import('./abuseipdb.ts')).abuseipdb),
  crtsh: httpReader(async () => (await import('./crtsh.ts')).crtsh),
  github: httpReader(async () => (await import('./github-advisories.ts')).githubAdvisories),
  hibp: httpReader(async () => (await import('./hibp.ts')).hibp),
  internetdb: httpReader(async () => (await import('./shodan-internetdb.ts')).internetdb),
  malwarebazaar: httpReader(async () => (await import('./malwarebazaar.ts')).malwarebazaar),
  rdap_services: httpReader(async () => (await import('./rdap.ts')).rdapBootstrap),
  rdap_domain: async () => (await import('./rdap.ts')).readRdapResponse,
  ripestat_route: httpReader(async () => (await import('./ripestat.ts')).announcedRoute),
  ripestat_system: httpReader(async () => (await import('./ripestat.ts')).autonomousSystem),
  ripestat_prefixes: httpReader(async () => (await import('./ripestat.ts')).announcedPrefixes),
  robots_txt: async () => (await import('../analysis/robots/read-robots.ts')).readRobots,
  shodan: httpReader(async () => (await import('./shodan-host-api.ts')).shodanHost),
  shodan_cvedb: httpReader(async () => (await import('./shodan-cvedb.ts')).shodanCvedb),
  threatfox: httpReader(async () => (await import('./threatfox.ts')).threatfox),
  urlhaus_host: httpReader(async () => (await import('./urlhaus.ts')).urlhausHost),
  urlhaus_url: httpReader(async () => (await import('./urlhaus.ts')).urlhausUrl),
  wayback: httpReader(async () => (await import('./wayback.ts')).wayback),
};
