import { alpineOrder } from '../versions/alpine.ts';
import { debianOrder } from '../versions/debian.ts';
import { rpmOrder } from '../versions/rpm.ts';
import type { VersionOrder } from '../versions/version-order.ts';

/** A Linux distribution in OSV. Its packages are checked release by release: `Debian:12`, `Alpine:v3.18`. */
export interface Distribution {
  /** As OSV writes it, without a release. */
  readonly name: string;
  readonly order: VersionOrder;
  readonly purlType: 'deb' | 'apk' | 'rpm';
  /** Namespace of its package URLs. */
  readonly namespace: string;
  /** Names of its releases, of which OSV writes the number. */
  readonly codenames: Readonly<Record<string, string>>;
  /** The release as OSV writes it, from its number: `3.18.4` is `v3.18`. */
  readonly release: (number: string) => string;
  /** True where OSV's packages are those that others are built from: `openssl`, not `libssl3` (OSV schema, "Defined ecosystems"). */
  readonly isBySource: boolean;
  /** True where the archive is so large that it is read from a mirror alone. */
  readonly isMirroredOnly: boolean;
}

const major = (number: string): string => number.split('.')[0]!;
const majorMinor = (number: string): string => number.split('.').slice(0, 2).join('.');

export const DISTRIBUTIONS: readonly Distribution[] = [
  {
    name: 'Debian',
    order: debianOrder,
    purlType: 'deb',
    namespace: 'debian',
    codenames: { buster: '10', bullseye: '11', bookworm: '12', trixie: '13' },
    release: major,
    isBySource: true,
    isMirroredOnly: false,
  },
  {
    name: 'Ubuntu',
    order: debianOrder,
    purlType: 'deb',
    namespace: 'ubuntu',
    codenames: { bionic: '18.04', focal: '20.04', jammy: '22.04', noble: '24.04' },
    release: majorMinor,
    isBySource: true,
    isMirroredOnly: true,
  },
  {
    name: 'Alpine',
    order: alpineOrder,
    purlType: 'apk',
    namespace: 'alpine',
    codenames: {},
    release: (number) => `v${majorMinor(number)}`,
    isBySource: true,
    isMirroredOnly: false,
  },
  rpmDistribution('Rocky Linux', 'rocky', { isBySource: true, isMirroredOnly: false }),
  rpmDistribution('AlmaLinux', 'almalinux', { isBySource: false, isMirroredOnly: false }),
  rpmDistribution('Red Hat', 'redhat', { isBySource: false, isMirroredOnly: true }),
];

function rpmDistribution(
  name: string,
  namespace: string,
  traits: Pick<Distribution, 'isBySource' | 'isMirroredOnly'>,
): Distribution {
  return { name, order: rpmOrder, purlType: 'rpm', namespace, codenames: {}, release: major, ...traits };
}

/** The distribution that an ecosystem's name begins with (`Debian`, `Debian:12`); null: not a distribution. */
export function findDistribution(ecosystem: string): Distribution | null {
  const name = ecosystem.split(':', 1)[0]!.toLowerCase();
  return DISTRIBUTIONS.find((distribution) => distribution.name.toLowerCase() === name) ?? null;
}

/**
 * One name for one release, of OSV's names for it: `Ubuntu:22.04:LTS` is `Ubuntu:22.04`, `Red Hat:enterprise_linux:9::appstream` is
 * `Red Hat:9`. Null for those that are no release of the whole distribution (`Ubuntu:Pro:...`), and without a release.
 */
export function releaseOfOsvName(ecosystem: string): string | null {
  const distribution = findDistribution(ecosystem);
  const [, first = '', second = ''] = ecosystem.split(':');
  if (distribution === null) return null;
  const text = /^v?\d/.test(first) ? first : first === 'enterprise_linux' ? second : '';
  const number = /^v?(\d[\d.]*)$/.exec(text)?.[1];
  return number === undefined ? null : `${distribution.name}:${distribution.release(number)}`;
}

/** Ids of os-release(5) that are not the namespace of package URLs. */
const NAMESPACE_OF_ID: Readonly<Record<string, string>> = { rhel: 'redhat' };

/** The release that an os-release(5) names (`ID`, `VERSION_ID`), as OSV writes it; null where it is not one of `DISTRIBUTIONS`. */
export function ecosystemOfOsRelease(id: string, versionId: string): { name: string; isBySource: boolean } | null {
  const namespace = NAMESPACE_OF_ID[id] ?? id;
  const distribution = DISTRIBUTIONS.find((one) => one.namespace === namespace);
  if (distribution === undefined || !/^\d[\d.]*$/.test(versionId)) return null;
  return {
    name: `${distribution.name}:${distribution.release(versionId)}`,
    isBySource: distribution.isBySource,
  };
}

/** The name of a source package by its file: `vim` for `vim-8.0.1763-19.el8.src.rpm`; null for other names. */
export function sourceOfRpm(file: string): string | null {
  return /^(.+)-[^-]+-[^-]+\.src\.rpm$/.exec(file)?.[1] ?? null;
}

/** A package of a distribution, as OSV names it. */
export interface DistributionPackage {
  /** `Debian:12`; null where the package URL does not say the release. */
  ecosystem: string | null;
  name: string;
  version: string;
}

/** Qualifiers of package URLs (ECMA-427, type definitions of deb, apk and rpm). */
export interface PurlQualifiers {
  distro?: string | undefined;
  epoch?: string | undefined;
  upstream?: string | undefined;
}

/**
 * A package by its package URL: OSV names the source packages of some (`upstream`), and RPM versions with their epoch.
 * Null where the distribution is not one of `DISTRIBUTIONS`.
 */
export function distributionPackageOf(
  { type, namespace, name, version }: { type: string; namespace: string; name: string; version: string },
  { distro = '', epoch, upstream }: PurlQualifiers,
): DistributionPackage | null {
  const distribution = DISTRIBUTIONS.find((one) => one.purlType === type && one.namespace === namespace.toLowerCase());
  if (distribution === undefined) return null;
  const text = distro.toLowerCase().replace(/^[a-z]*-/, '');
  const number = distribution.codenames[text] ?? /^v?(\d[\d.]*)$/.exec(text)?.[1];
  const source = type === 'rpm' ? (sourceOfRpm(upstream ?? '') ?? name) : (upstream?.split(/[@ ]/, 1)[0] ?? name);
  return {
    ecosystem: number === undefined ? null : `${distribution.name}:${distribution.release(number)}`,
    name: distribution.isBySource ? source : name,
    version: epoch === undefined || version === '' ? version : `${epoch}:${version}`,
  };
}
