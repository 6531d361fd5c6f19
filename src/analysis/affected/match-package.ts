import { isWithdrawn, matchAdvisory, type PackageAdvisory } from '../packages/match-advisory.ts';
import { latestVersion } from '../versions/version-order.ts';
import type { Subject } from './subject.ts';
import { describeRange } from './test-version.ts';
import { anyOf, type Finding } from './truth.ts';

/** What an advisory of the package's own says about a subject. */
export interface AdvisoryFinding {
  source: PackageAdvisory['source'];
  /** Of the advisory that decided. */
  id: string;
  finding: Finding;
}

/** What the advisories of a package say of one flaw in it: affected if one says so. Null: none is left that was not withdrawn. */
export function matchPackageAdvisories(
  advisories: readonly PackageAdvisory[],
  subject: Subject,
): AdvisoryFinding | null {
  const found = advisories
    .filter((advisory) => !isWithdrawn(advisory))
    .map((advisory) => ({ source: advisory.source, id: advisory.id, finding: matchOne(advisory, subject) }));
  const decisive = anyOf(found.map(({ finding }) => finding));
  if (decisive === null) return null;
  const { source, id } = found.find(({ finding }) => finding === decisive)!;
  const fixes = found.flatMap(({ finding }) =>
    finding.truth === true && finding.fixed !== null ? [finding.fixed] : [],
  );
  const fixed = decisive.truth === true ? latestVersion(fixes, subject.order) : decisive.fixed;
  return { source, id, finding: { ...decisive, fixed } };
}

function matchOne(advisory: PackageAdvisory, { version, order, packageName }: Subject): Finding {
  const { id, spans, versions } = advisory;
  const ranges = spans.map((span) => describeRange(span) || 'every version');
  const text = [`${id}: ${packageName}`, ...ranges.slice(0, MAX_SHOWN_RANGES)].join(', ');
  const unknown = (cause: 'no_version' | 'unreadable' | 'no_range', reason: string): Finding => ({
    truth: null,
    unknown: cause,
    reason,
    text,
    // Branches are fixed in different versions: without a version none of them is the fix.
    fixed: new Set(spans.map(({ fixed }) => fixed)).size === 1 ? spans[0]!.fixed : null,
    cpe: null,
  });
  if (spans.length === 0 && versions.length === 0) return unknown('no_range', 'no version range known');
  if (version === null) {
    return unknown(
      'no_version',
      `the version of the package is not given; affected: ${ranges.slice(0, MAX_SHOWN_RANGES).join(', ')}`,
    );
  }
  const parsed = order.parse(version);
  if (parsed === null) return unknown('unreadable', `${version} is not a version that can be compared`);
  const match = matchAdvisory(advisory, version, parsed, order);
  if (match === null) {
    return {
      truth: false,
      unknown: null,
      reason: `${version} is outside its affected ranges`,
      text,
      fixed: null,
      cpe: null,
    };
  }
  const reason = match.fixed === null ? `${version} is affected` : `${version} is before the fix in ${match.fixed}`;
  return { truth: true, unknown: null, reason, text, fixed: match.fixed, cpe: null };
}

const MAX_SHOWN_RANGES = 3;
