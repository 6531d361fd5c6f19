import type { SsvcAssessment } from './cve-facts.ts';

const EXPLOITATION: Readonly<Record<string, SsvcAssessment['exploitation']>> = {
  none: 'none',
  poc: 'poc',
  // Exploitation 1.1.0 renames the value.
  'public poc': 'poc',
  active: 'active',
};
const AUTOMATABLE: Readonly<Record<string, SsvcAssessment['automatable']>> = { no: 'no', yes: 'yes' };
const TECHNICAL_IMPACT: Readonly<Record<string, SsvcAssessment['technical_impact']>> = {
  partial: 'partial',
  total: 'total',
};

/**
 * An assessment from its options as published: one object for each decision point, `{ "Technical Impact": "Total" }` in CVE
 * records, `{ "technicalImpact": "total" }` in the NVD's. Null if one of the three points is missing or has another value.
 */
export function parseSsvcOptions(options: unknown, source: string, at: string | null): SsvcAssessment | null {
  if (!Array.isArray(options)) return null;
  const values = new Map(
    options
      .flatMap((option) => Object.entries(option ?? {}))
      .map(([point, value]) => [point.toLowerCase().replace(/[^a-z]/g, ''), String(value).trim().toLowerCase()]),
  );
  const valueOf = <Value>(point: string, known: Readonly<Record<string, Value>>): Value | undefined => {
    const value = values.get(point) ?? '';
    return Object.hasOwn(known, value) ? known[value] : undefined;
  };
  const exploitation = valueOf('exploitation', EXPLOITATION);
  const automatable = valueOf('automatable', AUTOMATABLE);
  const technical_impact = valueOf('technicalimpact', TECHNICAL_IMPACT);
  if (exploitation === undefined || automatable === undefined || technical_impact === undefined) return null;
  return { exploitation, automatable, technical_impact, source, at };
}

/** The newest assessment by `at`; of equal ones the first. One without a time yields to every other one. */
export function newestSsvc(assessments: Iterable<SsvcAssessment | null>): SsvcAssessment | null {
  let newest: SsvcAssessment | null = null;
  for (const assessment of assessments) {
    if (assessment === null) continue;
    if (newest === null || (assessment.at ?? '') > (newest.at ?? '')) newest = assessment;
  }
  return newest;
}
