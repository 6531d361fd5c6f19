import type { CveFacts, CvssAssessment, CveWeakness, SsvcAssessment } from '../../analysis/cve/cve-facts.ts';
import { withoutRepeatedProducts } from '../../analysis/cve/merge-products.ts';
import { newestSsvc, parseSsvcOptions } from '../../analysis/cve/ssvc-assessment.ts';
import { mergeReferences } from '../cve-fields.ts';
import { parseSeverity } from '../../analysis/severity.ts';
import { parseUtcTime } from '../fields.ts';
import { affectedProducts } from './products.ts';
import type { Container, CveRecord } from './schema.ts';

const CVSS_FIELDS = { cvssV4_0: '4.0', cvssV3_1: '3.1', cvssV3_0: '3.0', cvssV2_0: '2.0' } as const;
const VECTOR = /^[\w.:/]{1,400}$/;

/** A container with the short name of its author: the CNA, or an authorized data publisher (ADP) such as CISA. */
interface AuthoredContainer {
  author: string;
  isCna: boolean;
  container: Container;
}

/** The facts of a CVE record: first those of the CNA, then those of the ADP containers. */
export function factsOfCveRecord({ cveMetadata, containers }: CveRecord): CveFacts {
  const { cna, adp = [] } = containers;
  const assigner = cveMetadata.assignerShortName ?? cveMetadata.assignerOrgId ?? null;
  const authored: AuthoredContainer[] = [
    { author: cna.providerMetadata?.shortName ?? assigner ?? 'CNA', isCna: true, container: cna },
    ...adp.map((container) => ({ author: authorOf(container), isCna: false, container })),
  ];
  return {
    cve_id: cveMetadata.cveId,
    source: 'cvelist',
    status: cveMetadata.state,
    rejected: cveMetadata.state === 'REJECTED',
    published: parseUtcTime(cveMetadata.datePublished),
    modified: parseUtcTime(cveMetadata.dateUpdated),
    title: cna.title || null,
    description: englishText(cna.descriptions) ?? englishText(cna.rejectedReasons),
    assigner,
    // Tags that begin with x_ are private to a CNA.
    tags: [...new Set((cna.tags ?? []).filter((tag) => /^[a-z][a-z-]*$/.test(tag)))],
    metrics: authored.flatMap(metricsOf),
    ssvc: newestSsvc(authored.flatMap(ssvcOf)),
    weaknesses: weaknessesOf(authored),
    references: mergeReferences(
      authored.flatMap(({ author, container }) =>
        (container.references ?? []).map(({ url, tags = [] }) => ({ url, tags, source: author })),
      ),
    ),
    products: withoutRepeatedProducts(affectedProducts(authored.flatMap(({ container }) => container.affected ?? []))),
    configurations: [],
  };
}

function authorOf(container: Container): string {
  const name = container.providerMetadata?.shortName;
  if (name !== undefined) return name;
  return container.title?.startsWith('CISA ADP') ? 'CISA-ADP' : 'ADP';
}

function englishText(texts: Container['descriptions']): string | null {
  const found = texts?.find(({ lang, value }) => /^en\b/i.test(lang) && value !== '');
  return found?.value ?? null;
}

function metricsOf({ author, isCna, container }: AuthoredContainer): CvssAssessment[] {
  return (container.metrics ?? []).flatMap((metric) =>
    Object.entries(CVSS_FIELDS).flatMap(([field, version]) => {
      const cvss = metric[field as keyof typeof CVSS_FIELDS];
      if (cvss === undefined || !VECTOR.test(cvss.vectorString)) return [];
      return [
        {
          version,
          vector: cvss.vectorString,
          base_score: cvss.baseScore ?? null,
          base_severity: parseSeverity(cvss.baseSeverity),
          scorer: author,
          primary: isCna,
        },
      ];
    }),
  );
}

function ssvcOf({ author, container }: AuthoredContainer): (SsvcAssessment | null)[] {
  return (container.metrics ?? []).map(({ other }) => {
    if (other?.type !== 'ssvc') return null;
    return parseSsvcOptions(other.content.options, author, parseUtcTime(other.content.timestamp));
  });
}

function weaknessesOf(authored: readonly AuthoredContainer[]): CveWeakness[] {
  const found = new Map<string, CveWeakness>();
  for (const { author, container } of authored) {
    for (const { cweId, description } of (container.problemTypes ?? []).flatMap((type) => type.descriptions)) {
      // Some CNAs write the id into the text alone: "CWE-79 Cross-site Scripting".
      const cwe_id = /^CWE-\d+\b/.exec(cweId ?? description ?? '')?.[0];
      if (cwe_id !== undefined) found.set(`${cwe_id} ${author}`, { cwe_id, source: author });
    }
  }
  return [...found.values()];
}
