/**
 * Imitations of the APIs that the service asks. Of what the lab holds they tell in documents of our own; beyond that they give the
 * recorded answers of the shared test data, where it is present, and else answer as the real ones do when they know nothing.
 */

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { addressOf, inLab, LAB_ASN, LAB_PREFIX, LAB_PREFIX6 } from './addresses.ts';
import { bootstrap } from './rdap.ts';
import { sample, samples } from './samples.ts';

export interface UpstreamRequest {
  method: string;
  /** Below the upstream's own address. */
  path: string;
  query: URLSearchParams;
  body: string;
  headers: IncomingHttpHeaders;
}

export interface UpstreamAnswer {
  status?: number;
  type?: string;
  /** A string goes out as it is, anything else as JSON. */
  body: unknown;
}

type Upstream = (request: UpstreamRequest) => UpstreamAnswer;

export const UPSTREAMS: Readonly<Record<string, Upstream>> = {
  crtsh,
  wayback,
  urlhaus,
  threatfox,
  malwarebazaar,
  internetdb,
  shodan,
  abuseipdb,
  ripestat,
  rdap: ({ path }) => orNotFound(bootstrap(lastPart(path).replace(/\.json$/, ''))),
  hibp,
  github,
  shodan_cvedb: shodanCvedb,
};

/** A host of the lab that every list of malware names. */
export const MALWARE_HOST = 'malware.lab';
const MALWARE_SHA256 = createHash('sha256').update('a sample of the lab').digest('hex');
const MALWARE_URL = `http://${MALWARE_HOST}/bin/loader.exe`;

const KEPT_NAMES = ['kept.lab', 'www.kept.lab', 'mta-sts.kept.lab', 'api.kept.lab', 'old.kept.lab', '*.kept.lab'];

function crtsh({ query }: UpstreamRequest): UpstreamAnswer {
  const wanted = (query.get('q') ?? query.get('identity') ?? '').toLowerCase();
  const recorded = sample('samples/crtsh', `q.${wanted.replace(/^%\./, 'wildcard.')}`);
  if (recorded !== null) return { body: recorded };
  const domain = wanted.replace(/^%?\.?/, '');
  const names =
    domain === 'kept.lab'
      ? KEPT_NAMES
      : domain === 'poor.lab'
        ? ['poor.lab', 'dev.poor.lab']
        : domain === 'example.com'
          ? ['example.com']
          : [];
  const found = wanted.startsWith('%') ? names : names.filter((name) => name === domain || name === `*.${domain}`);
  return { body: found.map((name, index) => logEntry(name, index)) };
}

function logEntry(name: string, index: number): unknown {
  const begins = new Date(Date.now() - (index + 1) * 20 * 86_400_000);
  const time = (days: number): string => new Date(begins.getTime() + days * 86_400_000).toISOString().slice(0, 19);
  return {
    issuer_ca_id: 16418,
    issuer_name: 'C=LA, O=Lab Authority, CN=Lab Intermediate CA',
    common_name: name,
    name_value: name.startsWith('*.') ? `${name}\n${name.slice(2)}` : name,
    id: 9_000_000_000 + index,
    entry_timestamp: `${time(0)}.123`,
    not_before: time(0),
    not_after: time(90),
    serial_number: `0${index}ab${createHash('sha1').update(name).digest('hex').slice(0, 32)}`,
    result_count: 2,
  };
}

const CDX_FIELDS = ['urlkey', 'timestamp', 'original', 'mimetype', 'statuscode', 'digest', 'length'];

function wayback({ path, query }: UpstreamRequest): UpstreamAnswer {
  const host = (query.get('url') ?? '').replace(/^\*\.|^https?:\/\/|\/.*$/g, '').toLowerCase();
  if (lastPart(path) === 'available') {
    const recorded = sample('samples/wayback', `available.${host}`);
    return { body: recorded ?? { url: host, archived_snapshots: {} } };
  }
  if (query.get('showResumeKey') === 'true' && query.get('showDupeCount') === 'true') {
    const recorded = sample('samples/wayback', `cdx.${host}.dupecount-resumekey`);
    if (recorded !== null) return { body: recorded };
  }
  return { body: cdxTable(snapshotsOf(host), query) };
}

function snapshotsOf(host: string): string[][] {
  const recorded = sample('samples/wayback', `cdx.${host}`);
  if (recorded !== null) return (JSON.parse(recorded) as string[][]).slice(1);
  if (host !== 'kept.lab' && host !== 'poor.lab') return [];
  const years = [2009, 2011, 2014, 2014, 2018, 2022, 2026];
  return years.map((year, index) => {
    const key = `${host.split('.').toReversed().join(',')})/`;
    const digest = createHash('sha1').update(`${host}${year}`).digest('hex').toUpperCase().slice(0, 32);
    return [key, `${year}0${index + 1}01120000`, `http://${host}:80/`, 'text/html', '200', digest, `${1500 + index}`];
  });
}

