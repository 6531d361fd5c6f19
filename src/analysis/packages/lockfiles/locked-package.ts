import { isJsonObject } from '../../bounded-json.ts';

/** A package as a lockfile, manifest or SBOM lists it. */
export interface LockedPackage {
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
  /** `dev`, `test`, `optional`, ...; [] for what the software needs to run. */
  groups: string[];
  /** Needed for development alone: to build, to test. */
  dev: boolean;
  /** Of a package that comes straight from a repository. */
  commit: string | null;
  /** 1-based. */
  line: number | null;
  /** Direct dependencies that need it; [] where it is one itself. Absent where the file does not say. */
  broughtBy?: string[];
  purl?: string;
  cpe?: string;
}

/** Takes note of a part of a document that was not understood; the text is for the reader of the answer. */
export type ReportGap = (gap: string) => void;

const DEVELOPMENT_GROUPS: ReadonlySet<string> = new Set(['dev', 'development', 'develop', 'test']);

/** The text is not in the format that its name says, or is broken. The message is shown to the caller. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}

export function createLockedPackage(
  of: Partial<LockedPackage> & Pick<LockedPackage, 'name' | 'ecosystem'>,
): LockedPackage {
  const dev = of.groups?.some((group) => DEVELOPMENT_GROUPS.has(group)) ?? false;
  return { version: '', groups: [], dev, commit: null, line: null, ...of };
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
    known.dev &&= one.dev;
    if (known.broughtBy !== undefined || one.broughtBy !== undefined) {
      known.broughtBy = mergeBroughtBy(known.broughtBy, one.broughtBy);
    }
    if (known.groups.length > 0) {
      known.groups = one.groups.length === 0 ? [] : [...new Set([...known.groups, ...one.groups])].sort();
    }
  }
  return [...byIdentity.values()];
}

/** What is direct in one place is direct. */
function mergeBroughtBy(one: string[] | undefined, other: string[] | undefined): string[] {
  if (one === undefined || other === undefined) return one ?? other ?? [];
  return one.length === 0 || other.length === 0 ? [] : [...new Set([...one, ...other])];
}

export type JsonObject = Record<string, unknown>;

/** The fields of an object, [] for anything else. */
export function objectEntries(value: unknown): [string, JsonObject][] {
  return isJsonObject(value)
    ? Object.entries(value).map(([key, inner]) => [key, isJsonObject(inner) ? inner : {}])
    : [];
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

/** All that can be reached from `starts` over `next`, the starts included. */
export function findReachable(starts: Iterable<string>, next: (key: string) => Iterable<string>): Set<string> {
  const reached = new Set(starts);
  // A set that grows while it is walked is walked to its new end.
  for (const key of reached) for (const after of next(key)) reached.add(after);
  return reached;
}
