import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { CveDossier } from '../../catalog/cve-dossier.ts';
import { selectSeverity } from '../../analysis/cve/select-severity.ts';
import type { Subject } from '../../analysis/affected/subject.ts';
import { newestCycleBefore, productPurl } from '../../analysis/support/find-support.ts';
import { cleanText, displayText } from '../../analysis/display-text.ts';
import { CveId } from '../../engine/input/identifiers.ts';
import { defineOperation, lookupOutputSchema, type NextCall } from '../../engine/operation.ts';
import { ForeignText } from '../../engine/foreign-text.ts';
import { pageResult, pagingFields } from '../../engine/paged-list.ts';
import type { Context } from '../../engine/context.ts';
import { CatalogExtentField, catalogExtent } from '../../engine/catalog-extent.ts';
import { feedDataTimeMs } from '../../engine/feed-age.ts';
import { isoDay } from '../../analysis/iso-time.ts';
import { joinSummary } from '../../engine/summary.ts';
import { affectedSummary, subjectLabel } from './lib/affected-summary.ts';
import type { JudgedCve } from './lib/find-affected.ts';
import { judgeSubject } from './lib/judge-subject.ts';
import { describeEndOfSupport } from './lib/update-advice.ts';
import { supportOfVersion, type FixSupport as FixSupportOfVersion } from './lib/support-of-rows.ts';
import { CandidateField, describeCandidates } from './lib/product-candidates.ts';
import { findUpdateTargets, type UpdateTargets } from './lib/find-update-targets.ts';
import { Epss, FixSupport, KevStatus, Severity } from './lib/schemas.ts';

const MAX_CVE_IDS = 50;
const MAX_TEXT_CHARS = 300;
const MAX_RELATED = 8;
const NameField = z.string().min(1).max(256);

const Input = z.strictObject({
  purl: z
    .string()
    .max(512)
    .optional()
    .meta({ description: 'Package URL.', examples: ['pkg:npm/lodash@4.17.20'] }),
  cpe: z.string().max(512).optional().meta({ description: 'CPE name.' }),
  product: NameField.optional().meta({ description: 'CPE product; one of purl, cpe, product.' }),
  vendor: NameField.optional().meta({ description: 'CPE vendor of product.' }),
  version: NameField.optional().meta({ description: 'If not in purl or cpe.' }),
  platform: NameField.optional().meta({ description: 'What it runs on: windows, a CPE name.' }),
  cve_ids: z.array(CveId).min(1).max(MAX_CVE_IDS).optional().meta({ description: 'Default: all that name it.' }),
  ...pagingFields,
});
type Input = z.output<typeof Input>;

const AffectedStatusField = z.enum(['affected', 'not_affected', 'unknown']);
const CountField = z.number().int();
const Target = z.object({ version: ForeignText, ends: CountField, still_affected: CountField });

