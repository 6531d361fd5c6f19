import { bulk } from '../../engine/bulk.ts';
import { iocLookup, MAX_INDICATOR } from './ioc-lookup.ts';

export const bulkIocLookup = bulk(iocLookup, {
  id: 'bulk_ioc_lookup',
  title: 'Indicators of compromise, many',
  route: 'POST /v1/iocs/bulk',
  list: 'indicators',
  field: 'indicator',
  answerField: 'ioc',
  brief: ['type', 'threat_level', 'threat_score', 'summary'],
  maxLength: MAX_INDICATOR,
  atOnce: 8,
  examples: [['8.8.8.8', 'evil[.]example[.]com']],
  tool: {
    description:
      'Up to 50 IPs, domains, URLs and hashes from a report or log, defanged or not, in one call. A single one: ioc_lookup.',
    openWorld: true,
  },
});
