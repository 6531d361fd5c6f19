import { z } from 'zod';
import { bulkOperation } from '../../engine/bulk.ts';
import type { Operation } from '../../engine/operation.ts';
import { atlasTechniqueLookup } from './atlas-technique-lookup.ts';

const plainBulkLookup = bulkOperation(atlasTechniqueLookup, {
  id: 'bulk_atlas_technique_lookup',
  title: 'ATLAS techniques in bulk',
  route: 'POST /v1/atlas/techniques/bulk',
  listField: 'technique_ids',
  itemField: 'technique_id',
  answerField: 'technique',
  briefFields: ['name', 'tactics', 'maturity', 'attack_reference_id', 'summary'],
  examples: [['AML.T0051', 'AML.T0043']],
  tool: {
    description:
      'Look up to 50 ATLAS techniques in one call; each item has its own status. For one use atlas_technique_lookup.',
    openWorld: false,
  },
});

/** The generic bulk lookup, plus a count of the ids that are not known. */
export const bulkAtlasTechniqueLookup: Operation = {
  ...plainBulkLookup,
  output: plainBulkLookup.output
    .extend({
      not_found: z.number().int().meta({ description: 'Of the failed: ids that no technique has.' }),
    })
    .meta({ id: 'AtlasTechniqueBulk' }),
  async answer(input, context) {
    const answer = await plainBulkLookup.answer(input, context);
    const results = answer['results'] as { status: string }[];
    return { ...answer, not_found: results.filter(({ status }) => status === 'not_found').length };
  },
};
