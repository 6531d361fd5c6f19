import { z } from 'zod';
import { ABUSECH_KEY, parseAbusechResponse, parseAbusechTime } from './abusech.ts';
import { httpSource } from './http-source.ts';
import { displayLineOrNull, displayLines } from '../analysis/display-text.ts';

const MAX_INDICATORS = 1000;
const MAX_TAGS = 30;

const Ioc = z.object({
  id: z.coerce.string(),
  ioc: z.string(),
  threat_type: z.string().nullish(),
  malware_printable: z.string().nullish(),
  confidence_level: z.number().min(0).max(100).nullish(),
  first_seen: z.string().nullish(),
  last_seen: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
});

export interface ThreatFoxIndicator {
  ioc: string;
  /** `botnet_cc`, `payload_delivery`, `payload`. */
  threat_type: string | null;
  malware: string | null;
  /** 0 to 100. */
  confidence: number | null;
  first_seen: string | null;
  last_seen: string | null;
  tags: string[];
  /** Its page at ThreatFox. */
  reference: string | null;
}

/** Indicators at ThreatFox that contain `search` as a substring; the caller selects exact matches. */
export const threatfox = httpSource<{ search: string }, ThreatFoxIndicator[]>({
  policy: {
    id: 'threatfox',
    title: 'ThreatFox (abuse.ch)',
    provides: 'indicators of compromise, with the malware that they belong to',
    baseUrl: 'https://threatfox-api.abuse.ch/',
    timeoutMs: 8000,
    maxBytes: 8 * 1024 * 1024,
    ttlSeconds: 24 * 3600,
    concurrency: 4,
    key: ABUSECH_KEY,
  },
  readerName: 'threatfox',
  request: ({ search }, key) => ({
    path: 'api/v1/',
    method: 'POST',
    headers: { 'auth-key': key ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'search_ioc', search_term: search }),
  }),
  read(status, body) {
    // A search term that it does not accept is not in its database.
    const response = parseAbusechResponse(status, body, ['no_result', 'illegal_search_term']);
    return response === null ? [] : z.array(Ioc).parse(response.data).slice(0, MAX_INDICATORS).map(toIndicator);
  },
});

function toIndicator(row: z.infer<typeof Ioc>): ThreatFoxIndicator {
  return {
    ioc: row.ioc.slice(0, 2048),
    threat_type: displayLineOrNull(row.threat_type, 60),
    malware: displayLineOrNull(row.malware_printable, 100),
    confidence: row.confidence_level ?? null,
    first_seen: parseAbusechTime(row.first_seen),
    last_seen: parseAbusechTime(row.last_seen),
    tags: displayLines(row.tags, MAX_TAGS, 60),
    reference: /^\d{1,12}$/.test(row.id) ? `https://threatfox.abuse.ch/ioc/${row.id}/` : null,
  };
}
