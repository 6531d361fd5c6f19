import { z } from 'zod';
import type { SourceResult } from '../../../sources/source.ts';

/** Distinguishes "not listed" from "could not be asked". */
export const ListingStatus = z.enum(['listed', 'not_listed', 'not_configured', 'unavailable']);
export type ListingStatus = z.output<typeof ListingStatus>;

/** The status for an outcome; an answer of null means not listed. */
export function listingStatusOf(outcome: SourceResult<unknown>): ListingStatus {
  if (outcome.status !== 'ok') return outcome.status;
  return outcome.found === null ? 'not_listed' : 'listed';
}