/** `limit` (negative: the last ones), `collapse` and `fl` as the CDX server documents them. */
function cdxTable(rows: readonly string[][], query: URLSearchParams): string[][] {
  const [field = '', digits = '40'] = (query.get('collapse') ?? '').split(':');
  const column = CDX_FIELDS.indexOf(field);
  const prefix = (row: string[] | undefined): string | undefined => row?.[column]?.slice(0, Number(digits));
  const kept = column < 0 ? rows : rows.filter((row, index) => prefix(row) !== prefix(rows[index - 1]));
  const limit = Number(query.get('limit') ?? kept.length);
  const cut = limit < 0 ? kept.slice(limit) : kept.slice(0, limit);
  if (cut.length === 0) return [];
  const columns = query.get('fl')?.split(',') ?? CDX_FIELDS;
  return [columns, ...cut.map((row) => columns.map((name) => row[CDX_FIELDS.indexOf(name)] ?? ''))];
}

const NO_KEY: UpstreamAnswer = { status: 401, body: { error: 'Unauthorized' } };

function urlhaus({ method, path, body, headers }: UpstreamRequest): UpstreamAnswer {
  if (method !== 'POST') return { body: { query_status: 'http_post_expected' } };
  if (headers['auth-key'] === undefined) return NO_KEY;
  const form = new URLSearchParams(body);
  if (lastPart(path) === 'url') {
    const url = form.get('url') ?? '';
    if (!URL.canParse(url)) return { body: { query_status: 'invalid_url' } };
    const recorded = recordedWith('abusech/urlhaus', 'v1-url.ok', 'url', url);
    return {
      body:
        recorded ??
        (url === MALWARE_URL
          ? { query_status: 'ok', ...malwareUrl(), host: MALWARE_HOST, payloads: [] }
          : { query_status: 'no_results' }),
    };
  }
  const host = form.get('host') ?? '';
  if (isIP(host) === 0 && !/^[\w-]+(\.[\w-]+)+$/.test(host)) return { body: { query_status: 'invalid_host' } };
  const recorded = recordedWith('abusech/urlhaus', 'v1-host.ok', 'host', host);
  if (recorded !== null) return { body: recorded };
  if (host !== MALWARE_HOST && host !== addressOf(MALWARE_HOST)) return { body: { query_status: 'no_results' } };
  return {
    body: {
      query_status: 'ok',
      urlhaus_reference: `https://urlhaus.abuse.ch/host/${host}/`,
      host,
      firstseen: '2026-01-10 08:00:00 UTC',
      url_count: '1',
      blacklists: { spamhaus_dbl: 'not listed', surbl: 'not listed' },
      urls: [malwareUrl()],
    },
  };
}

function malwareUrl() {
  return {
    id: '9000001',
    urlhaus_reference: 'https://urlhaus.abuse.ch/url/9000001/',
    url: MALWARE_URL,
    url_status: 'online',
    date_added: '2026-01-10 08:00:00 UTC',
    threat: 'malware_download',
    reporter: 'lab',
    larted: 'false',
    takedown_time_seconds: null,
    tags: ['exe', 'lab'],
  };
}

function threatfox({ body, headers }: UpstreamRequest): UpstreamAnswer {
  if (headers['auth-key'] === undefined) return NO_KEY;
  const { query, search_term: term = '' } = parsed(body);
  if (query === 'get_iocs') {
    return { body: sample('abusech/threatfox', 'get_iocs.ok') ?? { query_status: 'ok', data: [threat()] } };
  }
  if (typeof term !== 'string' || term.length < 3) {
    return { body: { query_status: 'illegal_search_term', data: 'Your search term is not valid' } };
  }
  const recorded = samples('abusech/threatfox', 'search_ioc.ok').flatMap(
    ({ text }) => (JSON.parse(text) as { data: { ioc: string }[] }).data,
  );
  const found = [threat(), ...recorded].filter(({ ioc }) => ioc.includes(term));
  if (found.length > 0) return { body: { query_status: 'ok', data: found } };
  return { body: { query_status: 'no_result', data: 'Your search did not yield any results' } };
}

function threat() {
  return {
    id: '9000001',
    ioc: MALWARE_HOST,
    threat_type: 'botnet_cc',
    threat_type_desc: 'Indicator that identifies a botnet command&control server (C&C)',
    ioc_type: 'domain',
    ioc_type_desc: 'Domain that is used for botnet Command&control (C&C)',
    malware: 'win.lab',
    malware_printable: 'Lab Loader',
    malware_alias: null,
    malware_malpedia: null,
    confidence_level: 90,
    first_seen: '2026-01-10 08:00:00 UTC',
    last_seen: null,
    reference: null,
    reporter: 'lab',
    tags: ['lab'],
    malware_samples: [],
  };
}

