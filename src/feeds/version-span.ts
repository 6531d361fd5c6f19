import type { VersionRange } from '../analysis/cve/cve-facts.ts';

/** Affected versions: a range, a single `version`, or every version (all fields null). */
export interface VersionSpan extends VersionRange {
  version: string | null;
}

/** A span with these bounds; without bounds it is every version. */
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
 * Parses comparisons that are joined by commas, GitHub's syntax of ranges: `>= 2.0, < 2.15.0`, `= 1.2.3`.
 * Null if the text has another syntax or sets a bound twice.
 */
export function parseVersionComparisons(text: string): VersionSpan | null {
  const span = versionSpan();
  for (const part of text.split(',')) {
    const [, operator, version] = /^\s*(>=|<=|==?|>|<)\s*([^\s<>=]+)\s*$/.exec(part) ?? [];
    if (operator === undefined || version === undefined) return null;
    const bound = BOUND_OF[operator as keyof typeof BOUND_OF];
    if (span[bound] !== null) return null;
    span[bound] = version;
  }
  const isRange = span.start_including ?? span.start_excluding ?? span.end_including ?? span.end_excluding;
  return span.version !== null && isRange !== null ? null : span;
}
