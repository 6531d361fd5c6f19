import { z } from 'zod';
import { httpSource } from './http-source.ts';
import { parseJson } from './parse-json.ts';
import { displayLineOrNull, displayLines } from '../analysis/display-text.ts';
import { parseAbusechTime } from './abusech-time.ts';

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
const ApiResponse = z.object({ query_status: z.string(), data: z.unknown().optional() });

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

/** Indicators at ThreatFox in which a text occurs: whoever asks picks those that are meant. */
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
    key: { variable: 'SEXTANT_ABUSECH_KEY', needed: true },
  },
  readerName: 'threatfox',
  request: ({ search }, key) => ({
    path: 'api/v1/',
    method: 'POST',
    headers: { 'auth-key': key ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'search_ioc', search_term: search }),
  }),
  read(status, body) {
    if (status !== 200) throw new Error(`status ${status}`);
    const { query_status, data } = ApiResponse.parse(parseJson(body));
    // A term that it does not take cannot be among its indicators.
    if (query_status === 'no_result' || query_status === 'illegal_search_term') return [];
    if (query_status !== 'ok') throw new Error('the question was refused');
    return z.array(Ioc).parse(data).slice(0, MAX_INDICATORS).map(toIndicator);
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
