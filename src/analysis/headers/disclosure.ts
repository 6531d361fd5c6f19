import type { HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';

const OWASP = 'https://owasp.org/www-project-secure-headers/';

/** Headers whose only purpose is to disclose the software of the site. */
const SOFTWARE_HEADERS = [
  'Server',
  'X-Powered-By',
  'X-AspNet-Version',
  'X-AspNetMvc-Version',
  'X-Generator',
  'X-Drupal-Cache',
  'X-Runtime',
  'X-Version',
  'X-Powered-CMS',
];
/** A number with a dot, or one after a slash or a name: `nginx/1.24.0`, `PHP/8`, `4.0.30319`. */
const VERSION_PATTERN = /\d\.\d|\/\d/;

export function checkDisclosure(headers: HeaderMap): HeaderCheckResult[] {
  return SOFTWARE_HEADERS.flatMap((header): HeaderCheckResult[] => {
    const value = joinedValue(headers, header);
    if (value === null || value === '') return [];
    if (VERSION_PATTERN.test(value) && header !== 'X-Runtime') {
      return [{ header, issues: [{ code: 'discloses_version' }], reference: OWASP }];
    }
    // A server's name without a version discloses no more than its behaviour does.
    return header === 'Server' ? [] : [{ header, issues: [{ code: 'discloses_software' }], reference: OWASP }];
  });
}

const MDN = 'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers';
const DEPRECATED_HEADERS: readonly (readonly [header: string, reference: string])[] = [
  ['Public-Key-Pins', 'https://www.rfc-editor.org/rfc/rfc7469'],
  ['Expect-CT', `${MDN}/Expect-CT`],
  ['Feature-Policy', `${MDN}/Permissions-Policy`],
  ['X-Content-Security-Policy', `${MDN}/Content-Security-Policy`],
  ['X-WebKit-CSP', `${MDN}/Content-Security-Policy`],
  ['P3P', 'https://www.w3.org/TR/P3P11/'],
];

export function checkDeprecatedHeaders(headers: HeaderMap): HeaderCheckResult[] {
  const judgements: HeaderCheckResult[] = DEPRECATED_HEADERS.filter(([header]) =>
    headers.has(header.toLowerCase()),
  ).map(([header, reference]) => ({ header, issues: [{ code: 'deprecated_header' }], reference }));
  const filter = joinedValue(headers, 'X-XSS-Protection');
  if (filter !== null && !filter.startsWith('0')) {
    const reference = `${MDN}/X-XSS-Protection`;
    judgements.push({ header: 'X-XSS-Protection', issues: [{ code: 'xss_protection_enabled' }], reference });
  }
  return judgements;
}
