import { z } from 'zod';
import { isMaliciousCode } from '../../analysis/packages/malicious-package.ts';
import { parseSeverity } from '../../analysis/severity.ts';
import type { PackageAdvisory } from '../../analysis/packages/match-advisory.ts';
import { findDistribution, releaseOfOsvName } from '../../analysis/packages/distributions.ts';
import type { Ecosystem } from '../../analysis/packages/ecosystems.ts';
import { type AffectedRange, isInRange, rangesFromEvents } from '../../analysis/packages/affected-range.ts';
import { truncateAtWord, markdownToLine } from '../../analysis/display-text.ts';
import { semverOrder } from '../../analysis/versions/semver.ts';
import { baseScoreOrNull } from '../cve-fields.ts';
import type { PackageAdvisoryEntry } from '../entries.ts';
import { CleanedText, parseUtcTime } from '../fields.ts';

const MAX_TITLE_CHARACTERS = 200;
/** Length of the part of the details that becomes the title if there is no summary. */
const MAX_DETAILS_CHARACTERS = 1000;
const ID = /^[A-Za-z0-9][\w.-]{1,100}$/;

const Version = z.string().max(256);
const RangeEvent = z.object({
  introduced: Version.optional(),
  fixed: Version.optional(),
  last_affected: Version.optional(),
  limit: Version.optional(),
});
const SeverityEntry = z.object({ type: z.string(), score: z.string() });

/** The fields that are read of an advisory in the OSV format (OSV schema 1.x). */
export const OsvAdvisory = z.object({
  id: z.string().regex(ID, 'not an id'),
  modified: z.string(),
  published: z.string().nullish(),
  withdrawn: z.string().nullish(),
  aliases: z.array(z.string()).nullish(),
  /** Advisories of distributions name the CVEs that they fix here. */
  upstream: z.array(z.string()).nullish(),
  summary: CleanedText.nullish(),
  details: z.string().nullish(),
  severity: z.array(SeverityEntry).nullish(),
  affected: z
    .array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string().min(1).max(512) }).nullish(),
        ranges: z.array(z.object({ type: z.string(), events: z.array(RangeEvent) })).nullish(),
        versions: z.array(Version).nullish(),
        severity: z.array(SeverityEntry).nullish(),
      }),
    )
    .nullish(),
  database_specific: z
    .object({ severity: z.unknown(), cvss_v3: z.unknown(), cwe_ids: z.array(z.string()).nullish().catch(null) })
    .partial()
    .nullish(),
});
type OsvAdvisory = z.infer<typeof OsvAdvisory>;
type Affected = NonNullable<OsvAdvisory['affected']>[number];

/**
 * One entry for each package of the ecosystem that the advisory names (of a distribution, for each release); none if it is withdrawn.
 * Throws `UnreadableVersionError` for a range with a version that the ecosystem's order cannot compare.
 */
export function packageEntries(advisory: OsvAdvisory, ecosystem: Ecosystem): PackageAdvisoryEntry[] {
  if (advisory.withdrawn != null) return [];
  const byName = new Map<string, PackageAdvisoryEntry>();
  for (const affected of advisory.affected ?? []) {
    const name = affected.package?.name;
    const release = releaseIn(affected, ecosystem);
    if (name === undefined || release === null) continue;
    const { spans, versions } = affectedVersions(affected, ecosystem);
    const key = `${release}\n${name}`;
    const known = byName.get(key);
    if (known === undefined) {
      const stored = { ...packageAdvisoryOf(advisory, affected), spans, versions };
      byName.set(key, { ecosystem: release, name, advisory: stored });
    } else {
      known.advisory.spans.push(...spans);
      known.advisory.versions.push(...versions);
    }
  }
  return [...byName.values()];
}

/** The name under which a package is stored: the ecosystem's, or that of the distribution's release. Null: of another one. */
function releaseIn(affected: Affected, { name }: Ecosystem): string | null {
  const given = affected.package?.ecosystem;
  if (given === undefined) return null;
  const distribution = findDistribution(name);
  if (distribution === null) return given === name ? name : null;
  return findDistribution(given) === distribution ? releaseOfOsvName(given) : null;
}

function packageAdvisoryOf(advisory: OsvAdvisory, affected: Affected): Omit<PackageAdvisory, 'spans' | 'versions'> {
  const title = markdownToLine(
    advisory.summary || CleanedText.parse((advisory.details ?? '').slice(0, MAX_DETAILS_CHARACTERS)),
  );
  return {
    id: advisory.id,
    source: 'osv',
    aliases: [...new Set([...(advisory.aliases ?? []), ...(advisory.upstream ?? [])])].filter((id) => ID.test(id)),
    title: title === '' ? null : truncateAtWord(title, MAX_TITLE_CHARACTERS),
    severity: parseSeverity(advisory.database_specific?.severity),
    cvss_v3:
      cvssV3Score(affected.severity) ??
      cvssV3Score(advisory.severity) ??
      parseScore(advisory.database_specific?.cvss_v3),
    published: parseUtcTime(advisory.published),
    ...(isMaliciousCode(advisory.database_specific?.cwe_ids ?? []) && { is_malicious: true as const }),
  };
}

/** Affected ranges (without ranges of Git commits) and the affected versions that no range contains. */
function affectedVersions(affected: Affected, { order }: Ecosystem): { spans: AffectedRange[]; versions: string[] } {
  const spans = (affected.ranges ?? []).flatMap(({ type, events }) =>
    type === 'GIT' ? [] : rangesFromEvents(events, type === 'SEMVER' ? semverOrder : order),
  );
  const versions = (affected.versions ?? []).filter((text) => {
    const version = order.parse(text);
    return version === null || !spans.some((span) => isInRange(span, version, order));
  });
  return { spans, versions };
}

function cvssV3Score(severity: Affected['severity']): number | null {
  const vector = severity?.find(({ type }) => type === 'CVSS_V3')?.score;
  return vector === undefined ? null : baseScoreOrNull(vector);
}

function parseScore(score: unknown): number | null {
  const number = typeof score === 'number' ? score : typeof score === 'string' ? Number.parseFloat(score) : Number.NaN;
  return number >= 0 && number <= 10 ? number : null;
}
