import { z } from 'zod';
import { normalizeCpeToken, parseCpeOnce } from '../../../analysis/cve/cpe.ts';
import type { CveReference } from '../../../analysis/cve/cve-facts.ts';
import type { MergedProduct } from '../../../analysis/cve/merge-products.ts';
import { organizationShortName } from '../../../analysis/cve/organization-short-name.ts';
import {
  selectSeverity,
  leadingAssessment,
  NVD_SCORER,
  type SourcedAssessment,
} from '../../../analysis/cve/select-severity.ts';
import { type FixFinding, withKevAction } from '../../../analysis/cve/patch-reference.ts';
import { truncateAtWord, markdownToLine } from '../../../analysis/display-text.ts';
import type { CveDossier } from '../../../catalog/cve-dossier.ts';
import type { Context } from '../../../engine/context.ts';
import type { Answer } from '../../../engine/operation.ts';
import { pageResult } from '../../../engine/paged-list.ts';
import type { AffectedProduct, CveListItem, CveRecord } from './schemas.ts';
import { formatPercent, joinSummary } from '../../../engine/summary.ts';
import type { KevEntry } from '../../../feeds/entries.ts';
import { addCveGaps } from './add-cve-gaps.ts';
import { assessPriority, type CvePriority } from './assess-priority.ts';
import { presentCvssBreakdown, presentSeveritySource, presentSeverityBreakdown } from './present-severity.ts';

/** Which parts of a record are shown in full. The default limits are defined in this file only. */
export interface CveViewOptions {
  include_affected_products: boolean;
  include_full_references: boolean;
  include_reference_tags: boolean;
  include_severity_breakdown: boolean;
}

const MAX_SHOWN_PRODUCTS = 20;
/** Characters of a description that are read for a summary line; a summary shows fewer. */
const MAX_DESCRIPTION_LINE_CHARS = 1000;
const MAX_SHOWN_REFERENCES = 10;

/** Fields that a reader can verify at the sources. */
export const CVE_FALSIFIABLE_FIELDS = [
  'severity',
  'cvss_v3',
  'epss.score',
  'kev.in_kev',
  'published',
  'cwe_id',
] as const;

/** The same fields as paths of a list answer. */
export const CVE_LIST_FALSIFIABLE_FIELDS = CVE_FALSIFIABLE_FIELDS.map((field) => `results[].${field}`);

type PresentedCve = Answer<typeof CveRecord>;
type FixSupport = NonNullable<PresentedCve['fix']['support']>[number];

/** A CVE as a lookup answers it. */
export function presentCve(
  dossier: CveDossier,
  priority: CvePriority,
  view: CveViewOptions,
  others: {
    vex: PresentedCve['vex'];
    withSupport: (rows: z.output<typeof AffectedProduct>[]) => PresentedCve['affected_products'];
    supportOfFix: (versions: readonly string[], rows: readonly z.output<typeof AffectedProduct>[]) => FixSupport[];
  },
): PresentedCve {
  const { record, kev } = dossier;
  const metrics = record?.metrics ?? [];
  const { severity, basis } = selectSeverity(metrics);
  const v2 = leadingAssessment(metrics, ['2.0']);
  const v4 = leadingAssessment(metrics, ['4.0']);
  const products = record?.products ?? [];
  const references = record?.references ?? [];
  const weaknesses = cweIds(dossier);
  const fix = presentFix(dossier);
  const rows = (view.include_affected_products ? products : products.slice(0, MAX_SHOWN_PRODUCTS)).map(presentProduct);
  const support = others.supportOfFix(fix.fix.versions, rows);
  // Fields are written out here and below: an object that is put together from others takes several times as long.
  const presented = {
    cve_id: dossier.cve_id,
    severity,
    cvss_v3: cvssV3Of(dossier),
    cwe_id: weaknesses[0] ?? null,
    epss: presentEpss(dossier),
    kev: presentKev(dossier),
    ssvc: priority.ssvc,
    action: priority.action,
    published: record?.published ?? null,
    modified: record?.modified ?? null,
    sources: sourcesOf(dossier),
    required_action: kev?.required_action ?? null,
    known_ransomware_use: kev === null ? null : presentRansomwareUse(kev),
    title: titleOf(dossier),
    description: descriptionOf(dossier),
    status: record?.status ?? null,
    vulnerability_status: record?.status ?? null,
    rejected: record?.rejected ?? false,
    tags: record?.tags ?? [],
    cve_tags: record?.tags ?? [],
    severity_source: basis === null ? null : presentSeveritySource(basis),
    cvss_breakdown: basis === null ? null : presentCvssBreakdown(basis),
    cvss_v2: v2?.base_score ?? null,
    cvss_v2_vector: v2?.vector ?? null,
    cvss_v4: v4?.base_score ?? null,
    cvss_v4_vector: v4?.vector ?? null,
    cwe_ids: weaknesses,
    cwes: weaknesses,
    affected_products: others.withSupport(rows),
    total_products: dossier.total_products,
    references: (view.include_full_references ? references : references.slice(0, MAX_SHOWN_REFERENCES)).map(
      ({ url }) => url,
    ),
    total_references: dossier.total_references,
    patch_url: fix.patch_available === true ? fix.fix.url : null,
    patch_available: fix.patch_available,
    fix: support.length === 0 ? fix.fix : { ...fix.fix, support },
    vex: others.vex,
    fact_sources: factSources(dossier, basis),
    summary: summaryOf(dossier, severity, basis, priority),
  };
  if (!view.include_reference_tags && !view.include_severity_breakdown) return presented;
  const { summary, ...rest } = presented;
  return {
    ...rest,
    ...(view.include_reference_tags ? { references_full: references.map(presentReference) } : {}),
    ...(view.include_severity_breakdown ? presentSeverityBreakdown(metrics) : {}),
    summary,
  };
}

