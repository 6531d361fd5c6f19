import { isJsonObject } from '../../bounded-json.ts';
import { type DependencyScope, mergeWays } from '../dependency-scope.ts';
import type { PackageOrigin } from './dependency-graph.ts';

/** A package as a lockfile, manifest or SBOM lists it. */
export interface LockedPackage extends PackageOrigin {
  name: string;
  /** Empty where none is given. */
  version: string;
  /** As OSV writes it; null where the file does not say. */
  ecosystem: string | null;
  /**
   * What the file gives in the place of one version: `>=2,<3`. `version` is then at most the first version that it names, and which
   * one is installed is not known.
   */
  range?: string;
  /** Why it cannot be checked, where the file shows that already. */
  problem?: string;
  /** As the file names them: `dev`, `test`, `optional`, ...; [] for what the software needs to run. */
  groups: string[];
  /** Of a package that comes straight from a repository. */
  commit: string | null;
  /** 1-based. */
  line: number | null;
  purl?: string;
  cpe?: string;
}

/** Takes note of a part of a document that was not understood; the text is for the reader of the answer. */
export type ReportGap = (gap: string) => void;

const SCOPE_OF_GROUP: ReadonlyMap<string, DependencyScope> = new Map([
  ['dev', 'dev'],
  ['development', 'dev'],
  ['develop', 'dev'],
  ['test', 'dev'],
  ['optional', 'optional'],
  ['peer', 'peer'],
  ['provided', 'provided'],
]);
const MAX_PATHS_MERGED = 5;

/** The text is not in the format that its name says, or is broken. The message is shown to the caller. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

export function createLockedPackage(
  of: Partial<LockedPackage> & Pick<LockedPackage, 'name' | 'ecosystem'>,
): LockedPackage {
  const scopes = new Set((of.groups ?? []).flatMap((group) => SCOPE_OF_GROUP.get(group) ?? []));
  return { version: '', groups: [], ways: scopes.size === 0 ? [] : [[...scopes]], commit: null, line: null, ...of };
}

/** Each package once: one name, version and commit. What is needed to run anywhere is in no group. */
export function mergeDuplicates(packages: readonly LockedPackage[]): LockedPackage[] {
  const byIdentity = new Map<string, LockedPackage>();
  for (const one of packages) {
    const key = JSON.stringify([one.ecosystem, one.name, one.version, one.commit, one.range]);
    const known = byIdentity.get(key);
    if (known === undefined) {
      byIdentity.set(key, { ...one });
      continue;
    }
    Object.assign(known, mergeOrigins([known, one]));
    if (known.groups.length > 0) {
      known.groups = one.groups.length === 0 ? [] : [...new Set([...known.groups, ...one.groups])].sort();
    }
  }
  return [...byIdentity.values()];
}

/** What several places of a document tell of one package. */
export function mergeOrigins(origins: readonly PackageOrigin[]): PackageOrigin {
  return origins
    .map(({ broughtBy, releasedWith, ways }) => ({
      ...(broughtBy !== undefined && { broughtBy }),
      ...(releasedWith !== undefined && { releasedWith }),
      ways,
    }))
    .reduce((one, other) => {
      const broughtBy = mergeBroughtBy(one.broughtBy, other.broughtBy);
      // In every place: elsewhere it may be another package that needs it.
      const releasedWith = one.releasedWith?.filter((name) => other.releasedWith?.includes(name)) ?? [];
      return {
        ...(broughtBy !== undefined && { broughtBy }),
        ...(releasedWith.length > 0 && { releasedWith }),
        ways: mergeWays(one.ways, other.ways),
      };
    });
}

/** What is direct in one place is direct. */
function mergeBroughtBy(one: string[] | undefined, other: string[] | undefined): string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.length === 0 || other.length === 0) return [];
  const lengthOf = (path: string): number => path.split(' > ').length;
  return [...new Set([...one, ...other])].sort((a, b) => lengthOf(a) - lengthOf(b)).slice(0, MAX_PATHS_MERGED);
}

export type JsonObject = Record<string, unknown>;

/** The fields of an object, [] for anything else. */
export function objectEntries(value: unknown): [string, JsonObject][] {
  return isJsonObject(value)
    ? Object.entries(value).map(([key, inner]) => [key, isJsonObject(inner) ? inner : {}])
    : [];
}

/** Names of the fields of an object, [] for anything else. */
export function fieldNames(value: unknown): string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

export function stringList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

export function objectList(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A JSON object; `DocumentError` for anything else. */
export function parseJsonObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new DocumentError(`it is no JSON: ${(error as Error).message.slice(0, 120)}`);
  }
  if (!isJsonObject(value)) throw new DocumentError('its JSON is no object');
  return value;
}

/** The commit that an address of a repository or an archive of one ends in; null where it names none. */
export function commitFromUrl(address: string): string | null {
  return /(?:#|#commit[=:]|\/|[?&]ref=)([0-9a-f]{40})(?=$|[?#&])/.exec(address)?.[1] ?? null;
}
