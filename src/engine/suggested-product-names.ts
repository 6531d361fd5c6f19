import { normalizeCpeToken, parseCpeLenient } from '../analysis/cve/cpe.ts';
import { isNamedAsPackage, namesOfMavenPackage } from '../analysis/identity/maven-products.ts';
import type { Subject } from '../analysis/affected/subject.ts';
import type { CatalogView } from '../catalog/catalog-view.ts';
import type { ProductName } from '../catalog/identities.ts';
import { underNamesOfPurl } from './other-product-names.ts';

type NameReader = Pick<
  CatalogView,
  'productsOfPurl' | 'sameProduct' | 'namesOfProductsNamed' | 'cvesOfMavenGroup' | 'affectedFacts'
>;

/** What says that CPE names may be those of a package. */
export type NameBasis = 'purl2cpe' | 'maven_coordinates';

/** Newest CVEs of a group that are read for the products that they name. */
const MAX_CVES_OF_GROUP = 40;

/**
 * A package under CPE names that may be its own: those of purl2cpe; where it has none and no advisory covers the package, those that
 * its Maven group and artifact suggest.
 */
export function underPossibleNames(
  subject: Subject,
  isCovered: boolean,
  catalog: NameReader,
): { subjects: Subject[]; basis: NameBasis } {
  const named = underNamesOfPurl(subject, catalog);
  if (named.length > 0 || isCovered) return { subjects: named, basis: 'purl2cpe' };
  return { subjects: underNamesOfCoordinates(subject, catalog), basis: 'maven_coordinates' };
}

/**
 * The product that a Maven coordinate names in the words of CPE (`org.apache.struts:struts2-core`: `apache:struts`), and the product that
 * most CVEs of the group's advisories name, if it has the name of the group or of the artifact (`vmware:spring_framework`).
 */
function underNamesOfCoordinates(subject: Subject, catalog: NameReader): Subject[] {
  const { ecosystem, packageName } = subject;
  if (ecosystem?.name !== 'Maven' || packageName === null || !packageName.includes(':')) return [];
  const { vendors, products } = namesOfMavenPackage(packageName);
  const suggested = products.flatMap((product) =>
    catalog.namesOfProductsNamed(product).filter((name) => name.product === product && vendors.includes(name.vendor)),
  );
  const names = [...suggested, ...ofGroup(packageName, catalog)].flatMap((name) => catalog.sameProduct(name));
  const distinct = new Map(names.map((name) => [`${name.vendor}:${name.product}`, name]));
  return [...distinct.values()].map(({ vendor, product }) => ({
    ...subject,
    names: { tokens: [product], vendor, part: 'a', targetSoftware: null },
  }));
}

function ofGroup(packageName: string, catalog: NameReader): ProductName[] {
  const cves = catalog.cvesOfMavenGroup(packageName.slice(0, packageName.indexOf(':')));
  const read = cves.toSorted().slice(-MAX_CVES_OF_GROUP);
  const counts = new Map<string, { name: ProductName; cves: number }>();
  for (const cveId of read) {
    for (const [key, name] of productsOfCve(cveId, packageName, catalog)) {
      const known = counts.get(key) ?? { name, cves: 0 };
      counts.set(key, { name, cves: known.cves + 1 });
    }
  }
  return [...counts.values()].filter((one) => 2 * one.cves >= read.length).map(({ name }) => name);
}

/** The CPE products of a CVE that have the name of the package, each once. */
function productsOfCve(cveId: string, packageName: string, catalog: NameReader): Map<string, ProductName> {
  const names = new Map<string, ProductName>();
  for (const { products } of catalog.affectedFacts(cveId)) {
    for (const { cpe } of products) {
      const name = cpe === null ? null : parseCpeLenient(cpe);
      if (name === null || !isNamedAsPackage(name.product, packageName)) continue;
      const [vendor, product] = [normalizeCpeToken(name.vendor), normalizeCpeToken(name.product)];
      names.set(`${vendor}:${product}`, { vendor, product });
    }
  }
  return names;
}
