import { PackageURL } from 'packageurl-js';
import { escapeCpeText, parseCpeLenient } from '../cve/cpe.ts';
import { productName } from '../cve/product-name.ts';
import { findDistribution } from '../packages/distributions.ts';
import { type PackageRef, parsePurl, purlOfPackage } from '../packages/package-ref.ts';
import { versionOfPurl } from '../affected/subject.ts';
import type { WatchedComponent, WatchSubject } from './watch.ts';

/**
 * The package URL of a package as watches have it: without version and subpath, and without qualifiers but for packages of distributions,
 * which are named with their release. Null for what is no package that can be checked.
 */
export function watchedPurl(purl: string): string | null {
  const { ecosystem, problem } = parsePurl(purl);
  if (ecosystem === null || problem !== undefined) return null;
  const { type, namespace, name, qualifiers } = PackageURL.fromString(purl.trim());
  const kept = findDistribution(ecosystem) === null ? undefined : (qualifiers ?? undefined);
  return new PackageURL(type, namespace, name, undefined, kept, undefined).toString();
}

/** A component from its package URL or CPE name, with its version; null for other texts, and for packages that cannot be checked. */
export function componentOfText(text: string): WatchedComponent | null {
  if (text.startsWith('pkg:')) {
    const purl = watchedPurl(text);
    return purl === null ? null : { purl, cpe: null, version: versionOfPurl(text) };
  }
  const cpe = parseCpeLenient(text);
  if (cpe === null || cpe.product === '' || cpe.product === '*') return null;
  return { purl: null, cpe: text.trim(), version: cpe.version === '-' ? null : cpe.version };
}

/** A package of a document as a component; null for one that cannot be checked. */
export function componentOfPackage(ref: PackageRef): WatchedComponent | null {
  if (ref.problem !== undefined || ref.version === '') return null;
  const purl = purlOfPackage(ref);
  if (purl !== null) return componentOfText(purl);
  if (ref.cpe === undefined) return null;
  const name = parseCpeLenient(ref.cpe);
  return name === null ? null : { purl: null, cpe: cpeOf(name.part ?? 'a', name, ref.version), version: ref.version };
}

/** A CPE 2.3 name of one version. */
function cpeOf(part: string, { vendor, product }: { vendor: string; product: string }, version: string): string {
  const [vendorText, productText, versionText] = [vendor, product, version].map((text) =>
    text === '*' ? text : escapeCpeText(text),
  );
  return `cpe:2.3:${part}:${vendorText}:${productText}:${versionText}:*:*:*:*:*:*:*`;
}

/** A component as one text: its package URL or CPE name, with its version. */
export function textOfComponent({ purl, cpe, version }: WatchedComponent): string {
  if (purl === null) return cpe ?? '';
  return version === null ? purl : withVersion(purl, version);
}

function withVersion(purl: string, version: string): string {
  const { type, namespace, name, qualifiers } = PackageURL.fromString(purl);
  return new PackageURL(type, namespace, name, version, qualifiers ?? undefined, undefined).toString();
}

function filterText([name, value]: [string, unknown]): string {
  if (name === 'q') return `"${String(value)}"`;
  return value === true ? name : `${name} ${String(value)}`;
}

/** What is watched, in a few words: `apache log4j 2.14.1`, `pkg:npm/lodash@4.17.20`, `300 components`. */
export function subjectLabel(subject: WatchSubject): string {
  switch (subject.kind) {
    case 'cve':
      return subject.cve_id;
    case 'product':
      return [productName(subject), subject.version].filter((part) => part !== null).join(' ');
    case 'package':
      return subject.version === null ? subject.purl : withVersion(subject.purl, subject.version);
    case 'vendor':
      return `products of ${subject.vendor}`;
    case 'search':
      return `CVEs of the search ${Object.entries(subject.filters).map(filterText).join(', ')}`;
    case 'components':
      return subject.components.length === 1 ? '1 component' : `${subject.components.length} components`;
    case 'domain':
      return subject.domain;
    case 'indicator':
      return subject.indicator;
  }
}
