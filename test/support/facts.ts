import type { CveFacts, CveProduct } from '../../src/analysis/cve/cve-facts.ts';

/** A CVE record with nothing in it but what is given. */
export function facts(more: Partial<CveFacts> = {}): CveFacts {
  return {
    cve_id: 'CVE-2024-1000',
    source: 'nvd',
    status: 'Analyzed',
    rejected: false,
    published: '2024-01-02T03:04:05.000Z',
    modified: '2024-02-03T04:05:06.000Z',
    title: null,
    description: null,
    assigner: null,
    tags: [],
    metrics: [],
    ssvc: null,
    weaknesses: [],
    references: [],
    products: [],
    configurations: [],
    ...more,
  };
}

/** A product row; of all versions unless bounds are given. */
export function product(cpe: string | null, more: Partial<CveProduct> = {}): CveProduct {
  return {
    cpe,
    vendor: null,
    product: null,
    version: null,
    ecosystem: null,
    vulnerable: true,
    start_including: null,
    start_excluding: null,
    end_including: null,
    end_excluding: null,
    ...more,
  };
}
