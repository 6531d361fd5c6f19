import type { HeaderCheckResult } from './header-finding.ts';
import { type HeaderMap, joinedValue } from './header-map.ts';

const MAX_SEARCHED_CHARACTERS = 4096;
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

/** Debuggers and profilers: Symfony, Clockwork, PHP Debug Bar, FirePHP and Chrome Logger. */
const DEBUG_HEADERS =
  /^(?:x-debug-(?:token|token-link|info)|x-clockwork-(?:id|version|path)|phpdebugbar-(?:id|opcache)|x-wf-protocol-1|x-chrome(?:logger|php)-data)$/;
/** Of these words are the names of headers that proxies and applications tell the inside by; a name of other words would be a text of the site in ours. */
const INSIDE_NAME =
  /^(?:via|server|location|content-location|(?:x-)?(?:address|addr|app|backend|by|container|file|forwarded|host|instance|internal|ip|name|node|origin|original|path|pod|proxy|real|root|route|served|server|source|target|upstream|url|via)(?:-(?:address|addr|app|backend|by|container|file|forwarded|host|id|instance|internal|ip|name|node|origin|original|path|pod|proxy|real|root|route|served|server|source|target|upstream|url|via)){0,3})$/;
const INTERNAL_ADDRESS =
  /(?<![\d.])(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?![\d.])/;
const INTERNAL_PATH =
  /(?:^|[\s=:"'(,])(?:\/(?:var\/www|home|srv|usr\/(?:local|share)|opt|etc|root|Users)\/[\w.-]|[a-zA-Z]:\\(?!\s))/;

/** Addresses of private networks and paths of the server's disk, and headers of debuggers. */
export function checkInternals(headers: HeaderMap): HeaderCheckResult[] {
  return [...headers].flatMap(([name, values]): HeaderCheckResult[] => {
    if (DEBUG_HEADERS.test(name)) {
      return [{ header: name, issues: [{ code: 'discloses_debugging' }], reference: OWASP }];
    }
    const isInternal =
      INSIDE_NAME.test(name) &&
      values.some((value) => {
        const text = value.slice(0, MAX_SEARCHED_CHARACTERS);
        return INTERNAL_ADDRESS.test(text) || INTERNAL_PATH.test(text);
      });
    if (!isInternal) return [];
    return [{ header: name, issues: [{ code: 'discloses_internal' }], reference: OWASP }];
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
