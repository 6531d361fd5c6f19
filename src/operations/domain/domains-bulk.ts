import { bulk } from '../../engine/bulk.ts';
import { domainReport } from './domain-report.ts';

export const domainsBulk = bulk(domainReport, {
  id: 'domains_bulk',
  title: 'Domain reports, many',
  route: 'POST /v1/domains/bulk',
  list: 'domains',
  field: 'domain',
  answerField: 'report',
  brief: ['risk', 'summary'],
  atOnce: 8,
  deadlineMs: 60_000,
  missingIsError: true,
  examples: [['example.com']],
});
