import { buildFixtureCatalog } from '../../operations/fixture-catalog.ts';
import { facts, IDS, metric, product, SYNCED_AT } from '../../operations/fixture-facts.ts';
import { HOSTILE_URLS, LONG_PAYLOAD, PAYLOAD } from './payloads.ts';

/** A CVE in which nothing is as it should be. */
export const WORST_CVE = 'CVE-2024-95001';

/** Fields whose values are read as ids, times, kinds or grammar: another value would not be stored, and never be shown. */
const STRUCTURE =
  /(?:^|_)(?:id|ids|cwes|date|added|at|published|updated|modified|withdrawn|start|end|including|excluding|introduced|fixed|version|versions|vector|cpe|source|kind|collection|ecosystem|purls|parents|operator|cidr|events|range|ranges|aliases|status|severity|type|level|exploitation|automatable|technical_impact|base_severity)$/;
const SHAPED = /^(?:\d{4}-\d\d-\d\d|CVE-|CWE-|GHSA-|CAPEC-|TA?\d{4}|AML\.|D3-|cpe:|pkg:|CVSS:|[\da-f]{8}-)/i;

/** The same entry with the payload in every text, and hostile addresses in place of addresses. */
export function poison<Entry>(entry: Entry): Entry {
  let links = 0;
  const change = (value: unknown, field: string): unknown => {
    if (typeof value === 'string') {
      if (STRUCTURE.test(field) || SHAPED.test(value) || value === '') return value;
      if (/^https?:/.test(value)) return HOSTILE_URLS[links++ % HOSTILE_URLS.length];
      return `${PAYLOAD}${value}${PAYLOAD}`;
    }
    if (Array.isArray(value)) return value.map((item) => change(item, field));
    if (typeof value !== 'object' || value === null) return value;
    // Links join documents to each other.
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, name === 'links' ? inner : change(inner, name)]),
    );
  };
  return change(entry, '') as Entry;
}

/** Folder of a catalog whose every text carries the payload. */
export function poisonedCatalog(): string {
  const worst = facts({
    cve_id: WORST_CVE,
    title: PAYLOAD,
    description: LONG_PAYLOAD,
    assigner: PAYLOAD,
    tags: [PAYLOAD],
    metrics: [metric({ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', base_score: 10, scorer: PAYLOAD })],
    weaknesses: [{ cwe_id: 'CWE-79', source: PAYLOAD }],
    references: Array.from({ length: 300 }, (_, at) => ({
      url: HOSTILE_URLS[at % HOSTILE_URLS.length]!,
      tags: [PAYLOAD],
      source: PAYLOAD,
    })),
    products: [
      product('cpe:2.3:a:\\"\\>\\<zq9x:\\<script\\>:*:*:*:*:*:*:*:*', { vendor: PAYLOAD, product: PAYLOAD }),
      ...Array.from({ length: 300 }, (_, at) => ({
        ...product('', { vendor: `${at}${PAYLOAD}`, product: LONG_PAYLOAD.slice(0, 5000), version: PAYLOAD }),
        cpe: null,
      })),
    ],
  });
  return buildFixtureCatalog([], undefined, { cve: [worst] }, SYNCED_AT, poison);
}

/** CVEs of the fixture that have most of what a page can show. */
export const POISONED_CVES = [WORST_CVE, IDS.log4shell, IDS.heartbleed, IDS.kevOnly, IDS.twoVendors, IDS.rejected];
