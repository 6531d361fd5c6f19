import type { z } from 'zod';
import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import { findSuccessor, type Support } from '../../../analysis/support/find-support.ts';
import { orderOfProduct } from '../../../analysis/versions/two-numberings.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import { lookUpSupport } from '../../../engine/product-support.ts';
import type { AffectedProduct, CveRecord } from './schemas.ts';

/** A cycle that ends so soon is no place to stay. */
const ENDS_SOON_DAYS = 180;
const DAY_MS = 86_400_000;

export type FixSupport = NonNullable<z.output<typeof CveRecord>['fix']['support']>[number];
type Row = z.output<typeof AffectedProduct>;

/** Product rows of a CVE with the support of the version that each ends with: its own, the last affected or the first fixed one. */
export function withSupport(
  rows: readonly Row[],
  catalog: CatalogView,
  now: Date,
): (Row & { support: Support | null })[] {
  return rows.map((row) => {
    const { vendor, product, vulnerable, cpe } = row;
    const version = row.version ?? row.version_end_including ?? row.version_end_excluding;
    if (vendor === null || product === null || version === null || version === '-' || !vulnerable || cpe === null)
      return { ...row, support: null };
    const name = `${normalizeCpeToken(vendor)}:${normalizeCpeToken(product)}`;
    return { ...row, support: lookUpSupport(catalog, { cpe: name, version }, now) };
  });
}

/** The support of the cycles that fixed versions are of, with a newer cycle where one has ended or ends soon. */
export function supportOfFix(
  versions: readonly string[],
  rows: readonly Row[],
  catalog: CatalogView,
  now: Date,
): FixSupport[] {
  return versions.flatMap((version) => {
    const row = rows.find(
      ({ vulnerable, cpe, version_end_excluding }) => vulnerable && cpe !== null && version_end_excluding === version,
    );
    if (row?.vendor == null || row.product === null) return [];
    const cpe = `${normalizeCpeToken(row.vendor)}:${normalizeCpeToken(row.product)}`;
    return supportOfVersion(cpe, version, catalog, now) ?? [];
  });
}

function isLater(version: string, latest: string, cpe: string): boolean {
  const order = orderOfProduct(cpe.slice(cpe.indexOf(':') + 1));
  const [asked, last] = [order.parse(version), order.parse(latest)];
  return asked !== null && last !== null && order.compare(asked, last) > 0;
}

/** The support of the release line of a version of a CPE product (`vendor:product`); null where it is not known. */
export function supportOfVersion(cpe: string, version: string, catalog: CatalogView, now: Date): FixSupport | null {
  const support = lookUpSupport(catalog, { cpe, version }, now);
  if (support === null) return null;
  const { cycle, is_supported, ends_at } = support;
  const endsSoon = ends_at !== null && Date.parse(ends_at) - now.getTime() < ENDS_SOON_DAYS * DAY_MS;
  const move_to = is_supported && !endsSoon ? null : findSuccessor(catalog.supportedProducts('cpe', cpe), support, now);
  const own = catalog.supportedProducts('cpe', cpe).find(({ product }) => product === support.product);
  const { latest = null, extended_ends_at = null } = own?.cycles.find(({ name }) => name === cycle) ?? {};
  // With support that is paid for, there are releases that the public list does not have.
  const isOver = !is_supported && extended_ends_at === null && latest !== null;
  const is_released = isOver && isLater(version, latest, cpe) ? false : null;
  return { version, cycle, is_supported, ends_at, latest, is_released, move_to };
}
