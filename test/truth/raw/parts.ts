import { gunzipSync } from 'node:zlib';
import { csvRows, feedFile, feedJson, NVD_YEARS, nvdYear, zipFiles } from './files.ts';

/** One assessment as its source states it. */
export interface RawMetric {
  version: string;
  vector: string;
  score: number | null;
  /** Upper case as published; null where none or `NONE`. */
  severity: string | null;
  scorer: string;
  primary: boolean;
}

/** What one source says of one CVE, as far as searching needs it. */
export interface Part {
  id: string;
  source: 'nvd' | 'cvelist' | 'ghsa';
  status: string;
  rejected: boolean;
  published: string | null;
  metrics: RawMetric[];
  cwes: string[];
  /** Kind, vendor and product (`target`: target_sw), with tabs between; `name` is of plain words. */
  tokens: string[];
}

const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

function severity(text: string | undefined): string | null {
  const upper = (text ?? '').toUpperCase();
  return SEVERITIES.includes(upper) ? upper : null;
}

/** The eleven components of a CPE 2.3 name, unquoted; null when it is none. */
export function cpeComponents(name: string): string[] | null {
  const text = /^cpe:2\.3:(.*)$/s.exec(name.trim())?.[1] ?? '';
  if (!text.includes('\\')) return text.split(':').length === 11 ? text.split(':') : null;
  const components = text.split(/(?<!\\):/);
  return components.length === 11 ? components.map((component) => component.replace(/\\(.)/g, '$1')) : null;
}

export function token(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, '_');
}

function cpeTokens(name: string, vulnerable: boolean): string[] {
  // Of a 2.2 URI the first components stand at the same places.
  const components = cpeComponents(name) ?? (name.startsWith('cpe:/') ? name.slice('cpe:/'.length).split(':') : []);
  const [, vendor, product, , , , , , target] = components.map(token);
  if (vendor === undefined || product === undefined) return [];
  if (!vulnerable) return [`platform\t${vendor}\t${product}`];
  const own = `affected\t${vendor}\t${product}`;
  return target === undefined || target === '*' || target === '-' ? [own] : [own, `target\t${vendor}\t${target}`];
}

export function nvdMetrics(cve: any): RawMetric[] {
  const lists = ['cvssMetricV40', 'cvssMetricV31', 'cvssMetricV30', 'cvssMetricV2'];
  return lists
    .flatMap((list) => cve.metrics?.[list] ?? [])
    .map((metric: any) => ({
      version: metric.cvssData.version,
      vector: metric.cvssData.vectorString,
      score: metric.cvssData.baseScore,
      severity: severity(metric.cvssData.baseSeverity ?? metric.baseSeverity),
      scorer: metric.source,
      primary: metric.type === 'Primary',
    }));
}

export function nvdPart(cve: any): Part {
  const matches = (cve.configurations ?? []).flatMap((one: any) => one.nodes).flatMap((node: any) => node.cpeMatch);
  return {
    id: cve.id,
    source: 'nvd',
    status: cve.vulnStatus,
    rejected: cve.vulnStatus === 'Rejected',
    published: `${cve.published}Z`,
    metrics: nvdMetrics(cve),
    cwes: cweIds((cve.weaknesses ?? []).flatMap((one: any) => one.description).map((one: any) => one.value)),
    tokens: [...new Set<string>(matches.flatMap((match: any) => cpeTokens(match.criteria, match.vulnerable)))],
  };
}

export function* nvdRecords(): Iterable<any> {
  for (const year of NVD_YEARS) yield* nvdYear(year);
}

function cweIds(texts: (string | undefined)[]): string[] {
  return [...new Set(texts.flatMap((text) => /^CWE-\d+\b/.exec(text ?? '')?.[0] ?? []))];
}

export function cvelistRecords(): any[] {
  const archive = feedFile('cvelistV5', '2024-10-24_delta_CVEs_at_2200Z.zip');
  return [...zipFiles(archive)].map(({ content }) => JSON.parse(content.toString('utf8')));
}

