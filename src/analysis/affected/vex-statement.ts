import { normalizeCpeToken } from '../cve/cpe.ts';
import { summarizeList } from '../display-text.ts';
import { genericOrder } from '../versions/generic.ts';
import type { VersionRange } from '../cve/cve-facts.ts';
import { isSameVendor } from './match-product-row.ts';
import type { Subject } from './subject.ts';
import { describeRange, hasRange, testExactVersion, testRange } from './test-version.ts';
import type { Truth } from './truth.ts';

const MAX_SHOWN_VERSIONS = 3;

export type VexStatus = 'not_affected' | 'affected' | 'fixed' | 'under_investigation';

/** Versions that a statement is about. */
export interface VexVersions extends VersionRange {
  /** Exact versions. */
  versions: string[];
}

/** What the maker of a product says about one CVE in it (OpenVEX 0.2.0; CSAF 2.0, product_status). */
export interface VexStatement {
  cve_id: string;
  source: 'vex' | 'csaf';
  /** Id of the document or advisory. */
  document: string;
  /** Who says so. */
  author: string;
  status: VexStatus;
  /** `component_not_present`, `vulnerable_code_not_present`, ...; null where none is given. */
  justification: string | null;
  /** The author's text, truncated; null without one. */
  note: string | null;
  /** `purlIdentity` of the product; null where it is given by vendor and name. */
  purl: string | null;
  vendor: string | null;
  product: string | null;
  /** Null: all versions. */
  affected: VexVersions | null;
  /** Day on which it was said or last confirmed, YYYY-MM-DD; null: not known. */
  said_on: string | null;
}

/** The key under which a statement is found: its package URL, or the token of its product name. */
export function vexProductKey({ purl, product }: Pick<VexStatement, 'purl' | 'product'>): string {
  return purl ?? normalizeCpeToken(product ?? '');
}

/** Whether a statement is about the subject's version; null: unknown. False also for another vendor's product. */
export function appliesTo(statement: VexStatement, subject: Subject): Truth {
  if (statement.purl !== null) {
    if (statement.purl !== subject.purl) return false;
  } else if (!isVendorOf(statement.vendor, subject)) return false;
  const { affected } = statement;
  if (affected === null) return true;
  const order = statement.purl === null ? genericOrder : subject.order;
  const tests = affected.versions.map((one) => testExactVersion(one, null, subject.version, order));
  if (hasRange(affected)) tests.push(testRange(affected, subject.version, order));
  if (tests.some(({ truth }) => truth === true)) return true;
  return tests.some(({ truth }) => truth === null) ? null : false;
}

/** By which a maker says that a product does not have the flaw, or no longer. */
export const DENIALS: readonly VexStatus[] = ['not_affected', 'fixed'];

/** The statement that denies a CVE for the subject's version; null without one. */
export function findDenial(statements: readonly VexStatement[], subject: Subject): VexStatement | null {
  return statements.find((one) => DENIALS.includes(one.status) && appliesTo(one, subject) === true) ?? null;
}

/** A plain product name alone does not identify a product: the vendor has to agree. */
function isVendorOf(vendor: string | null, { names }: Subject): boolean {
  if (names === null || names.vendor === null || vendor === null) return false;
  return isSameVendor(normalizeCpeToken(vendor), names.vendor);
}

/** `not affected: vulnerable code not present, says Rancher Security team`. */
export function describeVexStatement({ status, justification, note, author }: VexStatement): string {
  const reason = justification?.replaceAll('_', ' ') ?? note;
  const why = reason === null ? '' : `: ${reason}`;
  return `${status.replaceAll('_', ' ')}${why}, says ${author}`;
}

/** The versions of a statement as text; empty: all versions. */
export function describeVexVersions({ affected }: VexStatement): string {
  if (affected === null) return '';
  return [summarizeList(affected.versions, MAX_SHOWN_VERSIONS), describeRange(affected)]
    .filter((text) => text !== '')
    .join(', ');
}
