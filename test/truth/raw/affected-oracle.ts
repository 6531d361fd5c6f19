import { cpeComponents, token } from './parts.ts';

/** Whether records say that a version is affected, worked out from the raw records the plain way: numbers alone are compared. */

/** True, false, or null where it depends on what is not known. */
export type Truth = boolean | null;

const NUMBERS = /^\d+(\.\d+)*$/;

export function isNumeric(text: string): boolean {
  return NUMBERS.test(text);
}

export function compareNumbers(a: string, b: string): number {
  const [left, right] = [a.split('.').map(BigInt), b.split('.').map(BigInt)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [x, y] = [left[at] ?? 0n, right[at] ?? 0n];
    if (x !== y) return x < y ? -1 : 1;
  }
  return 0;
}

/** Of a version: itself, one just before it and one just after it. */
export function aroundNumbers(version: string): string[] {
  const parts = version.split('.').map(BigInt);
  const last = parts.findLastIndex((part) => part > 0n);
  const before =
    last === -1 ? [] : [[...parts.slice(0, last), parts[last]! - 1n, ...parts.slice(last + 1).map(() => 99999n)]];
  return [parts, [...parts, 1n], ...before].map((one) => one.join('.'));
}

const BOUNDS = [
  'versionStartIncluding',
  'versionStartExcluding',
  'versionEndIncluding',
  'versionEndExcluding',
] as const;

export function boundsOf(match: any): string[] {
  return BOUNDS.map((field) => match[field]).filter((bound) => bound !== undefined);
}

interface Named {
  vendor: string;
  product: string;
  version: string;
  isPlain: boolean;
}

const known = new Map<string, Named | null>();

/** Vendor and product of a CPE match, and whether its other attributes leave everything open. */
export function namedBy({ criteria }: any): Named | null {
  const named = known.get(criteria);
  if (named !== undefined) return named;
  known.set(criteria, readName(criteria));
  return namedBy({ criteria });
}

function readName(criteria: string): Named | null {
  const [, vendor, product, version, update, edition, , swEdition, targetSw, targetHw] = cpeComponents(criteria) ?? [];
  if (vendor === undefined || product === undefined) return null;
  const isPlain = [update, edition, swEdition, targetSw, targetHw].every((part) => part === '*' || part === '-');
  return { vendor: token(vendor), product: token(product), version: version!, isPlain };
}

/**
 * Whether each row of a product in the record has numbers for versions and no other attribute. Years among other numbers (ClearQuest 2008
 * and 7.0) are a second numbering, with which nothing can be compared.
 */
export function isComparable(cve: any, vendor: string, product: string): boolean {
  const own = matchesOf(cve)
    .filter((match) => match.vulnerable)
    .map((match) => ({ match, named: namedBy(match) }))
    .filter(({ named }) => named?.product === product && named.vendor === vendor);
  const versions = own.flatMap(({ match, named }) =>
    [...boundsOf(match), named!.version].filter((version) => !/^[*-]$/.test(version)),
  );
  const years = versions.filter((version) => /^(?:19|20)\d\d$/.test(version)).length;
  return (
    own.every(({ named }) => named!.isPlain) && versions.every(isNumeric) && (years === 0 || years === versions.length)
  );
}

export function matchesOf(cve: any): any[] {
  return (cve.configurations ?? []).flatMap(({ nodes }: any) => nodes.flatMap(({ cpeMatch }: any) => cpeMatch));
}

/**
 * The NVD's configurations as a boolean expression, evaluated in two worlds: everything that is not known is there, or is not. No
 * part is negated in the data, so that what is the same in both is the same in all.
 */
export function isAffectedByNvd(cve: any, vendor: string, product: string, version: string): Truth {
  const worlds = [true, false].map((unknown) =>
    (cve.configurations ?? []).some((configuration: any) => {
      const isNaming = (match: any): boolean => {
        const named = namedBy(match);
        return match.vulnerable && named?.vendor === vendor && named.product === product;
      };
      const matches = configuration.nodes.flatMap(({ cpeMatch }: any) => cpeMatch);
      if (!matches.some(isNaming)) return false;
      const holds = (match: any): boolean => {
        const named = namedBy(match)!;
        if (isNaming(match)) return holdsVersion(match, named.version, version) ?? unknown;
        return `${named.product}_firmware` === product && match.criteria.startsWith('cpe:2.3:h:') ? true : unknown;
      };
      const evaluate = ({ operator, cpeMatch }: any): boolean => {
        if (operator === 'AND') return cpeMatch.every(holds);
        const own = cpeMatch.filter(isNaming);
        return (own.length > 0 ? own : cpeMatch).some(holds);
      };
      if (configuration.operator === 'AND') return configuration.nodes.every(evaluate);
      return configuration.nodes.filter(({ cpeMatch }: any) => cpeMatch.some(isNaming)).some(evaluate);
    }),
  );
  return worlds[0] === worlds[1] ? worlds[0]! : null;
}

function holdsVersion(match: any, named: string, version: string): Truth {
  if (named !== '*' && named !== '-') return compareNumbers(named, version) === 0;
  if (boundsOf(match).length === 0) return null;
  const { versionStartIncluding, versionStartExcluding, versionEndIncluding, versionEndExcluding } = match;
  return (
    (versionStartIncluding === undefined || compareNumbers(version, versionStartIncluding) >= 0) &&
    (versionStartExcluding === undefined || compareNumbers(version, versionStartExcluding) > 0) &&
    (versionEndIncluding === undefined || compareNumbers(version, versionEndIncluding) <= 0) &&
    (versionEndExcluding === undefined || compareNumbers(version, versionEndExcluding) < 0)
  );
}

/** One row of `versions` of a CVE record. */
export interface RawVersionRow {
  version: string;
  status: string;
  lessThan?: string;
  lessThanOrEqual?: string;
  versionType?: string;
  changes?: { at: string; status: string }[];
}

/** Whether all texts of an entry are numbers, and rows do not overlap in what they say. */
export function isPlainEntry({
  versions = [],
  defaultStatus,
}: {
  versions?: RawVersionRow[];
  defaultStatus?: string;
}): boolean {
  return (
    versions.length > 0 &&
    (defaultStatus ?? 'unknown') !== 'affected' &&
    versions.every(
      ({ version, lessThan, lessThanOrEqual, changes, status, versionType }) =>
        status === 'affected' &&
        versionType !== 'git' &&
        changes === undefined &&
        isNumeric(version) &&
        [lessThan, lessThanOrEqual].every((end) => end === undefined || isNumeric(end)),
    )
  );
}

/** CVE Record Format 5.1, "product status": the row that holds the version says its status. */
export function isAffectedByEntry(versions: readonly RawVersionRow[], version: string): boolean {
  return versions.some((row) => {
    if (row.lessThan === undefined && row.lessThanOrEqual === undefined)
      return compareNumbers(row.version, version) === 0;
    if (row.version !== '0' && compareNumbers(version, row.version) < 0) return false;
    if (row.lessThan !== undefined) return compareNumbers(version, row.lessThan) < 0;
    return compareNumbers(version, row.lessThanOrEqual!) <= 0;
  });
}
