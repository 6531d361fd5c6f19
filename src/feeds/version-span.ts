import type { VersionRange } from '../analysis/cve/cve-facts.ts';

/** Affected versions as a source gives them: a range, a single `version`, or (all null) every version. */
export interface VersionSpan extends VersionRange {
  version: string | null;
}

/** A span of the bounds given; without any it is every version. */
export function versionSpan(bounds: Partial<VersionSpan> = {}): VersionSpan {
  return {
    start_including: null,
    start_excluding: null,
    end_including: null,
    end_excluding: null,
    version: null,
    ...bounds,
  };
}

const BOUND_OF = {
  '>=': 'start_including',
  '>': 'start_excluding',
  '<=': 'end_including',
  '<': 'end_excluding',
  '=': 'version',
  '==': 'version',
} as const;

/**
 * Comparisons joined by commas, as GitHub writes ranges: `>= 2.0, < 2.15.0`, `= 1.2.3`.
 * Null when the text is in another syntax or gives a bound twice.
 */
export function parseVersionComparisons(text: string): VersionSpan | null {
  const found = versionSpan();
  for (const part of text.split(',')) {
    const [, operator, version] = /^\s*(>=|<=|==?|>|<)\s*([^\s<>=]+)\s*$/.exec(part) ?? [];
    if (operator === undefined || version === undefined) return null;
    const bound = BOUND_OF[operator as keyof typeof BOUND_OF];
    if (found[bound] !== null) return null;
    found[bound] = version;
  }
  const isRange = found.start_including ?? found.start_excluding ?? found.end_including ?? found.end_excluding;
  return found.version !== null && isRange !== null ? null : found;
}
