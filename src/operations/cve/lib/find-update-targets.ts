import type { Subject } from '../../../analysis/affected/subject.ts';
import { areComparable } from '../../../analysis/affected/test-version.ts';
import { latestVersion } from '../../../analysis/versions/version-order.ts';
import type { AffectedJudgement, JudgedCve } from './find-affected.ts';

/** A version to update to, and what it does about the CVEs that affect the version in question. */
export interface UpdateTarget {
  version: string;
  /** How many of the CVEs that affect the version it ends. */
  ends: number;
  /** How many CVEs are known to affect the target itself. */
  still_affected: number;
}

export interface UpdateTargets {
  /** The smallest version that ends all known-exploited CVEs; null: none affects it, or `reason` says why there is none. */
  exploited: UpdateTarget | null;
  /** The smallest version that ends all CVEs with a known fix. */
  most: UpdateTarget | null;
  /** Why a target is not known; null where none is missing. */
  reason: string | null;
}

/** Each step is a judgement of all CVEs; release lines that mend one another's flaws end within a few. */
const MAX_STEPS = 5;
/** More take too long to be judged several times. */
const MAX_CVES = 5000;
/** Of a product with so many, only a few versions are tried: a judgement of the Linux kernel takes seconds. */
const MANY_CVES = 2500;
const MAX_JUDGED_OF_MANY = 3;
const NONE: UpdateTargets = { exploited: null, most: null, reason: null };
const NO_FIX = 'no source names a fixed version in the same numbering for each of them';
const TOO_MANY_STEPS = 'too many CVEs and release lines to try versions';

/**
 * The smallest versions that end what affects the subject. A range that holds a version holds all up to its end, so no version below the
 * latest of these ends will do. That end may itself be affected, by a range of its own release line: then the end of that one is next, until
 * none is left that has a later end.
 */
export async function findUpdateTargets(
  { cves, judgeAt }: AffectedJudgement,
  subject: Pick<Subject, 'version' | 'order'>,
): Promise<UpdateTargets> {
  const affecting = cves.filter(({ status }) => status === 'affected');
  if (affecting.length === 0 || subject.version === null) return NONE;
  if (cves.length > MAX_CVES)
    return { ...NONE, reason: `more than ${MAX_CVES} CVEs name the product, too many to try versions` };
  const known = new Map<string, readonly JudgedCve[]>();
  const maxJudged = cves.length > MANY_CVES ? MAX_JUDGED_OF_MANY : 2 * MAX_STEPS;
  const judgedAt = async (version: string): Promise<readonly JudgedCve[] | null> => {
    let found = known.get(version) ?? null;
    if (found === null && known.size < maxJudged) {
      found = await judgeAt(version);
      if (found !== null) known.set(version, found);
    }
    return found;
  };
  const climb = async (counts: (cve: JudgedCve) => boolean): Promise<UpdateTarget | null> => {
    let version = latestFix(affecting.filter(counts), subject.version!, subject);
    for (let step = 0; version !== null && step < MAX_STEPS; step++) {
      const all = await judgedAt(version);
      if (all === null) return null;
      const at = all.filter(({ status }) => status === 'affected');
      const next = latestFix(at.filter(counts), version, subject);
      if (next === null) return targetOf(version, affecting, all);
      version = next;
    }
    return null;
  };
  const isExploited = ({ in_kev }: JudgedCve): boolean => in_kev === true;
  const exploitedNow = affecting.filter(isExploited);
  const exploited = exploitedNow.length === 0 ? null : await climb(isExploited);
  const most = await climb(() => true);
  // What ends the most may end these, too, where their own fixes do not lead to it.
  const ending =
    exploitedNow.length === 0 ? null : (endsAll(exploitedNow, exploited, known) ?? endsAll(exploitedNow, most, known));
  const isMissing = most === null || (exploitedNow.length > 0 && ending === null);
  return { exploited: ending, most, reason: !isMissing ? null : known.size >= maxJudged ? TOO_MANY_STEPS : NO_FIX };
}

/** A version that leaves a known-exploited CVE is no answer to which one ends them. */
function endsAll(
  wanted: readonly JudgedCve[],
  target: UpdateTarget | null,
  known: ReadonlyMap<string, readonly JudgedCve[]>,
): UpdateTarget | null {
  if (target === null) return null;
  const left = openAt(known.get(target.version)!);
  return wanted.some(({ cve_id }) => left.has(cve_id)) ? null : target;
}

/** The latest fix of some CVEs that is later than a version; null: none is. */
function latestFix(cves: readonly JudgedCve[], version: string, { order }: Pick<Subject, 'order'>): string | null {
  const now = order.parse(version);
  if (now === null) return null;
  const later = cves.flatMap(({ fixed_in }) => {
    if (fixed_in === null || !areComparable(fixed_in, version)) return [];
    const fix = order.parse(fixed_in);
    return fix !== null && order.compare(fix, now) > 0 ? [fixed_in] : [];
  });
  return latestVersion(later, order);
}

function targetOf(version: string, affecting: readonly JudgedCve[], at: readonly JudgedCve[]): UpdateTarget {
  const open = openAt(at);
  return {
    version,
    ends: affecting.filter(({ cve_id }) => !open.has(cve_id)).length,
    still_affected: at.filter(({ status }) => status === 'affected').length,
  };
}

/** CVEs that are not known to be ended. */
function openAt(at: readonly JudgedCve[]): ReadonlySet<string> {
  return new Set(at.filter(({ status }) => status !== 'not_affected').map(({ cve_id }) => cve_id));
}
