import { z } from 'zod';
import type { CveFacts, CvssAssessment, CveProduct } from '../../analysis/cve/cve-facts.ts';
import type { CvssVersion } from '../../analysis/cvss/metrics.ts';
import { normalizeWebUrl } from '../../analysis/web-url.ts';
import { isMaliciousCode } from '../../analysis/packages/malicious-package.ts';
import { baseScoreOrNull, CWE_ID, cveProduct, mergeReferences } from '../cve-fields.ts';
import type { AdvisoryEntry } from '../entries.ts';
import { CanonicalCveId, CleanedText, parseUtcTime } from '../fields.ts';
import { parseVersionComparisons, versionSpan, type VersionSpan } from '../version-span.ts';

const CVSS_3_OR_4 = /^CVSS:(3\.0|3\.1|4\.0)\/[\w:/.]{1,400}$/;
const SCORER = 'github';

const Time = z.string().transform((text, context) => {
  const time = parseUtcTime(text);
  if (time !== null) return time;
  context.addIssue({ code: 'custom', message: 'not a time' });
  return z.NEVER;
});

const Cvss = z.object({ vector_string: z.string().nullish(), score: z.number().min(0).max(10).nullish() });

/** A time; null if it is in the year 1, which the upstream writes for "unknown". */
const TimeOrUnknown = z.union([
  z
    .string()
    .regex(/^0001-/)
    .transform(() => null),
  Time,
]);

/** The fields that are read of an advisory of GitHub's REST API (`GET /advisories`, API version 2022-11-28). */
export const GithubAdvisory = z.object({
  ghsa_id: z.string().regex(/^GHSA(?:-[23456789cfghjmpqrvwx]{4}){3}$/, 'not a GHSA id'),
  cve_id: CanonicalCveId.nullish(),
  html_url: z.string().nullish(),
  summary: CleanedText,
  description: CleanedText.nullish(),
  type: z.string().default('reviewed'),
  severity: z.string(),
  published_at: TimeOrUnknown,
  updated_at: TimeOrUnknown,
  withdrawn_at: Time.nullish(),
  vulnerabilities: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: CleanedText }).nullish(),
        vulnerable_version_range: CleanedText.nullish(),
        // An object until API version 2022-11-28, a string since.
        first_patched_version: z.union([z.string(), z.object({ identifier: z.string() })]).nullish(),
      }),
    )
    .nullish(),
  cvss: Cvss.nullish(),
  cvss_severities: z.object({ cvss_v3: Cvss.nullish(), cvss_v4: Cvss.nullish() }).nullish(),
  cwes: z.array(z.object({ cwe_id: z.string() })).nullish(),
  references: z.array(z.union([z.string(), z.object({ url: z.string() })])).nullish(),
});

type Advisory = z.infer<typeof GithubAdvisory>;
type Vulnerability = NonNullable<Advisory['vulnerabilities']>[number];

/** An advisory as an entry, with the facts of its CVE if it names one. */
export function advisoryEntry(advisory: Advisory): AdvisoryEntry {
  return {
    ghsa_id: advisory.ghsa_id,
    cve_id: advisory.cve_id ?? null,
    summary: advisory.summary,
    severity: advisory.severity,
    published: advisory.published_at,
    updated: advisory.updated_at,
    withdrawn: advisory.withdrawn_at ?? null,
    url: normalizeWebUrl(advisory.html_url ?? '') ?? `https://github.com/advisories/${advisory.ghsa_id}`,
    packages: (advisory.vulnerabilities ?? []).flatMap((vulnerability) => {
      if (vulnerability.package == null) return [];
      const patched = vulnerability.first_patched_version ?? null;
      return [
        {
          ecosystem: vulnerability.package.ecosystem,
          name: vulnerability.package.name,
          vulnerable_range: vulnerability.vulnerable_version_range || null,
          first_patched: typeof patched === 'object' ? (patched?.identifier ?? null) : patched || null,
        },
      ];
    }),
    facts: advisory.cve_id == null ? null : factsOf(advisory, advisory.cve_id),
    ...(isMaliciousCode((advisory.cwes ?? []).map(({ cwe_id }) => cwe_id)) && { is_malicious: true as const }),
  };
}

function factsOf(advisory: Advisory, cveId: string): CveFacts {
  const withdrawn = advisory.withdrawn_at != null;
  const cwes = (advisory.cwes ?? []).map(({ cwe_id }) => cwe_id).filter((id) => CWE_ID.test(id));
  const urls = (advisory.references ?? []).map((entry) => (typeof entry === 'string' ? entry : entry.url));
  return {
    cve_id: cveId,
    source: 'ghsa',
    status: withdrawn ? 'withdrawn' : advisory.type,
    rejected: withdrawn,
    published: advisory.published_at,
    modified: advisory.updated_at,
    title: advisory.summary || null,
    description: advisory.description || null,
    assigner: null,
    tags: [],
    metrics: metricsOf(advisory),
    ssvc: null,
    weaknesses: [...new Set(cwes)].map((cwe_id) => ({ cwe_id, source: SCORER })),
    references: mergeReferences(urls.map((url) => ({ url, tags: [], source: SCORER }))),
    products: (advisory.vulnerabilities ?? []).flatMap(productOf),
    configurations: [],
  };
}

/** CVSS 3 and 4; the field `cvss`, which repeats one of them, only if both are missing. */
function metricsOf({ cvss, cvss_severities: severities }: Advisory): CvssAssessment[] {
  const assessments = [severities?.cvss_v4, severities?.cvss_v3].flatMap(assessmentOf);
  return assessments.length > 0 ? assessments : assessmentOf(cvss);
}

/** GitHub often gives a vector with a score of 0.0 or without one: then the score is computed. Invalid vectors are left out. */
function assessmentOf(cvss: Advisory['cvss']): CvssAssessment[] {
  const vector = cvss?.vector_string?.trim().replace(/\/$/, '') ?? '';
  const version = CVSS_3_OR_4.exec(vector)?.[1];
  if (version === undefined) return [];
  return [
    {
      version: version as CvssVersion,
      vector,
      base_score: cvss?.score || baseScoreOrNull(vector),
      base_severity: null,
      scorer: SCORER,
      primary: false,
    },
  ];
}

function productOf({ package: pack, vulnerable_version_range: range }: Vulnerability): CveProduct[] {
  if (pack == null) return [];
  return [cveProduct({ product: pack.name, ecosystem: pack.ecosystem, ...versionsOf(range) })];
}

/** A range in another syntax is kept as text: it is shown, but matches no version. */
function versionsOf(range: string | null | undefined): VersionSpan {
  if (range == null || range === '') return versionSpan();
  return parseVersionComparisons(range) ?? versionSpan({ version: range });
}
