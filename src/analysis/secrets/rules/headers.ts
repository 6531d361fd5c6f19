import { shannonEntropy } from '../entropy.ts';
import { isPlaceholder } from '../placeholder.ts';
import { judgeEncodedCredential, judgeRandom, readPattern } from '../read-pattern.ts';
import type { LocatedSecret, ScannedText, SecretRule } from '../secret-rule.ts';

const SCHEME_VALUE =
  /(?:bearer|basic|token|apikey)[ \t]{1,4}(?:token=["']?)?([\w~+/.-]{12,4000}={0,2})(?=[\s"'`\\,;)}<]|$)/iy;

/** `Bearer …`, `Basic …` at the start of a string, or behind the name of the header. */
function readSchemeAndValue({ code }: ScannedText, at: number): readonly LocatedSecret[] {
  if (!'"\'` =:\t'.includes(code[at - 1] ?? 'x')) return [];
  if (!/["'`]$|authorization["']?\]?[ \t]{0,4}[:=,]?[ \t]{0,4}["'`]?$/i.test(code.slice(Math.max(0, at - 40), at)))
    return [];
  SCHEME_VALUE.lastIndex = at;
  const found = SCHEME_VALUE.exec(code);
  if (found === null) return [];
  const value = found[1]!;
  const isBasic = /^basic/i.test(found[0]);
  const judgement = isBasic ? judgeEncodedCredential(value) : judgeRandom(value);
  if (judgement === null) return [];
  const start = at + found[0].lastIndexOf(value);
  return [{ id: 'authorization_value', start, end: start + value.length, ...judgement }];
}

const SESSION_NAMES = [
  'session=',
  'sessionid=',
  'session_id=',
  'phpsessid=',
  'jsessionid=',
  'connect.sid=',
  'asp.net_sessionid=',
  '_session=',
];

/** Credentials of HTTP: values of headers, sessions in cookies. */
export const HEADER_RULES: readonly SecretRule[] = [
  {
    id: 'authorization_value',
    issuer: null,
    secretName: 'Credential of an HTTP header',
    severity: 'HIGH',
    readers: [{ keywords: ['bearer ', 'basic ', 'token ', 'apikey '], read: readSchemeAndValue }],
    example: 'header = "Bearer {n:40}"',
  },
  {
    id: 'cookie_signing_key',
    issuer: null,
    secretName: 'Key that signs cookies',
    severity: 'HIGH',
    readers: [
      readPattern('cookie_signing_key', ["keys: ['", 'keys: ["'], /keys: \[["']([^"'\s]{16,256})["']/y, judgeRandom),
    ],
    example: "cookieSession({ name: 'session', keys: ['{n:32}'] })",
  },
  {
    id: 'session_cookie',
    issuer: null,
    secretName: 'Session in a cookie',
    severity: 'MEDIUM',
    readers: [
      readPattern(
        'session_cookie',
        SESSION_NAMES,
        /(?:[\w.]{3,20}(?:id|sid)|(?<=ookie["']?[:,=]? ?["']?[^\n]{0,80})_?session)=(?:s%3A)?([\w.%+/-]{20,400})(?![\w(])/y,
        (value) =>
          /\d/.test(value) && shannonEntropy(value) >= 3 && !isPlaceholder(value) ? { severity: 'MEDIUM' } : null,
      ),
    ],
    example: 'Cookie: sessionid={l:32}',
  },
];
