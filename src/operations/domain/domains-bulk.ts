import { bulkOperation } from '../../engine/bulk.ts';
import { domainReport } from './domain-report.ts';

export const domainsBulk = bulkOperation(domainReport, {
  id: 'domains_bulk',
  title: 'Domain reports, many',
  route: 'POST /v1/domains/bulk',
  listField: 'domains',
  itemField: 'domain',
  answerField: 'report',
  briefFields: ['risk', 'summary'],
  concurrency: 8,
  deadlineMs: 60_000,
  notFoundIsError: true,
  examples: [['example.com']],
});
