import type { z } from 'zod';
import { normalizeCpeToken } from '../../../analysis/cve/cpe.ts';
import type { Support } from '../../../analysis/support/find-support.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import { lookUpSupport } from '../../../engine/product-support.ts';
import type { AffectedProduct } from './schemas.ts';

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
