import { z } from 'zod';
import { normalizeCpeToken } from '../analysis/cve/cpe.ts';
import { findSupport, productPurl, type Support, type SupportSubject } from '../analysis/support/find-support.ts';
import { ForeignText } from './foreign-text.ts';
import type { CatalogView } from '../catalog/catalog-view.ts';

/** Whether the release of a product still gets security fixes. */
export const SupportField = z
  .object({
    product: ForeignText,
    cycle: ForeignText,
    is_supported: z.boolean().meta({ description: 'False: no fix will come.' }),
    ends_at: z.string().nullable(),
    source: z.literal('endoflife'),
  })
  .nullable()
  .meta({ id: 'Support', description: 'Security support by endoflife.date; null: not known.' });

/** Support of one version of a product, by what endoflife.date says; null where that is not known. */
export function lookUpSupport(catalog: CatalogView, subject: SupportSubject, now: Date): Support | null {
  const products =
    'purl' in subject
      ? catalog.supportedProducts('purl', productPurl(subject.purl))
      : 'cpe' in subject
        ? catalog.supportedProducts('cpe', subject.cpe)
        : catalog.supportedProducts('name', normalizeCpeToken(subject.name));
  return products.length === 0 ? null : findSupport(products, subject, now);
}
