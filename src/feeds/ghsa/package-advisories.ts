import { leadingAssessment } from '../../analysis/cve/severity.ts';
import type { PackageAdvisory } from '../../analysis/packages/advisory.ts';
import { findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { type AffectedSpan, spanOf } from '../../analysis/packages/spans.ts';
import { clip, plainLine } from '../../analysis/text.ts';
import type { AdvisoryEntry, AdvisoryPackage, PackageAdvisoryEntry } from '../entries.ts';
import { severityWord } from '../osv/advisory.ts';
import { parseComparisons } from '../version-span.ts';

const MAX_TITLE = 200;

/** What a GitHub advisory says of each package that it names; nothing where it is withdrawn. */
export function packageAdvisoriesOf(entry: AdvisoryEntry): PackageAdvisoryEntry[] {
  if (entry.withdrawn !== null) return [];
  const byPackage = new Map<string, PackageAdvisoryEntry>();
  for (const affected of entry.packages) {
    const ecosystem = findEcosystem(affected.ecosystem)?.name;
    const span = spanOfPackage(affected);
    if (ecosystem === undefined || span === null) continue;
    const key = `${ecosystem} ${affected.name}`;
    const before = byPackage.get(key);
    if (before !== undefined) before.advisory.spans.push(span);
    else byPackage.set(key, { ecosystem, name: affected.name, advisory: aboutIt(entry, span) });
  }
  return [...byPackage.values()];
}

function aboutIt(entry: AdvisoryEntry, span: AffectedSpan): PackageAdvisory {
  const metrics = (entry.facts?.metrics ?? []).map((metric) => ({ ...metric, source: 'ghsa' }));
  return {
    id: entry.ghsa_id,
    source: 'ghsa',
    aliases: entry.cve_id === null ? [] : [entry.cve_id],
    title: entry.summary === '' ? null : clip(plainLine(entry.summary), MAX_TITLE),
    severity: severityWord(entry.severity),
    cvss_v3: leadingAssessment(metrics, ['3.1', '3.0'])?.base_score ?? null,
    published: entry.published,
    spans: [span],
    versions: [],
  };
}

/** Null where the range is in no syntax that can be read. */
function spanOfPackage({ vulnerable_range, first_patched }: AdvisoryPackage): AffectedSpan | null {
  const comparisons = vulnerable_range === null ? null : parseComparisons(vulnerable_range);
  if (comparisons === null) return null;
  const { version, ...range } = comparisons;
  const ends = version === null ? range : { start_including: version, end_including: version };
  return spanOf({ ...ends, fixed: first_patched ?? range.end_excluding });
}
