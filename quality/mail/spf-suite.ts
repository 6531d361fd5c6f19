import { readFileSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import type { Zone, ZoneRecords } from './zone-dns.ts';

/** One message of the public suite of RFC 7208. */
export interface SpfCase {
  name: string;
  section: string;
  zone: Zone;
  /** Address of the client. */
  ip: string;
  sender: string;
  helo: string;
  /** All that are right. */
  results: readonly string[];
  explanation: string | null;
}

interface Section {
  description: string;
  tests: Record<
    string,
    { helo: string; host: string; mailfrom: string; result: string | string[]; explanation?: string }
  >;
  zonedata: Record<string, (Record<string, unknown> | 'TIMEOUT')[]>;
}

/** The 200 cases of the suite's YAML file. */
export function readSpfSuite(path: string): SpfCase[] {
  const sections = (loadAll(readFileSync(path, 'utf8')) as (Section | undefined)[]).filter(
    (section): section is Section => section?.tests !== undefined,
  );
  return sections.flatMap((section) => {
    const zone = zoneOf(section);
    return Object.entries(section.tests).map(([name, { helo, host, mailfrom, result, explanation }]) => ({
      name,
      section: section.description,
      zone,
      ip: host,
      sender: mailfrom,
      helo,
      results: [result].flat(),
      explanation: explanation ?? null,
    }));
  });
}

/** The suite's notation: an `SPF` record stands for a TXT one where there is none; the bare `TIMEOUT` for all that is not listed. */
function zoneOf(section: Section): Zone {
  return Object.fromEntries(
    Object.entries(section.zonedata).map(([name, rows]) => {
      const records: Record<string, ZoneRecords[string]> = {};
      const listed = rows.filter((row) => row !== 'TIMEOUT').flatMap((row) => Object.entries(row));
      const hasTexts = listed.some(([type]) => type === 'TXT');
      for (const [type, value] of listed) {
        if (value === 'NONE' || (type === 'SPF' && hasTexts)) continue;
        const stored = type === 'SPF' ? 'TXT' : type;
        const before = records[stored] ?? [];
        const one = type === 'MX' || !Array.isArray(value) ? [value] : [value.join('')];
        records[stored] = before === 'fails' ? before : [...before, ...one];
      }
      if (rows.includes('TIMEOUT')) records['elsewhere'] = 'fails';
      return [name.toLowerCase(), records];
    }),
  );
}