/** What a row of a list is judged by, and where its sources are recorded. */
export type ListContext = Pick<Context, 'catalog' | 'evidence' | 'now'>;

/** A CVE as a row of a list, with a verdict of its own; `full` adds the verbose fields. */
export function presentCveListItem(
  dossier: CveDossier,
  full: boolean,
  context: ListContext,
  exposed?: boolean,
): z.output<typeof CveListItem> {
  const { record } = dossier;
  const { severity, basis } = selectSeverity(record?.metrics ?? []);
  const priority = assessPriority(dossier, context.catalog, context.now, exposed);
  const itemEvidence = context.evidence.emptyCopy();
  for (const source of feedIdsOf(dossier)) itemEvidence.recordUsedFeed(source);
  addCveGaps(dossier, itemEvidence);
  const item = {
    cve_id: dossier.cve_id,
    severity,
    cvss_v3: cvssV3Of(dossier),
    cwe_id: cweIds(dossier)[0] ?? null,
    epss: presentEpss(dossier),
    kev: presentKev(dossier),
    ssvc: priority.ssvc,
    action: priority.action,
    published: record?.published ?? null,
    modified: record?.modified ?? null,
    sources: sourcesOf(dossier),
    summary: summaryOf(dossier, severity, basis, priority),
    total_products: dossier.total_products,
    verdict: itemEvidence.verdict(CVE_FALSIFIABLE_FIELDS),
  };
  if (!full) return item;
  return {
    ...item,
    title: titleOf(dossier),
    main_product: mainProduct(dossier),
    required_action: dossier.kev?.required_action ?? null,
    known_ransomware_use: dossier.kev === null ? null : presentRansomwareUse(dossier.kev),
    description: descriptionOf(dossier),
    cvss_breakdown: basis === null ? null : presentCvssBreakdown(basis),
    affected_products: (record?.products ?? []).slice(0, MAX_SHOWN_PRODUCTS).map(presentProduct),
    references: (record?.references ?? []).slice(0, MAX_SHOWN_REFERENCES).map(({ url }) => url),
    first_seen_source: record?.first_seen?.source ?? (dossier.kev && dossier.kev_source),
    first_seen_at: record?.first_seen?.at ?? dossier.kev?.date_added ?? null,
  };
}

/** One page of a list of CVEs, without its summary. */
export function presentCvePage(
  { total, cves }: { total: number; cves: readonly CveDossier[] },
  query: Parameters<typeof pageResult>[2] & { exposed?: boolean | undefined },
  context: ListContext,
) {
  const rows = cves.map((cve) => presentCveListItem(cve, query['include'] === 'full', context, query.exposed));
  return pageResult(rows, total, query);
}

/** Ids of all sources with data on this CVE; `starter` where the starter catalog supplied it. */
function sourcesOf({ record, kev, kev_source, epss, epss_source }: CveDossier): string[] {
  const sources = [...(record?.sources ?? []), kev && kev_source, epss && epss_source];
  return [...new Set(sources.filter((source) => source !== null))];
}

/** Ids of all feeds the data belongs to, also where the starter catalog supplied it. */
function feedIdsOf({ record, kev, epss }: CveDossier): string[] {
  return [...(record?.sources ?? []), ...(kev === null ? [] : ['kev']), ...(epss === null ? [] : ['epss'])];
}

function cvssV3Of({ record }: CveDossier): number | null {
  return record === null ? null : (leadingAssessment(record.metrics, ['3.1', '3.0'])?.base_score ?? null);
}

function presentEpss({ epss }: CveDossier) {
  return { score: epss?.score ?? null, percentile: epss?.percentile ?? null };
}

export function presentKev({ kev, kev_loaded }: CveDossier) {
  return {
    in_kev: kev_loaded ? kev !== null : null,
    date_added: kev?.date_added ?? null,
    due_date: kev?.due_date ?? null,
  };
}

