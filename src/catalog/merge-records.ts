import { type MergedCve, mergeCve } from '../analysis/cve/merge-cve.ts';
import { findPatchReference } from '../analysis/cve/patch-reference.ts';
import { MAX_HEAD_PRODUCTS, MAX_HEAD_REFERENCES, type HeadFacts } from './record-codec.ts';

/** The records of one CVE as one, with what is true of its whole lists. */
export interface MergedRecord {
  record: MergedCve;
  /** True counts; the lists of `record` may be shorter when it was read without its tails. */
  total_references: number;
  total_products: number;
  patch_url: string | null;
}

/** Joins records. Several of them must be whole: sources share references and products, so heads cannot be counted together. */
export function mergeRecords(facts: readonly HeadFacts[]): MergedRecord {
  const record = mergeCve(facts);
  const [alone] = facts;
  if (facts.length === 1 && alone !== undefined) {
    const { total_references, total_products, patch_url } = alone;
    return { record, total_references, total_products, patch_url };
  }
  return {
    record,
    total_references: record.references.length,
    total_products: record.products.length,
    patch_url: findPatchReference(record.references)?.url ?? null,
  };
}

/** The same with its lists as short as those of a head, and without the applicability tree. */
export function truncateToHead(joined: MergedRecord): MergedRecord {
  const { references, products } = joined.record;
  return {
    ...joined,
    record: {
      ...joined.record,
      references: references.slice(0, MAX_HEAD_REFERENCES),
      products: products.slice(0, MAX_HEAD_PRODUCTS),
      configurations: [],
    },
  };
}
