import { parseItem } from 'structured-headers';
import type { HeaderCheckResult, HeaderIssue } from './header-finding.ts';
import { type HeaderMap, joinedValue, splitCommaList } from './header-map.ts';
import { parseStructuredField } from './structured-field.ts';

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers';
const CLEARED_TYPES = /^"(?:cache|cookies|storage|executioncontexts|clienthints|prefetchcache|prerendercache|\*)"$/i;

/** Clear-Site-Data (W3C, section 3.1): a list of quoted words. */
export function checkClearSiteData(headers: HeaderMap): HeaderCheckResult {
  const header = 'Clear-Site-Data';
  const types = splitCommaList(joinedValue(headers, header) ?? '').filter((type) => type !== '');
  const ignored = types.filter((type) => !CLEARED_TYPES.test(type));
  const issues: HeaderIssue[] = [];
  if (headers.has(header.toLowerCase()) && ignored.length === types.length)
    issues.push({ code: 'clear_site_data_invalid' });
  else if (ignored.length > 0) issues.push({ code: 'clear_site_data_type_ignored', subjects: ignored });
  return { header, issues, reference: `${MDN}/${header}` };
}

/** Origin-Agent-Cluster (HTML standard, section 7.1.2): a structured boolean. */
export function checkAgentCluster(headers: HeaderMap): HeaderCheckResult {
  const header = 'Origin-Agent-Cluster';
  const value = joinedValue(headers, header);
  const [item] = (value === null ? null : parseStructuredField(value, parseItem)) ?? [];
  const isInvalid = value !== null && typeof item !== 'boolean';
  return { header, issues: isInvalid ? [{ code: 'agent_cluster_invalid' }] : [], reference: `${MDN}/${header}` };
}
