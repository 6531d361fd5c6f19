import { epssScores, knownExploited, type Part, type RawMetric, token } from './parts.ts';

/** A CVE as a search sees it, worked out from the raw feeds alone. */
export interface Row {
  id: string;
  /** Year and number, for the order of ids. */
  year: number;
  number: number;
  /** Seconds since 1970; null where unknown. */
  published: number | null;
  severity: string | null;
  /** CVSS v3 base score. */
  cvss: number | null;
  epss: number | null;
  kev: boolean;
  rejected: boolean;
  leading: boolean;
  cwes: string[];
  tokens: string[];
}

const NOT_ANALYSED = ['Received', 'Awaiting Analysis', 'Undergoing Analysis', 'Deferred'];

/**
 * Joins the parts of each CVE, `nvd` first, then `cvelist`, then `ghsa`. A CVE that only the known-exploited catalog has is
 * a row of its own, one that only EPSS has is none.
 */
export function joinRows(parts: Iterable<Part>): Row[] {
  const byCve = new Map<string, Part[]>();
  for (const part of parts) byCve.set(part.id, [...(byCve.get(part.id) ?? []), part]);
  const epss = epssScores();
  const kev = new Map(knownExploited().map((entry) => [entry.cveID as string, entry]));
  const rows = [...byCve].map(([id, own]): Row => {
    const row = rowOf(id, own, epss.get(id)?.[0] ?? null, kev.has(id));
    // Where no record names a weakness, the one that the known-exploited catalog names is known.
    return row.cwes.length > 0 ? row : { ...row, cwes: kev.get(id)?.cwes ?? [] };
  });
  for (const [id, entry] of kev) {
    if (byCve.has(id)) continue;
    const tokens = [`affected\t${token(entry.vendorProject)}\t${token(entry.product)}`];
    const scored = epss.get(id)?.[0] ?? null;
    const cwes = entry.cwes as string[];
    rows.push({ ...rowOf(id, [], scored, true), leading: true, cwes, tokens });
  }
  return rows.sort(byPublication);
}

/** Newest first, to the second, unknown last; then by id (year, then number), highest first. */
function byPublication(a: Row, b: Row): number {
  return (b.published ?? 0) - (a.published ?? 0) || b.year - a.year || b.number - a.number;
}

function rowOf(id: string, parts: Part[], epss: number | null, kev: boolean): Row {
  const [, year, number] = id.split('-').map(Number);
  const metrics = parts.flatMap((part) => part.metrics);
  const published = parts.map((part) => part.published).find(isDate);
  const tokens = [...new Set(parts.flatMap((part) => part.tokens))];
  const byCpe = tokens.filter((text) => !text.startsWith('name\t'));
  const nvd = parts.find((part) => part.source === 'nvd');
  return {
    id,
    year: year!,
    number: number!,
    published: published === undefined ? null : Math.floor(Date.parse(published) / 1000),
    severity: rawSeverity(metrics),
    cvss: standing(metrics, ['3.1', '3.0'])?.score ?? null,
    epss,
    kev,
    // A withdrawn advisory does not reject a CVE that a CVE record stands for.
    rejected: parts.some((part) => part.rejected && (part.source !== 'ghsa' || parts.length === 1)),
    leading: parts.some((part) => part.source !== 'nvd') && (nvd === undefined || NOT_ANALYSED.includes(nvd.status)),
    cwes: [...new Set(parts.flatMap((part) => part.cwes))],
    // Names in plain words count where no source has a CPE.
    tokens: byCpe.length > 0 ? byCpe : tokens.map((text) => text.replace(/^name\t/, 'affected\t')),
  };
}

/** Some advisories give the year 1 where they know no date. */
function isDate(time: string | null): time is string {
  return time !== null && time >= '1970';
}

/** NVD's own assessment, else a primary one, else any; of one rank the newer version, then the one that comes first. */
export function standing(metrics: readonly RawMetric[], versions: readonly string[]): RawMetric | undefined {
  const ranks: ((metric: RawMetric) => boolean)[] = [
    (metric) => metric.scorer === 'nvd@nist.gov',
    (metric) => metric.primary,
    () => true,
  ];
  for (const isOf of ranks) {
    for (const version of versions) {
      const found = metrics.find((metric) => metric.version === version && isOf(metric));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** v3 where anybody gave a severity under it, else v4, else v2. */
export function rawSeverity(metrics: readonly RawMetric[]): string | null {
  for (const versions of [['3.1', '3.0'], ['4.0'], ['2.0']]) {
    const metric = standing(metrics, versions);
    const severity = metric === undefined ? null : (metric.severity ?? band(metric));
    if (severity !== null) return severity;
  }
  return null;
}

function band({ score, version }: RawMetric): string | null {
  if (score === null || score === 0) return null;
  if (score >= 9 && version !== '2.0') return 'CRITICAL';
  return score >= 7 ? 'HIGH' : score >= 4 ? 'MEDIUM' : 'LOW';
}
