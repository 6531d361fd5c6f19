import { z } from 'zod';
import { httpSource } from './http-source.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { requireOk } from './source-failure.ts';

/** Number of rows requested; further captures are not counted. */
const MAX_CAPTURES = 50_000;
const SAMPLE_SIZE = 20;

const CdxTable = z.array(z.array(z.string()));

export interface Capture {
  /** `yyyyMMddhhmmss`, UTC. */
  timestamp: string;
  /** Status of the archived response; null: unknown. */
  status_code: number | null;
}

export interface CaptureSummary {
  total: number;
  /** The limit was reached: there are at least `total`. */
  more: boolean;
  /** Oldest first and evenly spread, including the first and the last capture. */
  sample: Capture[];
}

/** Captures of a domain's front page in the Wayback Machine (CDX server): from the start, or only the `last` one. */
export const wayback = httpSource<{ domain: string; lastOnly: boolean }, CaptureSummary>({
  policy: {
    id: 'wayback',
    title: 'Wayback Machine',
    provides: 'archived captures of a site',
    baseUrl: 'https://web.archive.org/',
    timeoutMs: 12_000,
    maxBytes: 4 * 1024 * 1024,
    ttlSeconds: 6 * 3600,
    concurrency: 4,
    key: null,
  },
  readerName: 'wayback',
  request: ({ domain, lastOnly }) => ({
    path: `cdx/search/cdx?url=${encodeURIComponent(domain)}&output=json&fl=timestamp,statuscode&limit=${lastOnly ? '-1&fastLatest=true' : MAX_CAPTURES}`,
    headers: { accept: 'application/json' },
  }),
  read(status, body) {
    requireOk(status);
    const [header = [], ...rows] = CdxTable.parse(body.trim() === '' ? [] : parseBoundedJson(body));
    const at = header.indexOf('timestamp');
    const code = header.indexOf('statuscode');
    if (header.length > 0 && at === -1) throw new Error('no timestamp column');
    const captures = rows
      .filter((row) => /^\d{14}$/.test(row[at] ?? ''))
      .map((row) => ({ timestamp: row[at]!, status_code: /^\d{3}$/.test(row[code] ?? '') ? Number(row[code]) : null }));
    return { total: captures.length, more: rows.length >= MAX_CAPTURES, sample: sampleEvenly(captures) };
  },
});

function sampleEvenly(captures: readonly Capture[]): Capture[] {
  if (captures.length <= SAMPLE_SIZE) return [...captures];
  return Array.from(
    { length: SAMPLE_SIZE },
    (_, index) => captures[Math.round((index * (captures.length - 1)) / (SAMPLE_SIZE - 1))]!,
  );
}
