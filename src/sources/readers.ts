import { type AnswerBytes, type HttpApi, readAnswer } from './http-source.ts';

type Api = Pick<HttpApi<never, unknown>, 'read'>;

const http = (load: () => Promise<Api>) => async () => {
  const api = await load();
  return (answer: AnswerBytes<never>): unknown => readAnswer(api, answer);
};

/** What reads the answers of each source, by `reader`: pure, so that large ones are read in a thread. */
export const READERS = {
  abuseipdb: http(async () => (await import('./abuseipdb.ts')).abuseipdb),
  crtsh: http(async () => (await import('./crtsh.ts')).crtsh),
  github: http(async () => (await import('./github-advisories.ts')).githubAdvisories),
  hibp: http(async () => (await import('./hibp.ts')).hibp),
  internetdb: http(async () => (await import('./internetdb.ts')).internetdb),
  malwarebazaar: http(async () => (await import('./malwarebazaar.ts')).malwarebazaar),
  rdap_services: http(async () => (await import('./rdap.ts')).rdapServices),
  rdap_domain: async () => (await import('./rdap.ts')).readRdapAnswer,
  ripestat_route: http(async () => (await import('./ripestat.ts')).routeOf),
  ripestat_system: http(async () => (await import('./ripestat.ts')).systemOf),
  ripestat_prefixes: http(async () => (await import('./ripestat.ts')).prefixesOf),
  robots_txt: async () => (await import('../analysis/robots/robots.ts')).readRobots,
  shodan: http(async () => (await import('./shodan-host.ts')).shodanHost),
  shodan_cvedb: http(async () => (await import('./shodan-cvedb.ts')).shodanCvedb),
  threatfox: http(async () => (await import('./threatfox.ts')).threatfox),
  urlhaus_host: http(async () => (await import('./urlhaus.ts')).urlhausHost),
  urlhaus_url: http(async () => (await import('./urlhaus.ts')).urlhausUrl),
  wayback: http(async () => (await import('./wayback.ts')).wayback),
};
