import { PackageURL } from 'packageurl-js';
import type { VersionOrder } from '../versions/version-order.ts';
import type { DependencyWays } from './dependency-scope.ts';
import { distributionPackageOf, findDistribution, releaseOfOsvName } from './distributions.ts';
import { type Ecosystem, findEcosystem } from './ecosystems.ts';

/** A package to be checked. */
export interface PackageRef {
  /** As its ecosystem writes it: `@babel/core`, `org.apache.logging.log4j:log4j-core`, `github.com/gin-gonic/gin`. */
  name: string;
  /** Empty where none is given. */
  version: string;
  /** As OSV writes it; null where none is given. */
  ecosystem: string | null;
  /** Why it cannot be checked, known already when it was read. */
  problem?: string;
  /** A CPE name that its document gives it. */
  cpe?: string;
  /** Its package URL says that no registry has it (`pkg:generic/`): advisories on packages of this name are about others. */
  isGeneric?: true;
  /** Ways on which it is needed. Absent where it is needed to run, or its document does not say. */
  ways?: DependencyWays;
  /** Paths to it from direct dependencies: `express > qs`; empty where it is one itself. Absent where the document does not say. */
  broughtBy?: string[];
  /** Direct dependencies that require exactly their own version of it: with each of them it is upgraded. */
  releasedWith?: string[];
  /** 1-based line of the file that it was read from, where that is known. */
  line?: number;
}

/** A package as a caller writes it: `lodash@4.17.20`, a package URL, or an object. */
export type PackageInput =
  | string
  | {
      name?: string | undefined;
      version?: string | undefined;
      ecosystem?: string | undefined;
      purl?: string | undefined;
    };

/** What a caller means, with what is wrong about it in `problem`. */
export function parsePackageInput(given: PackageInput): PackageRef {
  if (typeof given === 'string') return given.startsWith('pkg:') ? parsePurl(given) : parsePackageText(given);
  if (given.purl !== undefined) {
    const ref = parsePurl(given.purl);
    return ref.version === '' && given.version !== undefined ? { ...ref, version: given.version } : ref;
  }
  const ref = { name: given.name?.trim() ?? '', version: given.version?.trim() ?? '', ecosystem: null };
  if (ref.name === '') return { ...ref, problem: 'it has neither a name nor a purl' };
  return given.ecosystem === undefined ? ref : withEcosystem(ref, given.ecosystem);
}

/** A package URL (ECMA-427) of a type that can be checked. */
export function parsePurl(text: string): PackageRef {
  let url: PackageURL;
  try {
    url = PackageURL.fromString(text.trim());
  } catch {
    return { name: text, version: '', ecosystem: null, problem: 'it is no package URL' };
  }
  const { type, namespace, name, version } = url;
  const packaged = distributionPackageOf(
    { type: type ?? '', namespace: namespace ?? '', name, version: version ?? '' },
    url.qualifiers ?? {},
  );
  if (packaged !== null) {
    if (packaged.ecosystem !== null) return { ...packaged, ecosystem: packaged.ecosystem };
    return {
      ...packaged,
      problem: `packages of type ${type} cannot be checked without their release: add a qualifier such as ?distro=debian-12`,
    };
  }
  const ecosystem = type === undefined ? null : ecosystemOfPurlType(type);
  const separator = ecosystem?.name === 'Maven' ? ':' : '/';
  const ref = { name: namespace ? `${namespace}${separator}${name}` : name, version: version ?? '' };
  if (ecosystem !== null) return { ...ref, ecosystem: ecosystem.name };
  if (type === 'generic') return { ...ref, ecosystem: null, isGeneric: true };
  return { ...ref, ecosystem: null, problem: `packages of type ${type} cannot be checked here` };
}

function ecosystemOfPurlType(type: string): Ecosystem | null {
  const ecosystem = findEcosystem(type);
  return ecosystem?.purlType === type ? ecosystem : null;
}

/** `name@version`, `name==version`, `group:artifact:version`. */
function parsePackageText(text: string): PackageRef {
  const plain = text.trim();
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(plain)) {
    return { name: plain, version: '', ecosystem: null, problem: 'it is an address, not the name of a package' };
  }
  const at = plain.lastIndexOf('@');
  if (at > 0) return { name: plain.slice(0, at), version: plain.slice(at + 1), ecosystem: null };
  const [name, version] = plain.split('==', 2);
  if (version !== undefined) return { name: name!.trim(), version: version.trim(), ecosystem: null };
  const parts = plain.split(':');
  if (parts.length === 3) return { name: `${parts[0]}:${parts[1]}`, version: parts[2]!, ecosystem: 'Maven' };
  return { name: plain, version: '', ecosystem: null };
}

function withEcosystem(ref: PackageRef, name: string): PackageRef {
  const ecosystem = findEcosystem(name);
  if (ecosystem !== null) return { ...ref, ecosystem: ecosystem.name };
  return { ...ref, ecosystem: name, problem: 'its ecosystem cannot be checked here' };
}

/** The same for all ways to write one package. */
export function packageIdentity({ ecosystem, name, version, cpe }: PackageRef): string {
  return `${ecosystem ?? ''}\n${name}\n${version}\n${cpe ?? ''}`;
}

/** A package as it is shown: its package URL; where the ecosystem is not known, `name@version`. */
export function packageLabel({ name, version, ecosystem }: PackageRef): string {
  const known = ecosystem === null ? null : findEcosystem(ecosystem);
  const plain = version === '' ? name : `${name}@${version}`;
  if (known === null || findDistribution(known.name) !== null) return plain;
  const cut = name.lastIndexOf(known.name === 'Maven' ? ':' : '/');
  try {
    const namespace = cut === -1 ? undefined : name.slice(0, cut);
    return new PackageURL(known.purlType, namespace, name.slice(cut + 1), version, undefined, undefined).toString();
  } catch {
    return plain;
  }
}

/**
 * The package URL of a package of a registry, or of a release of a distribution (`pkg:deb/debian/openssl?distro=debian-12`), with its version
 * where it has one; null for others.
 */
export function purlOfPackage(ref: PackageRef): string | null {
  const label = packageLabel(ref);
  if (label.startsWith('pkg:')) return label;
  const release = ref.ecosystem === null ? null : releaseOfOsvName(ref.ecosystem);
  if (release === null) return null;
  const { purlType, namespace } = findDistribution(release)!;
  const number = release.slice(release.indexOf(':') + 1).replace(/^v/, '');
  const version = ref.version === '' ? undefined : ref.version;
  try {
    const qualifiers = { distro: `${namespace}-${number}` };
    return new PackageURL(purlType, namespace, ref.name, version, qualifiers, undefined).toString();
  } catch {
    return null;
  }
}

const MAX_VERSION_LENGTH = 256;
/** A version begins with a number in practice; a range, a tag or a variable does not, or has what no version has. */
const VERSION_PATTERN = /^(?:[vV=]|go)?\d[^\s<>=,|*${}]*$/;

/** A given version, parsed for its order; null if it is a range, a tag or a variable. */
export function parsePlainVersion(text: string, order: VersionOrder): unknown {
  return text.length <= MAX_VERSION_LENGTH && VERSION_PATTERN.test(text) ? order.parse(text) : null;
}
