import { z } from 'zod';
import { normalizeWebUrl } from '../analysis/web-url.ts';
import { ABUSECH_KEY, abusechRequest, parseAbusechResponse, parseAbusechTime } from './abusech.ts';
import { httpSource } from './http-source.ts';
import { displayLineOrNull, displayLines } from '../analysis/display-text.ts';
import type { SourcePolicy } from './source.ts';

const MAX_URLS = 100;
const MAX_TAGS = 30;
/** A host or URL that it rejects as invalid is not in its list. */
const NOT_LISTED = ['no_results', 'invalid_host', 'invalid_url'];

const policy: SourcePolicy = {
  id: 'urlhaus',
  title: 'URLhaus (abuse.ch)',
  provides: 'URLs that deliver malware, by URL and by host',
  baseUrl: 'https://urlhaus-api.abuse.ch/',
  timeoutMs: 8000,
  maxBytes: 8 * 1024 * 1024,
  ttlSeconds: 24 * 3600,
  concurrency: 4,
  key: ABUSECH_KEY,
};

const UrlEntry = z.object({
  url: z.string(),
  urlhaus_reference: z.string().nullish(),
  url_status: z.string().nullish(),
  date_added: z.string().nullish(),
  threat: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});
const HostEntry = z.object({
  host: z.string(),
  urlhaus_reference: z.string().nullish(),
  firstseen: z.string().nullish(),
  url_count: z.coerce.number().int().nonnegative(),
  urls: z.array(UrlEntry),
});

export interface MalwareUrl {
  url: string;
  /** Null: URLhaus does not know. */
  online: boolean | null;
  date_added: string | null;
  threat: string | null;
  tags: string[];
  /** Its page at URLhaus. */
  reference: string | null;
}

export interface MalwareHost {
  first_seen: string | null;
  /** Number of URLs that URLhaus ever listed for the host; `urls` has the latest, at most a hundred. */
  url_count: number;
  /** Online URLs among those in the response. */
  urls_online: number;
  urls: MalwareUrl[];
  reference: string | null;
}

/** Malware URLs on a host name or address at URLhaus; null: not listed. */
export const urlhausHost = httpSource<{ host: string }, MalwareHost | null>({
  policy,
  readerName: 'urlhaus_host',
  request: ({ host }, key) => abusechRequest('v1/host/', { host }, key),
  read(status, body, { host }) {
    const answer = parseAbusechResponse(status, body, NOT_LISTED);
    if (answer === null) return null;
    const found = HostEntry.parse(answer);
    if (found.host.toLowerCase() !== host) throw new Error('an answer about another host');
    const urls = found.urls.map(toMalwareUrl);
    return {
      first_seen: parseAbusechTime(found.firstseen),
      url_count: found.url_count,
      urls_online: urls.filter(({ online }) => online === true).length,
      urls: urls.slice(0, MAX_URLS),
      reference: normalizeWebUrl(found.urlhaus_reference ?? ''),
    };
  },
});

/** The entry of one URL at URLhaus; null: not listed. */
export const urlhausUrl = httpSource<{ url: string }, MalwareUrl | null>({
  policy,
  readerName: 'urlhaus_url',
  request: ({ url }, key) => abusechRequest('v1/url/', { url }, key),
  read(status, body) {
    const answer = parseAbusechResponse(status, body, NOT_LISTED);
    return answer === null ? null : toMalwareUrl(UrlEntry.parse(answer));
  },
});

function toMalwareUrl(row: z.infer<typeof UrlEntry>): MalwareUrl {
  const status = row.url_status?.toLowerCase();
  return {
    url: displayLineOrNull(row.url, 2048) ?? '',
    online: status === 'online' ? true : status === 'offline' ? false : null,
    date_added: parseAbusechTime(row.date_added),
    threat: displayLineOrNull(row.threat, 60),
    tags: displayLines(row.tags, MAX_TAGS, 60),
    reference: normalizeWebUrl(row.urlhaus_reference ?? ''),
  };
}