function malwarebazaar({ body, headers }: UpstreamRequest): UpstreamAnswer {
  if (headers['auth-key'] === undefined) return NO_KEY;
  const form = new URLSearchParams(body);
  if (form.get('query') === 'get_recent') {
    return { body: sample('abusech/malwarebazaar', 'get_recent.ok') ?? { query_status: 'no_results' } };
  }
  const hash = (form.get('hash') ?? '').toLowerCase();
  if (hash === '') return { body: { query_status: 'no_hash_provided' } };
  if (!/^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/.test(hash)) return { body: { query_status: 'illegal_hash' } };
  const recorded = sample('abusech/malwarebazaar', 'get_info.ok');
  if (recorded?.includes(`hash": "${hash}"`)) return { body: recorded };
  if (hash !== MALWARE_SHA256) return { body: { query_status: 'hash_not_found' } };
  const entry = {
    sha256_hash: MALWARE_SHA256,
    first_seen: '2026-01-10 08:00:00',
    last_seen: null,
    file_name: 'loader.exe',
    file_size: 19,
    file_type_mime: 'application/x-dosexec',
    file_type: 'exe',
    reporter: 'lab',
    signature: 'LabLoader',
    tags: ['lab'],
  };
  return { body: { query_status: 'ok', data: [entry] } };
}

const NO_INFORMATION: UpstreamAnswer = { status: 404, body: { detail: 'No information available' } };

function internetdb({ path }: UpstreamRequest): UpstreamAnswer {
  const ip = lastPart(path);
  const recorded = samples('samples/shodan-internetdb').find(({ text }) => parsed(text)['ip'] === ip);
  if (recorded !== undefined) return { body: recorded.text };
  const common = { ip, tags: [], vulns: [], cpes: [] };
  if (ip === addressOf('www.kept.lab')) return { body: { ...common, hostnames: ['www.kept.lab'], ports: [80, 443] } };
  if (ip !== addressOf('poor.lab')) return NO_INFORMATION;
  return {
    body: {
      ip,
      hostnames: ['poor.lab'],
      ports: [21, 22, 80, 443, 3306],
      tags: ['eol-product'],
      cpes: ['cpe:/a:apache:http_server:2.4.29', 'cpe:/a:php:php:5.6.40'],
      vulns: ['CVE-2021-44228', 'CVE-2019-0211'],
    },
  };
}

function shodan({ path, query }: UpstreamRequest): UpstreamAnswer {
  if ((query.get('key') ?? '') === '') return { status: 401, type: 'text/html', body: '<h1>401 Unauthorized</h1>' };
  const ip = lastPart(path);
  const recorded = sample('samples/shodan', `host.${ip}`);
  if (recorded !== null) return { body: recorded };
  if (ip !== addressOf('poor.lab')) return { status: 404, body: { error: 'No information available for that IP.' } };
  const service = {
    port: 80,
    transport: 'tcp',
    product: 'Apache httpd',
    version: '2.4.29',
    cpe23: ['cpe:2.3:a:apache:http_server:2.4.29'],
  };
  return {
    body: {
      ip_str: ip,
      org: 'Lab',
      isp: 'Lab',
      asn: `AS${LAB_ASN}`,
      country_code: 'CH',
      country_name: 'Switzerland',
      hostnames: ['poor.lab'],
      domains: ['poor.lab'],
      ports: [80],
      tags: [],
      os: null,
      vulns: ['CVE-2019-0211'],
      last_update: '2026-01-10T08:00:00.000000',
      data: [service],
    },
  };
}

function abuseipdb({ query, headers }: UpstreamRequest): UpstreamAnswer {
  const error = (status: number, detail: string): UpstreamAnswer => ({
    status,
    body: { errors: [{ detail, status }] },
  });
  if (headers['key'] === undefined)
    return error(401, 'Authentication failed. Your API key is either missing, incorrect, or revoked.');
  const ip = query.get('ipAddress') ?? '';
  if (isIP(ip) === 0) return error(422, 'The ip address must be a valid IPv4 or IPv6 address.');
  const recorded = samples('samples/abuseipdb', 'check.').find(({ text }) => text.includes(`"ipAddress": "${ip}"`));
  if (recorded !== undefined) return { body: recorded.text };
  const bad = ip === addressOf(MALWARE_HOST);
  return {
    body: {
      data: {
        ipAddress: ip,
        isPublic: true,
        ipVersion: isIP(ip),
        isWhitelisted: bad ? false : null,
        abuseConfidenceScore: bad ? 96 : 0,
        countryCode: 'CH',
        usageType: 'Data Center/Web Hosting/Transit',
        isp: 'Lab',
        domain: 'lab',
        hostnames: [],
        isTor: false,
        totalReports: bad ? 41 : 0,
        numDistinctUsers: bad ? 17 : 0,
        lastReportedAt: bad ? '2026-01-10T08:00:00+00:00' : null,
      },
    },
  };
}

