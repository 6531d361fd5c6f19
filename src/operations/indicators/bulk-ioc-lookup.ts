import { bulkOperation } from '../../engine/bulk.ts';
import { iocLookup, MAX_INDICATOR_CHARS } from './ioc-lookup.ts';

export const bulkIocLookup = bulkOperation(iocLookup, {
  id: 'bulk_ioc_lookup',
  title: 'Indicators of compromise, many',
  route: 'POST /v1/iocs/bulk',
  listField: 'indicators',
  itemField: 'indicator',
  answerField: 'ioc',
  briefFields: ['type', 'threat_level', 'threat_score', 'summary'],
  maxItemCharacters: MAX_INDICATOR_CHARS,
  concurrency: 8,
  examples: [['8.8.8.8', 'evil[.]example[.]com']],
  tool: {
    description:
      'Up to 50 IPs, domains, URLs and hashes from a report or log, defanged or not, in one call. A single one: ioc_lookup.',
    openWorld: true,
  },
});