export const affectedCheck = defineOperation({
  id: 'affected_check',
  area: 'cve',
  title: 'Is this version affected',
  description:
    'Whether CVEs affect one version of a product or package, and the rule that decided: a VEX statement of its maker, the advisories of the package, or the configurations and ranges of CVE records, with "running on". What no source lets decide is unknown, with the reason.',
  route: 'POST /v1/affected',
  input: Input,
  output: lookupOutputSchema('AffectedCheck', {
    subject: z.object({
      purl: z.string().nullable(),
      cpe: ForeignText.nullable(),
      vendor: ForeignText.nullable(),
      product: ForeignText.nullable(),
      ecosystem: ForeignText.nullable(),
      version: ForeignText.nullable(),
      platform: ForeignText.nullable(),
    }),
    results: z
      .array(
        z.object({
          cve_id: z.string(),
          status: AffectedStatusField,
          reason: ForeignText,
          rule: z.object({
            source: z.string().nullable(),
            kind: z.enum(['vex', 'advisory', 'configuration', 'product', 'none']),
            text: ForeignText,
          }),
          fixed_in: ForeignText.nullable(),
          severity: Severity.nullable(),
          kev: KevStatus,
          epss: Epss,
        }),
      )
      .meta({ description: 'Affected first; known exploited, then likeliest exploited first.' }),
    count: CountField,
    total: CountField,
    offset: CountField,
    next_offset: CountField.nullable(),
    truncated: z.boolean(),
    counts: z.object({ affected: CountField, not_affected: CountField, unknown: CountField }),
    known_exploited: z
      .object({ affected: CountField, unknown: CountField })
      .nullable()
      .meta({ description: 'How many of these counts are known exploited; null: no such catalog is loaded.' }),
    update_targets: z
      .object({
        exploited: Target.nullable().meta({ description: 'The smallest version that ends all known-exploited ones.' }),
        most: Target.nullable().meta({ description: 'The smallest version that ends all that have a known fix.' }),
        support: FixSupport.nullable().meta({
          description: 'Security support of the line of `most`; null: not known.',
        }),
        reason: z.string().nullable().meta({ description: 'Why a target is not known.' }),
      })
      .meta({ description: 'Null each where nothing affects the version, or none is known.' }),
    catalog: CatalogExtentField,
    candidates: z.array(CandidateField).meta({
      description: 'Where several products have the name and no vendor was given: all of them, likeliest first.',
    }),
    related_products: z
      .array(z.object({ vendor: ForeignText, product: ForeignText }))
      .meta({ description: 'Products of the vendor with a longer name (protobuf-java): not judged here.' }),
    newest_release_line: ForeignText.nullable().meta({
      description: 'Where the version is beyond all release lines that endoflife.date knows: the newest of them.',
    }),
    update_to: ForeignText.nullable().meta({
      description:
        'The version of `update_targets.most` where it ends all; null where a CVE that affects the version has no fix, or none affects it.',
    }),
  }),
  cost: 4,
  examples: [
    {
      title: 'Log4Shell in one version',
      input: { vendor: 'apache', product: 'log4j', version: '2.14.1', cve_ids: ['CVE-2021-44228'] },
    },
    { title: 'All CVEs of a package', input: { purl: 'pkg:npm/lodash@4.17.20' } },
  ],
  tool: {
    description:
      'Is this version affected by these CVEs (default: all that name it), who says so and why, and the fixed version. For many packages use check_dependencies; for the facts of a CVE cve_lookup.',
    openWorld: false,
    inputDefaults: { limit: 20 },
  },
  falsifiableFields: ['results[].status', 'results[].rule', 'results[].fixed_in'],
  async answer(input, context) {
    const { subject, meaning, judgement } = await judgeSubject(input, input.cve_ids ?? null, context);
    const isChoice = meaning !== null && meaning.meant === null && meaning.candidates.length > 1;
    const judged = judgement.cves;
    if (judged.length === 0) {
      context.evidence.addGap('no source names this product: that is not a sign that nothing affects it', 'minimal');
    }
    const targets = await findUpdateTargets(judgement, subject);
    const extent = catalogExtent(context.catalog, context.now);
    const support = supportOfTarget(targets, subject, context);
    const newestLine = newestLineBefore(subject, context);
    if (newestLine !== null) {
      context.evidence.addGap(
        `no such release line is known (newest: ${newestLine.name}, by endoflife.date${newestLine.day === null ? '' : ` of ${newestLine.day}`})`,
      );
    }
    const counts = { affected: 0, not_affected: 0, unknown: 0 };
    for (const { status } of judged) counts[status]++;
    const { query_echo: _, ...page } = pageResult(
      judged
        .slice(input.offset, input.offset + input.limit)
        .map((one) => presentJudged(one, context.catalog.cve(one.cve_id))),
      judged.length,
      input,
    );
    return {
      subject: presentSubject(input, subject),
      ...page,
      counts,
      known_exploited: countExploited(judged),
      newest_release_line: newestLine?.name ?? null,
      update_to:
        support?.is_released !== false && targets.most !== null && targets.most.ends === counts.affected
          ? targets.most.version
          : null,
      update_targets: { ...targets, support },
      catalog: extent,
      candidates: isChoice ? meaning.candidates : [],
      related_products: relatedProducts(subject, context.catalog),
      summary: joinSummary(
        isChoice &&
          `"${displayText(input.product!, 100)}" may mean several products: ${describeCandidates(meaning.candidates)}. Give vendor and product.`,
        newestLine !== null &&
          `No release line of ${displayText(subject.version!, 100)} is known: the newest is ${newestLine.name}.`,
        isChoice && judged.length === 0
          ? false
          : affectedSummary(subjectLabel(input, subject), input, judged, targets, extent),
        support?.is_released === false && describeEndOfSupport([support], context.now),
      ),
    };
  },
  nextCalls({ results }): NextCall[] {
    const first = results.find(({ status }) => status === 'affected') ?? results[0];
    if (first === undefined) return [];
    const { cve_id, kev } = first;
    const lookup: NextCall = { tool: 'cve_lookup', input: cve_id, reason: 'The facts of the first one.' };
    if (kev.in_kev !== true || first.status === 'not_affected') return [lookup];
    return [{ tool: 'kev_detail', input: cve_id, reason: 'Known exploited: due date and required action.' }, lookup];
  },
});

