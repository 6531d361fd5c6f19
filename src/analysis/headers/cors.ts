import type { HeaderIssue, HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';

const HEADER = 'Access-Control-Allow-Origin';
const REFERENCE = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Guides/CORS';

/** `foreignOrigin`: the origin that the request named, where it named one that the site has no reason to trust. */
export function checkCors(headers: HeaderMap, foreignOrigin: string | null): HeaderCheckResult {
  return { header: HEADER, issues: findCorsIssues(headers, foreignOrigin), reference: REFERENCE };
}

function findCorsIssues(headers: HeaderMap, foreignOrigin: string | null): HeaderIssue[] {
  const origin = joinedValue(headers, HEADER);
  if (origin === null) return [];
  const credentials = joinedValue(headers, 'Access-Control-Allow-Credentials') === 'true';
  if (origin === '*') return [{ code: credentials ? 'cors_wildcard_with_credentials' : 'cors_public' }];
  if (origin === 'null') return [{ code: credentials ? 'cors_null_origin_with_credentials' : 'cors_null_origin' }];
  if (origin === foreignOrigin) {
    return [{ code: credentials ? 'cors_reflects_origin_with_credentials' : 'cors_reflects_origin' }];
  }
  return /^[a-z][a-z0-9+.-]*:\/\/[^/,\s]+$/i.test(origin) ? [] : [{ code: 'cors_invalid' }];
}
