import { leadingAssessment } from '../../analysis/cve/select-severity.ts';
import type { PackageAdvisory } from '../../analysis/packages/match-advisory.ts';
import { findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { type AffectedRange, createAffectedRange } from '../../analysis/packages/affected-range.ts';
import { truncateAtWord, markdownToLine } from '../../analysis/display-text.ts';
import type { AdvisoryEntry, AdvisoryPackage, PackageAdvisoryEntry } from '../entries.ts';
import { parseSeverity } from '../../analysis/severity.ts';
import { parseVersionComparisons } from '../version-span.ts';

const MAX_TITLE_CHARACTERS = 200;

/** One entry for each package that a GitHub advisory names; none if it is withdrawn. */
export function packageAdvisoriesOf(entry: AdvisoryEntry): PackageAdvisoryEntry[] {
  if (entry.withdrawn !== null) return [];
  const byPackage = new Map<string, PackageAdvisoryEntry>();
  for (const affected of entry.packages) {
    const ecosystem = findEcosystem(affected.ecosystem)?.name;
    const span = spanOfPackage(affected);
    if (ecosystem === undefined || span === null) continue;
    const key = `${ecosystem} ${affected.name}`;
    const known = byPackage.get(key);
    if (known !== undefined) known.advisory.spans.push(span);
    else byPackage.set(key, { ecosystem, name: affected.name, advisory: packageAdvisoryOf(entry, span) });
  }
  return [...byPackage.values()];
}

function packageAdvisoryOf(entry: AdvisoryEntry, span: AffectedRange): PackageAdvisory {
  const metrics = (entry.facts?.metrics ?? []).map((metric) => ({ ...metric, source: 'ghsa' }));
  return {
    id: entry.ghsa_id,
    source: 'ghsa',
    aliases: entry.cve_id === null ? [] : [entry.cve_id],
    title: entry.summary === '' ? null : truncateAtWord(markdownToLine(entry.summary), MAX_TITLE_CHARACTERS),
    severity: parseSeverity(entry.severity),
    cvss_v3: leadingAssessment(metrics, ['3.1', '3.0'])?.base_score ?? null,
    published: entry.published,
    spans: [span],
    versions: [],
    ...(entry.is_malicious === true && { is_malicious: true as const }),
  };
}

/** Null if the range cannot be parsed. */
function spanOfPackage({ vulnerable_range, first_patched }: AdvisoryPackage): AffectedRange | null {
  const comparisons = vulnerable_range === null ? null : parseVersionComparisons(vulnerable_range);
  if (comparisons === null) return null;
  const { version, ...range } = comparisons;
  const ends = version === null ? range : { start_including: version, end_including: version };
  return createAffectedRange({ ...ends, fixed: first_patched ?? range.end_excluding });
}
