import { parseDictionary } from 'structured-headers';
import { parseBoundedJson } from '../bounded-json.ts';
import { parseCspPolicies } from './csp-policy.ts';
import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';
import { parseStructuredField } from './structured-field.ts';

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers';
const ENDPOINTS = 'Reporting-Endpoints';
const REPORT_TO = 'Report-To';
const NEL = 'NEL';

/** Where reports go, by name. Null: the header was not sent. Empty: browsers ignore it. */
type Endpoints = ReadonlyMap<string, readonly string[]> | null;

/**
 * Reporting-Endpoints (Reporting API, section 3.3), the older Report-To and Network Error Logging: what is sent is checked, nothing is
 * asked for. What a CSP reports to is in `findReportingIssues`.
 */
export function checkReporting(headers: HeaderMap): HeaderCheckResult[] {
  return [
    { header: ENDPOINTS, issues: endpointIssues(readEndpoints(headers)), reference: `${MDN}/${ENDPOINTS}` },
    { header: REPORT_TO, issues: endpointIssues(readGroups(headers)), reference: `${MDN}/${REPORT_TO}` },
    { header: NEL, issues: networkErrorIssues(headers), reference: 'https://www.w3.org/TR/network-error-logging/' },
  ];
}

/** `report-to` of a policy in the header names an endpoint; without `report-uri` beside it nothing else receives reports. */
export function findReportingIssues(headers: HeaderMap): HeaderIssue[] {
  const known = new Set([...(readEndpoints(headers)?.keys() ?? []), ...(readGroups(headers)?.keys() ?? [])]);
  const missing = parseCspPolicies(headers.get('content-security-policy') ?? []).flatMap(({ directives }) =>
    (directives.get('report-to') ?? []).filter(
      (name) => !known.has(name.toLowerCase()) && !directives.has('report-uri'),
    ),
  );
  return missing.length === 0 ? [] : [{ code: 'csp_unknown_reporting_endpoint', subjects: missing }];
}

function endpointIssues(endpoints: Endpoints): HeaderIssue[] {
  if (endpoints === null) return [];
  if (endpoints.size === 0) return [{ code: 'reporting_invalid' }];
  const insecure = [...endpoints].filter(([, urls]) => urls.some((url) => /^http:/i.test(url))).map(([name]) => name);
  return insecure.length === 0 ? [] : [{ code: 'reporting_insecure_endpoint', subjects: insecure }];
}

/** Relative addresses are of this site. Names compare without case here, as sources of policies are read. */
function readEndpoints(headers: HeaderMap): Endpoints {
  const value = joinedValue(headers, ENDPOINTS);
  if (value === null) return null;
  const members = parseStructuredField(value, parseDictionary) ?? new Map();
  return new Map(
    [...members].flatMap(([name, [url]]) => (typeof url === 'string' ? [[name.toLowerCase(), [url]] as const] : [])),
  );
}

/** A list of JSON objects, joined by commas. A group without a name is `default`. */
function readGroups(headers: HeaderMap): Endpoints {
  const value = joinedValue(headers, REPORT_TO);
  if (value === null) return null;
  const groups = new Map<string, string[]>();
  for (const each of asList(readJson(`[${value}]`))) {
    const { group = 'default', max_age, endpoints } = asObject(each);
    const urls = asList(endpoints).flatMap((endpoint) => asObject(endpoint).url ?? []);
    if (typeof group !== 'string' || typeof max_age !== 'number') continue;
    const texts = urls.filter((url) => typeof url === 'string');
    if (texts.length > 0 || max_age === 0) groups.set(group.toLowerCase(), texts);
  }
  return groups;
}

/** Network Error Logging, section 4.1. */
function networkErrorIssues(headers: HeaderMap): HeaderIssue[] {
  const value = joinedValue(headers, NEL);
  if (value === null) return [];
  const { report_to, max_age } = asObject(readJson(value));
  if (typeof max_age !== 'number' || max_age < 0) return [{ code: 'nel_invalid' }];
  if (max_age === 0) return [];
  if (typeof report_to !== 'string') return [{ code: 'nel_invalid' }];
  return readGroups(headers)?.has(report_to.toLowerCase())
    ? []
    : [{ code: 'nel_unknown_group', subjects: [report_to] }];
}

function readJson(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return null;
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
