/** A package as a lockfile, manifest or SBOM lists it. */
export interface LockedPackage {
  name: string;
  /** Empty where none is given. */
  version: string;
  /** As OSV writes it; null where the file does not say. */
  ecosystem: string | null;
  /** `dev`, `test`, `optional`, ...; [] for what the software needs to run. */
  groups: string[];
  /** Of a package that comes straight from a repository. */
  commit: string | null;
  /** 1-based. */
  line: number | null;
  purl?: string;
}

/** The text is not what its name says, or is broken; the message is for whoever sent it. */
export class DocumentFault extends Error {
  override readonly name = 'DocumentFault';
}

export function locked(of: Partial<LockedPackage> & Pick<LockedPackage, 'name' | 'ecosystem'>): LockedPackage {
  return { version: '', groups: [], commit: null, line: null, ...of };
}

/** Each package once: one name, version and commit. What is needed to run anywhere is in no group. */
export function distinct(packages: readonly LockedPackage[]): LockedPackage[] {
  const byIdentity = new Map<string, LockedPackage>();
  for (const one of packages) {
    const key = JSON.stringify([one.ecosystem, one.name, one.version, one.commit]);
    const known = byIdentity.get(key);
    if (known === undefined) byIdentity.set(key, { ...one });
    else if (known.groups.length > 0) {
      known.groups = one.groups.length === 0 ? [] : [...new Set([...known.groups, ...one.groups])].sort();
    }
  }
  return [...byIdentity.values()];
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of an object, [] for anything else. */
export function entriesOf(value: unknown): [string, Fields][] {
  return isFields(value) ? Object.entries(value).map(([key, inner]) => [key, isFields(inner) ? inner : {}]) : [];
}

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A JSON object; `DocumentFault` for anything else. */
export function jsonObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new DocumentFault(`it is no JSON: ${(error as Error).message.slice(0, 120)}`);
  }
  if (!isFields(value)) throw new DocumentFault('its JSON is no object');
  return value;
}

/** The commit that an address of a repository or an archive of one ends in; null where it names none. */
export function commitIn(address: string): string | null {
  return /(?:#|#commit[=:]|\/|[?&]ref=)([0-9a-f]{40})(?=$|[?#&])/.exec(address)?.[1] ?? null;
}
