import { parseVersionComparisons, versionSpan, type VersionSpan } from '../version-span.ts';

const ANY_VERSION = /^(?:|\*|-|0|n\/?a|any|all|all versions|none|not specified|unspecified|unknown|latest)$/i;
const WILDCARD = /^(.*?)(\d+)\.[*x]$/i;
const VERSION_PATTERN = 'v?\\d[\\w.+-]*';
const SINGLE_VERSION = new RegExp(`^${VERSION_PATTERN}$`, 'i');
const BEFORE_VERSION = new RegExp(
  `^(?:all )?(?:versions? )?(?:prior to|before|below|earlier than) (${VERSION_PATTERN})$`,
  'i',
);
const UP_TO_VERSION = new RegExp(
  `^(?:versions? )?(${VERSION_PATTERN}) (?:and|or) (?:earlier|prior|below|previous|lower|older)(?: versions?)?$`,
  'i',
);
const VERSION_RANGE = new RegExp(`^(${VERSION_PATTERN}) (?:-|to|through) (${VERSION_PATTERN})$`, 'i');

/** Whether the text means "no particular version"; as a start or an end it leaves the range open. */
function isAnyVersion(text: string): boolean {
  return ANY_VERSION.test(text.trim());
}

/** The start of a range; null is open. `6.1.x` starts at `6.1`. */
export function rangeStart(version: string): string | null {
  if (isAnyVersion(version)) return null;
  const [, before, last] = WILDCARD.exec(version.trim()) ?? [];
  return last === undefined ? version.trim() : `${before}${last}`;
}

/**
 * The end of a range; null is open. `2.*` means the end of the whole 2 series. `2.x`, which the format does not define, means the
 * same if the end is inclusive, else the start of the series.
 */
export function rangeEnd(version: string, inclusive: boolean): Pick<VersionSpan, 'end_including' | 'end_excluding'> {
  if (isAnyVersion(version)) return { end_including: null, end_excluding: null };
  const [, before, last] = WILDCARD.exec(version.trim()) ?? [];
  if (last !== undefined) {
    const isWholeSeries = inclusive || version.trim().endsWith('*');
    return { end_including: null, end_excluding: `${before}${isWholeSeries ? Number(last) + 1 : last}` };
  }
  const end = version.trim();
  // `log4j-core*`: the end of a line of releases that has no number.
  if (/^\D.*\*$/.test(end)) return { end_including: null, end_excluding: null };
  return inclusive ? { end_including: end, end_excluding: null } : { end_including: null, end_excluding: end };
}

/** Parses texts that CNAs write instead of one version: `< 9.20`, `1.5.10 and earlier`, `10.5, 11.1`. Other texts become the version. */
export function parseVersionText(text: string): VersionSpan[] {
  if (isAnyVersion(text)) return [versionSpan()];
  const comparisons = parseVersionComparisons(text);
  if (comparisons !== null) return [comparisons];
  const parts = text.split(',').map((part) => parseVersionPhrase(part.trim()));
  return parts.every((part) => part !== null) ? parts : [versionSpan({ version: text.trim() })];
}

function parseVersionPhrase(text: string): VersionSpan | null {
  if (SINGLE_VERSION.test(text)) return versionSpan({ version: text });
  const before = BEFORE_VERSION.exec(text);
  if (before?.[1] !== undefined) return versionSpan({ end_excluding: before[1] });
  const upTo = UP_TO_VERSION.exec(text);
  if (upTo?.[1] !== undefined) return versionSpan({ end_including: upTo[1] });
  const fromTo = VERSION_RANGE.exec(text);
  if (fromTo?.[1] !== undefined && fromTo[2] !== undefined) {
    return versionSpan({ start_including: fromTo[1], end_including: fromTo[2] });
  }
  return null;
}
