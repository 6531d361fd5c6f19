import { normalizeCpeToken, parseCpeLenient } from '../../../analysis/cve/cpe.ts';
import { type PackageRef, packageLabel } from '../../../analysis/packages/package-ref.ts';
import type { Support } from '../../../analysis/support/find-support.ts';
import type { Context } from '../../../engine/context.ts';
import { lookUpSupport } from '../../../engine/product-support.ts';

/** Support of a package, by its package URL or the CPE name that its document gives it; null where that is not known. */
export function supportOfPackage(ref: PackageRef, { catalog, now }: Pick<Context, 'catalog' | 'now'>): Support | null {
  const { version, ecosystem, cpe } = ref;
  if (version === '' || ref.problem !== undefined) return null;
  if (ecosystem !== null) return lookUpSupport(catalog, { purl: packageLabel({ ...ref, version: '' }), version }, now);
  const name = cpe === undefined ? null : parseCpeLenient(cpe);
  if (name === null) return null;
  const names = catalog.sameProduct({
    vendor: normalizeCpeToken(name.vendor),
    product: normalizeCpeToken(name.product),
  });
  for (const { vendor, product } of names) {
    const support = lookUpSupport(catalog, { cpe: `${vendor}:${product}`, version }, now);
    if (support !== null) return support;
  }
  return null;
}
