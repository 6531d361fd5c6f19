import { awaitsNvd, type MergedCve, mergeCve } from '../analysis/cve/merge-cve.ts';
import { assessReferences, type FixFinding } from '../analysis/cve/patch-reference.ts';
import type { HeadFacts } from './record-codec.ts';
import { MAX_HEAD_PRODUCTS, MAX_HEAD_REFERENCES } from './record-layout.ts';

/** The records of one CVE merged into one, with the counts and the fix of its complete lists. */
export interface MergedRecord extends FixFinding {
  record: MergedCve;
  /** Counts of the complete lists; the lists of `record` are shorter if it was read without its body. */
  total_references: number;
  total_products: number;
  /** The NVD has a record and has not analysed it. */
  awaits_nvd: boolean;
}

/**
 * Merges records. If there are several they must be complete: sources share references and products, so counts of heads cannot
 * be added.
 */
export function mergeRecords(facts: readonly HeadFacts[]): MergedRecord {
  const record = mergeCve(facts);
  const awaits_nvd = facts.some((entry) => awaitsNvd(entry, entry.total_configurations));
  const [only] = facts;
  if (facts.length === 1 && only !== undefined) {
    const { total_references, total_products, patch_available, fix } = only;
    return { record, total_references, total_products, patch_available, fix, awaits_nvd };
  }
  const { references, ...fix } = assessReferences(record);
  return {
    record: { ...record, references },
    total_references: references.length,
    total_products: record.products.length,
    ...fix,
    awaits_nvd,
  };
}

/** The record with its lists truncated to those of a head, and without the applicability tree. */
export function truncateToHead(merged: MergedRecord): MergedRecord {
  const { references, products } = merged.record;
  return {
    ...merged,
    record: {
      ...merged.record,
      references: references.slice(0, MAX_HEAD_REFERENCES),
      products: products.slice(0, MAX_HEAD_PRODUCTS),
      configurations: [],
    },
  };
}
