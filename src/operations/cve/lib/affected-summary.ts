import type { Subject, SubjectInput } from '../../../analysis/affected/subject.ts';
import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import { displayText } from '../../../analysis/display-text.ts';
import { type CatalogExtent, describeExtent } from '../../../engine/catalog-extent.ts';
import { formatCount, joinSummary } from '../../../engine/summary.ts';
import type { JudgedCve } from './find-affected.ts';
import type { UpdateTargets } from './find-update-targets.ts';

/** What the subject is called in a sentence: `log4j2 (apache log4j) 2.14.1`. */
export function subjectLabel(
  { product }: Pick<SubjectInput, 'product'>,
  { packageName, version, names }: Subject,
): string {
  const given = product ?? packageName ?? names?.tokens[0] ?? 'the product';
  const isTaken = product !== undefined && names?.vendor != null && !isSameName(product, names.tokens);
  const name = isTaken ? `${given} (${names.vendor} ${names.tokens[0]})` : given;
  return displayText([name, version].filter((part) => part !== null).join(' '), 100);
}

function isSameName(product: string, tokens: readonly string[]): boolean {
  return tokens.includes(normalizeCpeToken(product));
}

/** `3.0.16 ends 18 of them.` */
export function targetSummary({ exploited, most, reason }: UpdateTargets, affected: number): string {
  if (most === null) return `To which version to update is not known: ${reason}.`;
  const ends =
    most.ends === affected
      ? 'ends all of them'
      : `ends ${most.ends} of them; for the others no fix is known, or it cannot be told`;
  const first =
    exploited !== null && exploited.version !== most.version
      ? `${exploited.version} is the smallest version that ends the known exploited ones; `
      : '';
  const missing =
    exploited === null && reason !== null
      ? ` Which version ends the known exploited ones is not known: ${reason}.`
      : '';
  return `${first}${most.version} ${ends}.${missing}`;
}

const STATUS_WORDS = {
  affected: 'affects',
  not_affected: 'does not affect',
  unknown: 'may or may not affect',
} as const;

/** The decision first: `log4j 2.14.1 is affected by 3 of 12 CVEs, 1 known exploited; 2 cannot be told: ...`. */
export function affectedSummary(
  label: string,
  { cve_ids }: { cve_ids?: readonly string[] | undefined },
  judged: readonly JudgedCve[],
  targets: UpdateTargets,
  extent: CatalogExtent,
): string {
  const [first] = judged;
  if (first === undefined)
    return joinSummary(`No source names ${label}: nothing is known of it.`, `By ${describeExtent(extent)}.`);
  if (cve_ids?.length === 1) {
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
  const [exploited, mayBeExploited] = [affected, unknown].map(
    (some) => some.filter(({ in_kev }) => in_kev === true).length,
  );
  return joinSummary(
    `${label} is affected by ${affected.length} of ${formatCount(judged.length, 'CVE')}${exploited! > 0 ? `, ${exploited} known exploited` : ''}.`,
    unknown.length > 0 &&
      `${unknown.length} cannot be told${mayBeExploited! > 0 ? `, ${mayBeExploited} of them known exploited` : ''}: ${mostCommonReason(unknown)}.`,
    affected.length > 0 && `First: ${first.cve_id}${first.fixed_in === null ? '' : `, fixed in ${first.fixed_in}`}.`,
    affected.length > 0 ? targetSummary(targets, affected.length) : `By ${describeExtent(extent)}.`,
  );
}

/** Without what follows a semicolon, which is about one CVE. */
function mostCommonReason(judged: readonly JudgedCve[]): string {
  const groups = [...Map.groupBy(judged, ({ reason }) => reason.split(';', 1)[0]!)].sort(
    (a, b) => b[1].length - a[1].length,
  );
  return groups[0]![0];
}