/** Weaknesses by the records; by the known-exploited catalog where no record names one. */
export function cweIds({ record, kev }: CveDossier): string[] {
  const named = record?.weaknesses.map(({ cwe_id }) => cwe_id) ?? [];
  const ids = named.length > 0 ? named : (kev?.cwes ?? []);
  return ids.length < 2 ? ids : [...new Set(ids)];
}

export function titleOf({ record, kev }: CveDossier): string | null {
  return record?.title ?? kev?.vulnerability_name ?? null;
}

/**
 * What a row names first: the first vulnerable product with a vendor, else the first package, else the product as the known-exploited
 * catalog calls it.
 */
function mainProduct({ record, kev }: CveDossier): { vendor: string | null; product: string } | null {
  const named = (record?.products ?? [])
    .filter(({ vulnerable }) => vulnerable)
    .map(presentProduct)
    .filter(({ product }) => product !== null);
  const first = named.find(({ vendor }) => vendor !== null) ?? named[0];
  const vendor = first === undefined ? (kev?.vendor_project ?? null) : first.vendor;
  const product = first === undefined ? kev?.product : first.product;
  if (product == null) return null;
  return { vendor: vendor === null ? null : normalizeCpeToken(vendor), product: normalizeCpeToken(product) };
}

function descriptionOf({ record, kev }: CveDossier): string | null {
  return record?.description ?? kev?.short_description ?? null;
}

/** Without Markdown, which GitHub descriptions contain. */
function descriptionLine(dossier: CveDossier): string | null {
  const text = descriptionOf(dossier);
  return text === null ? null : markdownToLine(text.slice(0, MAX_DESCRIPTION_LINE_CHARS));
}

function factSources(
  { record, kev, kev_source, epss, epss_source }: CveDossier,
  basis: SourcedAssessment | null,
): Record<string, string | null> {
  return {
    description: record?.description_source ?? (kev && kev_source),
    severity: basis?.source ?? null,
    weakness: weaknessSource(record, kev),
    published: record?.published == null ? null : record.sources[0]!,
    kev: kev && kev_source,
    epss: epss && epss_source,
  };
}

/** Source of the first weakness: the known-exploited catalog only where no CVE record names one. */
function weaknessSource(record: CveDossier['record'], kev: CveDossier['kev']): string | null {
  const [first] = record?.weaknesses ?? [];
  if (first !== undefined) return first.source === NVD_SCORER ? 'nvd' : organizationShortName(first.source);
  return kev !== null && kev.cwes.length > 0 ? 'kev' : null;
}

function presentProduct(fact: MergedProduct): z.output<typeof AffectedProduct> {
  const name = fact.cpe === null ? null : parseCpeOnce(fact.cpe);
  return {
    vendor: name?.vendor ?? fact.vendor,
    product: name?.product ?? fact.product,
    part: name?.part ?? null,
    version: name?.version ?? fact.version,
    update: name?.update === '-' ? null : (name?.update ?? null),
    version_start_including: fact.start_including,
    version_start_excluding: fact.start_excluding,
    version_end_including: fact.end_including,
    version_end_excluding: fact.end_excluding,
    vulnerable: fact.vulnerable,
    ecosystem: fact.ecosystem,
    cpe: fact.cpe,
    sources: fact.sources,
  };
}

function presentReference({ source, ...reference }: CveReference): CveReference {
  return { ...reference, source: source === null ? null : organizationShortName(source) };
}

function presentFix(dossier: CveDossier): FixFinding {
  return withKevAction(dossier, dossier.kev?.required_action ?? null);
}

function summaryOf(
  dossier: CveDossier,
  severity: string | null,
  basis: SourcedAssessment | null,
  { headline }: CvePriority,
): string {
  const { cve_id, record, kev, epss } = dossier;
  const { patch_available, fix } = presentFix(dossier);
  if (record?.rejected === true) return joinSummary(`${cve_id} was rejected: nothing to do.`, descriptionLine(dossier));
  const facts = [
    basis === null
      ? 'not scored'
      : `${severity ?? 'NONE'} (CVSS ${basis.version} ${basis.base_score?.toFixed(1) ?? '?'} by ${truncateAtWord(organizationShortName(basis.scorer), 40)})`,
    headline,
    epss === null ? 'no EPSS score' : `EPSS ${formatPercent(epss.score)}`,
    kev === null ? null : `known exploited since ${kev.date_added}`,
    describeFix(patch_available, fix),
  ];
  return joinSummary(`${cve_id}: ${facts.filter((fact) => fact !== null).join(', ')}.`, descriptionLine(dossier));
}

function describeFix(patchAvailable: boolean | null, { kind }: CveDossier['fix']): string | null {
  if (patchAvailable === null) return kind === 'advisory' ? 'vendor advisory' : null;
  return patchAvailable ? 'patch available' : 'no patch exists';
}

/** CISA's "Unknown" is null, not false. */
export function presentRansomwareUse({ known_ransomware_use }: KevEntry): true | null {
  return known_ransomware_use ? true : null;
}
