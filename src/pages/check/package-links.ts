import { parseCpeLenient } from '../../analysis/cve/cpe.ts';
import { packageLabel } from '../../analysis/packages/package-ref.ts';
import { paths, withQuery } from '../links.ts';
import type { LinkedPackage, PackageLinks } from './text-result.ts';

/** Links that keep the version of the package. */
export const PACKAGE_LINKS: PackageLinks = { cve: cveOfPackage, package: pageOfPackage };

/** The page of a CVE, asked about this version of the package. */
function cveOfPackage(cveId: string, one: LinkedPackage): string {
  const purl = purlOf(one);
  if (purl !== null) return withQuery(paths.cve(cveId), { purl });
  const product = productOf(one);
  const name = product === null ? one.package : `${product.vendor}:${product.product}`;
  return withQuery(paths.cve(cveId), { product: name, version: one.version });
}

/** What is known of this version: the page of its product where a CPE name matched, else the check of its package URL. */
function pageOfPackage(one: LinkedPackage): string {
  const product = productOf(one);
  if (product !== null) return withQuery(paths.product(product.vendor, product.product), { version: one.version });
  const purl = purlOf(one);
  return purl === null
    ? withQuery('/check', { product: one.package, version: one.version })
    : withQuery('/check', { purl });
}

function purlOf({ package: name, version, ecosystem }: LinkedPackage): string | null {
  const label = packageLabel({ name, version, ecosystem });
  return label.startsWith('pkg:') ? label : null;
}

function productOf({ evidence = [] }: LinkedPackage): { vendor: string; product: string } | null {
  const name = evidence.map(parseCpeLenient).find((cpe) => cpe !== null);
  return name == null ? null : { vendor: name.vendor, product: name.product };
}
