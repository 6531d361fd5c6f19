import { z } from 'zod';
import { ForeignText } from '../../../engine/foreign-text.ts';
import type { Sighting } from '../../../analysis/indicators/threat-level.ts';
import type { SourceResult } from '../../../sources/source.ts';

export const MAX_SHOWN_LISTINGS = 5;

export const MAX_SIGHTINGS_PER_SOURCE = 3;

export const Listing = z.object({
  threat: ForeignText.nullable(),
  malware: ForeignText.nullable(),
  confidence: z.number().nullable(),
  online: z.boolean().nullable(),
  first_seen: z.string().nullable(),
  last_seen: z.string().nullable(),
  tags: z.array(ForeignText),
  reference: ForeignText.nullable(),
});
export type Listing = z.output<typeof Listing>;

/** Finding of one source. `count`: all its entries; `listings`: the latest of them. */
export const SourceFinding = z
  .object({
    status: z.enum(['listed', 'not_listed', 'not_applicable', 'not_configured', 'not_synced', 'unavailable']),
    count: z.number().int().nullable(),
    listings: z.array(Listing).nullable(),
  })
  .meta({ id: 'SourceFinding' });
export type SourceFinding = z.output<typeof SourceFinding>;

/** A finding and the sightings (arguments for the threat level) that follow from it. */
export type FindingWithSightings = { finding: SourceFinding; sightings: Sighting[] };

/** A finding without an answer: no count, no listings. */
export function findingWithoutAnswer(status: SourceFinding['status']): FindingWithSightings {
  return { finding: { status, count: null, listings: null }, sightings: [] };
}

export const NOT_APPLICABLE: FindingWithSightings = {
  finding: { status: 'not_applicable', count: null, listings: [] },
  sightings: [],
};

export const NOT_LISTED: FindingWithSightings = {
  finding: { status: 'not_listed', count: 0, listings: [] },
  sightings: [],
};

/** Reads the answer of a source; a failure gives a finding with its status. */
export function toFinding<Found>(
  outcome: SourceResult<Found>,
  read: (found: Found) => FindingWithSightings,
): FindingWithSightings {
  return outcome.status === 'ok' ? read(outcome.found) : findingWithoutAnswer(outcome.status);
}
