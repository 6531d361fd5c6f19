import type { z } from 'zod';
import { displayText } from '../../../analysis/display-text.ts';
import { parsePurl } from '../../../analysis/packages/package-ref.ts';
import type { WatchSubject } from '../../../analysis/watch/watch.ts';
import { subjectLabel } from '../../../analysis/watch/watched-names.ts';
import type { CatalogView } from '../../../catalog/catalog-view.ts';
import { type CandidateField, describeCandidates, findMeaning } from '../../cve/lib/product-candidates.ts';

const ANY = { sort: 'published_desc', limit: 0, offset: 0, includeRejected: true } as const;

/**
 * A subject that no source names today: it may be a mistake, or be named later. `gap` null: sources name it, or it is none that sources
 * name.
 */
export function findUnnamed(
  subject: WatchSubject,
  catalog: CatalogView,
): { gap: string | null; candidates: z.output<typeof CandidateField>[] } {
  if (isNamed(subject, catalog)) return { gap: null, candidates: [] };
  const words = subject.kind === 'product' ? subject.product : subject.kind === 'package' ? nameOf(subject.purl) : null;
  const { candidates } = words === null ? { candidates: [] } : findMeaning(words, catalog);
  const meant = candidates.length === 0 ? '' : `; did you mean ${describeCandidates(candidates)}?`;
  return {
    gap: `no source names ${displayText(subjectLabel(subject), 100)} today: nothing is told before one does${meant}`,
    candidates,
  };
}

function isNamed(subject: WatchSubject, catalog: CatalogView): boolean {
  switch (subject.kind) {
    case 'cve':
      return catalog.cve(subject.cve_id) !== null;
    case 'vendor':
      return catalog.productsOfVendor(subject.vendor).length > 0;
    case 'product': {
      const { vendor, product } = subject;
      return vendor === null
        ? catalog.search({ ...ANY, product }).total > 0 || catalog.productsCalled(product).length > 0
        : catalog.search({ ...ANY, productNames: catalog.sameProduct({ vendor, product }) }).total > 0;
    }
    case 'package': {
      const { ecosystem, name } = parsePurl(subject.purl);
      return (
        (ecosystem !== null && catalog.packageAdvisories(ecosystem, name).length > 0) ||
        catalog.productsOfPurl(subject.purl).length > 0
      );
    }
    default:
      return true;
  }
}

function nameOf(purl: string): string {
  return parsePurl(purl).name.split(/[/:]/).at(-1)!;
}