/** Null where no known-exploited catalog is loaded. */
function countExploited(judged: readonly JudgedCve[]): { affected: number; unknown: number } | null {
  if (judged.length > 0 && judged.every(({ in_kev }) => in_kev === null)) return null;
  const count = (wanted: JudgedCve['status']): number =>
    judged.filter(({ status, in_kev }) => status === wanted && in_kev === true).length;
  return { affected: count('affected'), unknown: count('unknown') };
}

function presentSubject(
  { purl, cpe, vendor, product, platform }: Input,
  { ecosystem, packageName, version, names }: Subject,
) {
  const shown = (text: string | null | undefined): string | null => (text == null ? null : displayText(text, 256));
  return {
    purl: shown(purl),
    cpe: shown(cpe),
    vendor: shown(vendor ?? names?.vendor),
    product: shown(product ?? packageName ?? names?.tokens[0]),
    ecosystem: ecosystem?.name ?? null,
    version: shown(version),
    platform: shown(platform),
  };
}

function presentJudged(
  { cve_id, status, reason, rule, fixed_in, in_kev, kev, epss }: JudgedCve,
  dossier: CveDossier | null,
) {
  return {
    cve_id,
    status,
    reason: displayText(cleanText(reason), MAX_TEXT_CHARS),
    rule: { ...rule, text: displayText(cleanText(rule.text), MAX_TEXT_CHARS) },
    fixed_in: fixed_in === null ? null : displayText(fixed_in, 256),
    severity: selectSeverity(dossier?.record?.metrics ?? []).severity,
    kev: { in_kev, date_added: kev?.date_added ?? null, due_date: kev?.due_date ?? null },
    epss: { score: epss?.score ?? null, percentile: epss?.percentile ?? null },
  };
}

/** Names that continue the subject's: their versions may be other ones. */
function relatedProducts({ names, ecosystem }: Subject, catalog: CatalogView): { vendor: string; product: string }[] {
  if (names === null || names.vendor === null || ecosystem !== null) return [];
  return catalog.productsContinuing({ vendor: names.vendor, product: names.tokens[0]! }).slice(0, MAX_RELATED);
}

function supportOfTarget(
  { most }: UpdateTargets,
  { names }: Subject,
  { catalog, now }: Context,
): FixSupportOfVersion | null {
  if (most === null || names === null || names.vendor === null) return null;
  return supportOfVersion(`${names.vendor}:${names.tokens[0]}`, most.version, catalog, now);
}

/** The newest release line, where the version is beyond all that are known; null elsewhere. */
function newestLineBefore(
  { purl, names, version, order, ecosystem }: Subject,
  { catalog, now }: Context,
): { name: string; day: string | null } | null {
  if (version === null) return null;
  const products =
    purl !== null
      ? catalog.supportedProducts('purl', productPurl(purl))
      : names === null || ecosystem !== null
        ? []
        : names.vendor === null
          ? catalog.supportedProducts('name', names.tokens[0]!)
          : catalog
              .sameProduct({ vendor: names.vendor, product: names.tokens[0]! })
              .flatMap(({ vendor, product }) => catalog.supportedProducts('cpe', `${vendor}:${product}`));
  const name = newestCycleBefore(products, version, order);
  const time = feedDataTimeMs(catalog.sources.endoflife, now);
  return name === null ? null : { name: displayText(name, 100), day: time === null ? null : isoDay(time) };
}
