import { bulk } from '../bulk.ts';
import { cveLookup } from './lookup.ts';

export const bulkCveLookup = bulk(cveLookup, {
  id: 'bulk_cve_lookup',
  title: 'CVE records in bulk',
  route: 'POST /v1/cves/bulk',
  list: 'cve_ids',
  field: 'cve_id',
  answerField: 'cve',
  brief: ['severity', 'cvss_v3', 'cwe_id', 'epss', 'kev', 'published', 'rejected', 'patch_url', 'summary'],
  examples: [['CVE-2021-44228', 'CVE-2014-0160']],
  tool: {
    description: 'Look up to 50 CVEs in one call; each item has its own status. For one CVE use cve_lookup.',
    openWorld: false,
  },
});