function ripestat({ path, query }: UpstreamRequest): UpstreamAnswer {
  const call = path.split('/').at(-2) ?? '';
  const resource = (query.get('resource') ?? '').replace(/^as/i, '');
  const recorded = samples('samples/ripestat', `${call}.`).find(({ name, text }) => {
    const named = name
      .slice(call.length + 1)
      .replace(/^AS/, '')
      .replace(/(\d)-(\d+)$/, '$1/$2')
      .split('.starttime')[0];
    return named === resource || (text.includes(`"resource": "${resource}"`) && !name.includes('error'));
  });
  if (recorded !== undefined) return { body: recorded.text };
  const announced = inLab(resource);
  const known = resource === LAB_ASN || announced;
  const holder = 'LAB-AS A laboratory on loopback';
  const answers: Record<string, unknown> = {
    'network-info': { asns: announced ? [LAB_ASN] : [], prefix: announced ? LAB_PREFIX : null },
    'as-overview': { type: 'as', resource, block: {}, holder: known ? holder : null, announced: known },
    'announced-prefixes': {
      resource,
      prefixes: known
        ? [
            { prefix: LAB_PREFIX, timelines: [] },
            { prefix: LAB_PREFIX6, timelines: [] },
          ]
        : [],
    },
    'prefix-overview': {
      resource,
      type: 'prefix',
      announced,
      asns: announced ? [{ asn: Number(LAB_ASN), holder }] : [],
      block: {},
    },
  };
  const data = answers[call];
  if (data === undefined)
    return {
      status: 404,
      body: { status: 'error', status_code: 404, messages: [['error', 'No such data call']], data: {} },
    };
  if (!/^[\d.:/a-f]+$/i.test(resource)) {
    return {
      status: 400,
      body: { status: 'error', status_code: 400, messages: [['error', 'The resource is not valid.']], data: {} },
    };
  }
  return { body: { status: 'ok', status_code: 200, data_call_name: call, messages: [], data } };
}

/** Every range has lines, as the real one's ranges do; with `Add-Padding` some of count 0. */
function hibp({ path, headers }: UpstreamRequest): UpstreamAnswer {
  const prefix = lastPart(path).toUpperCase();
  if (!/^[0-9A-F]{5}$/.test(prefix))
    return { status: 400, type: 'text/plain', body: 'The hash prefix was not in a valid format' };
  const recorded = sample('samples/hibp/range', prefix);
  const made = ['password', '123456', 'letmein']
    .map((word) => createHash('sha1').update(word).digest('hex').toUpperCase())
    .filter((hash) => hash.startsWith(prefix))
    .map((hash) => `${hash.slice(5)}:1234567`);
  const filler = (count: number, seen: number): string[] =>
    Array.from(
      { length: count },
      (_, i) => `${createHash('sha1').update(`${prefix}${seen}${i}`).digest('hex').toUpperCase().slice(5)}:${seen}`,
    );
  const lines = recorded === null ? [...made, ...filler(20, 3)] : [recorded.trimEnd()];
  return {
    type: 'text/plain',
    body: [...lines, ...(headers['add-padding'] === 'true' ? filler(30, 0) : [])].join('\r\n'),
  };
}

function github({ query }: UpstreamRequest): UpstreamAnswer {
  if (query.get('cve_id') !== 'CVE-2021-44228') return { body: [] };
  const advisory = {
    ghsa_id: 'GHSA-jfh8-c2jp-5v3q',
    cve_id: 'CVE-2021-44228',
    html_url: 'https://github.com/advisories/GHSA-jfh8-c2jp-5v3q',
    summary: 'Remote code injection in a logging library',
    severity: 'critical',
    published_at: '2021-12-10T00:40:56Z',
    withdrawn_at: null,
    identifiers: [],
  };
  return { body: [advisory] };
}

function shodanCvedb({ path }: UpstreamRequest): UpstreamAnswer {
  const cve = lastPart(path);
  return orNotFound(
    sample('samples/shodan-cvedb', `cve.${cve}`) ?? (cve === 'CVE-2021-44228' ? { cve_id: cve, references: [] } : null),
  );
}

function orNotFound(body: unknown): UpstreamAnswer {
  return body === null ? NO_INFORMATION : { body };
}

/** The recorded answer in which a field has this value. */
function recordedWith(folder: string, beginning: string, field: string, value: string): string | null {
  return samples(folder, beginning).find(({ text }) => parsed(text)[field] === value)?.text ?? null;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function lastPart(path: string): string {
  return decodeURIComponent(path.replace(/\/$/, '').split('/').at(-1) ?? '');
}