export function cvelistPart({ cveMetadata, containers: { cna, adp = [] } }: any): Part {
  const containers = [cna, ...adp];
  const fields = { cvssV4_0: '4.0', cvssV3_1: '3.1', cvssV3_0: '3.0', cvssV2_0: '2.0' };
  return {
    id: cveMetadata.cveId,
    source: 'cvelist',
    status: cveMetadata.state,
    rejected: cveMetadata.state === 'REJECTED',
    published: cveMetadata.datePublished ?? null,
    metrics: containers.flatMap((container: any) =>
      (container.metrics ?? []).flatMap((metric: any) =>
        Object.entries(fields).flatMap(([field, version]) => {
          const cvss = metric[field];
          if (cvss === undefined) return [];
          const { vectorString: vector, baseScore: score = null, baseSeverity } = cvss;
          const scorer = container.providerMetadata.shortName;
          return [{ version, vector, score, severity: severity(baseSeverity), scorer, primary: container === cna }];
        }),
      ),
    ),
    cwes: cweIds(
      containers
        .flatMap((container: any) => container.problemTypes ?? [])
        .flatMap((type: any) => type.descriptions)
        .map((one: any) => one.cweId ?? one.description),
    ),
    tokens: [
      ...new Set<string>(containers.flatMap((container: any) => container.affected ?? []).flatMap(affectedTokens)),
    ],
  };
}

/** Of an entry under which any version is affected. */
function affectedTokens({ vendor = '', product, packageName, cpes = [], defaultStatus, versions = [] }: any): string[] {
  const changes = versions.flatMap((row: any) => [row, ...(row.changes ?? [])]);
  if (defaultStatus !== 'affected' && !changes.some((row: any) => row.status === 'affected')) return [];
  const named = (text: string | undefined): string | null =>
    /^(n\/?a|unknown|)$/i.test(text?.trim() ?? '') ? null : text!;
  const name = named(product) ?? named(packageName);
  const plain = name === null ? [] : [`name\t${token(named(vendor) ?? '')}\t${token(name)}`];
  return cpes.length > 0 ? cpes.flatMap((cpe: string) => cpeTokens(cpe, true)) : plain;
}

export function advisories(): any[] {
  return Array.from({ length: 53 }, (_, index) => feedJson('ghsa', `page-${index + 1}.json`)).flat();
}

/** All advisories of one CVE as one part; withdrawn ones count only where no other stands. */
export function ghsaParts(): Part[] {
  const byCve = Map.groupBy(
    advisories().filter(({ cve_id }) => cve_id != null),
    ({ cve_id }) => cve_id as string,
  );
  return [...byCve].map(([id, all]) => {
    const standing = all.filter((advisory) => advisory.withdrawn_at == null);
    const some = standing.length > 0 ? standing : all;
    some.sort((a, b) => (a.ghsa_id < b.ghsa_id ? -1 : 1));
    return {
      id,
      source: 'ghsa',
      status: some[0].type,
      rejected: standing.length === 0,
      published: some.map((advisory) => advisory.published_at as string).sort()[0]!,
      metrics: some.flatMap(({ cvss_severities, cvss }) => {
        const own = [cvss_severities?.cvss_v4, cvss_severities?.cvss_v3].filter((one) => one?.vector_string);
        return (own.length > 0 ? own : [cvss].filter((one) => one?.vector_string)).map((one) => ({
          version: /^CVSS:(\d\.\d)/.exec(one.vector_string)?.[1] ?? '2.0',
          vector: one.vector_string,
          score: one.score,
          severity: null,
          scorer: 'github',
          primary: false,
        }));
      }),
      cwes: cweIds(some.flatMap(({ cwes }) => cwes ?? []).map(({ cwe_id }) => cwe_id)),
      tokens: [
        ...new Set(
          some
            .flatMap(({ vulnerabilities }) => vulnerabilities)
            .map((one: any) => `name\t\t${token(one.package.name)}`),
        ),
      ],
    };
  });
}

export function knownExploited(): any[] {
  return feedJson('kev', 'known_exploited_vulnerabilities.json').vulnerabilities;
}

/** Score and percentile by CVE. */
export function epssScores(): Map<string, [number, number]> {
  const lines = gunzipSync(feedFile('epss', 'epss_scores-current.csv.gz')).toString('utf8').trim().split('\n').slice(2);
  return new Map(
    lines.map((line) => {
      const [id, score, percentile] = line.split(',');
      return [id!, [Number(score), Number(percentile)]];
    }),
  );
}

/** Exploit ids by CVE. */
export function exploitIds(): Map<string, number[]> {
  const byCve = new Map<string, number[]>();
  for (const row of csvRows(feedFile('exploitdb', 'files_exploits.csv').toString('utf8'))) {
    for (const id of new Set(row['codes']!.toUpperCase().match(/CVE-\d{4}-\d{4,}/g))) {
      byCve.set(id, [...(byCve.get(id) ?? []), Number(row['id'])]);
    }
  }
  return byCve;
}
