import { z } from 'zod';
import type { CatalogView } from '../../catalog/catalog-view.ts';
import type { CveDossier } from '../../catalog/cve-dossier.ts';
import { selectSeverity } from '../../analysis/cve/select-severity.ts';
import { createSubject, type Subject } from '../../analysis/affected/subject.ts';
import { latestVersion } from '../../analysis/versions/version-order.ts';
import { cleanText, displayText } from '../../analysis/display-text.ts';
import { validationError } from '../../engine/input/parse-input.ts';
import { CveId } from '../../engine/input/identifiers.ts';
import { defineOperation, lookupOutputSchema, type NextCall } from '../../engine/operation.ts';
import { pageResult, pagingFields } from '../../engine/paged-list.ts';
import { formatCount, joinSummary } from '../../engine/summary.ts';
import { findAffected, type JudgedCve } from './lib/find-affected.ts';
import { Epss, KevStatus, Severity } from './lib/schemas.ts';

const MAX_CVE_IDS = 50;
const MAX_TEXT_CHARS = 300;
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
      cpe: z.string().nullable(),
      vendor: z.string().nullable(),
      product: z.string().nullable(),
      ecosystem: z.string().nullable(),
      version: z.string().nullable(),
      platform: z.string().nullable(),
    }),
    results: z
      .array(
        z.object({
          cve_id: z.string(),
          status: AffectedStatusField,
          reason: z.string(),
          rule: z.object({
            source: z.string().nullable(),
            kind: z.enum(['vex', 'advisory', 'configuration', 'product', 'none']),
            text: z.string(),
          }),
          fixed_in: z.string().nullable(),
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
    update_to: z.string().nullable().meta({
      description:
        'The latest of all `fixed_in`; null where a CVE that affects the version has none, or none affects it.',
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
    const subject = asCalled(subjectOrThrow(input), context.catalog);
    const judged = await findAffected(subject, input.cve_ids ?? null, context);
    if (judged.length === 0) {
      context.evidence.addGap('no source names this product: that is not a sign that nothing affects it', 'minimal');
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
      update_to: updateOf(judged, subject),
      summary: summaryOf(subjectLabel(input, subject), judged),
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

function subjectOrThrow(input: Input): Subject {
  const subject = createSubject(input);
  if (!('problem' in subject)) return subject;
  throw validationError([{ loc: ['body', subject.field], msg: subject.problem, type: 'value_error' }]);
}

/** The one product that has this informal name (`log4j2`). */
function asCalled(subject: Subject, catalog: CatalogView): Subject {
  const { names, ecosystem } = subject;
  if (names === null || names.vendor !== null || ecosystem !== null) return subject;
  const [only, ...others] = catalog.productsCalled(names.tokens[0]!);
  if (only === undefined || others.length > 0) return subject;
  return { ...subject, names: { ...names, vendor: only.vendor, tokens: [only.product] } };
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

function subjectLabel({ product }: Input, { packageName, version, names }: Subject): string {
  const name = product ?? packageName ?? names?.tokens[0] ?? 'the product';
  return displayText([name, version].filter((part) => part !== null).join(' '), 100);
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

function updateOf(judged: readonly JudgedCve[], { order }: Subject): string | null {
  const fixes = judged.filter(({ status }) => status === 'affected').map(({ fixed_in }) => fixed_in);
  const known = fixes.filter((version) => version !== null);
  const latest = known.length < fixes.length ? null : latestVersion(known, order);
  return latest === null ? null : displayText(latest, 256);
}

const STATUS_WORDS = {
  affected: 'affects',
  not_affected: 'does not affect',
  unknown: 'may or may not affect',
} as const;

/** The decision first: `log4j 2.14.1 is affected by 3 of 12 CVEs, 1 known exploited; 2 cannot be told: ...`. */
function summaryOf(label: string, judged: readonly JudgedCve[]): string {
  const [first] = judged;
  if (first === undefined) return joinSummary(`No source names ${label}: nothing is known of it.`);
  if (judged.length === 1) {
    const { cve_id, status, reason, rule, fixed_in, in_kev } = first;
    // That something is not known, no source says.
    const isSaid = status !== 'unknown' && rule.source !== null && rule.kind !== 'vex';
    return joinSummary(
      `${cve_id} ${STATUS_WORDS[status]} ${label}: ${reason}${isSaid ? `, says ${rule.source}` : ''}.`,
      status === 'affected' && in_kev === true && 'Known exploited.',
      fixed_in !== null && `Fixed in ${fixed_in}.`,
    );
  }
  const affected = judged.filter(({ status }) => status === 'affected');
  const unknown = judged.filter(({ status }) => status === 'unknown');
  const exploited = affected.filter(({ in_kev }) => in_kev === true).length;
  return joinSummary(
    `${label} is affected by ${affected.length} of ${formatCount(judged.length, 'CVE')}${exploited > 0 ? `, ${exploited} known exploited` : ''}.`,
    unknown.length > 0 && `${unknown.length} cannot be told: ${mostCommonReason(unknown)}.`,
    affected.length > 0 && `First: ${first.cve_id}${first.fixed_in === null ? '' : `, fixed in ${first.fixed_in}`}.`,
  );
}

/** Without what follows a semicolon, which is about one CVE. */
function mostCommonReason(judged: readonly JudgedCve[]): string {
  const groups = [...Map.groupBy(judged, ({ reason }) => reason.split(';', 1)[0]!)].sort(
    (a, b) => b[1].length - a[1].length,
  );
  return groups[0]![0];
}
