import { decodeBase64Text } from '../../base64.ts';
import { looksRandom } from '../entropy.ts';
import { isMadeUnreadable, isReference } from '../assignment/value-shapes.ts';
import { isExampleCredential, splitUserPassword } from '../example-credential.ts';
import { credentialKindOf } from '../assignment/credential-name.ts';
import { nameAt } from '../assignment/read-assignment.ts';
import { isCommonPassword, isWordForPassword } from '../placeholder.ts';
import type { SecretCandidate, SecretAssessment, SecretRule } from '../secret-rule.ts';

/** Reserved names (RFC 2606). */
const RESERVED_HOST = /^@(?:[\w-]{1,63}\.){0,8}(?:example(?:\.(?:com|org|net))|invalid)(?![\w.-])/i;
/** What stands for a user in documentation. */
const EXAMPLE_USER = /^(?:user(?:name)?|usr|u|your.*|my_?user.*|example.*|login|name|foo|x+|[$<{%].*)$/i;
const LOOPBACK_HOST = /^@(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?![\w.])/i;
const MAX_HOST_LENGTH = 260;

function assessUrlPassword({ code, matchStart, secret }: SecretCandidate): SecretAssessment {
  const colon = code.indexOf(':', matchStart + 3);
  const user = code.slice(matchStart + 3, colon);
  const host = code.slice(colon + 1 + secret.length, colon + 1 + secret.length + MAX_HOST_LENGTH);
  if (isCommonPassword(secret) || isWordForPassword(secret) || secret === user) return null;
  // `host:8080/path@…`: a port.
  if (/^\d{1,5}[/?#]/.test(secret) || EXAMPLE_USER.test(user) || RESERVED_HOST.test(host) || isReference(secret))
    return null;
  return LOOPBACK_HOST.test(host)
    ? { severity: 'LOW', note: 'The host is this machine itself.' }
    : { severity: 'HIGH' };
}

/** What an `Authorization` header carries. `Basic` is user and password in base64. */
function assessAuthorizationHeader(candidate: SecretCandidate): SecretAssessment {
  const { secret, textBeforeSecret, code, matchStart } = candidate;
  const { name } = nameAt(code, matchStart + (/^["']/.test(textBeforeSecret) ? 1 : 0));
  // `A::B::ApiKey` is a type.
  if (code.startsWith('::', matchStart - 2)) return null;
  if (!/^authorization/i.test(name) && credentialKindOf(name) === null) return null;
  const scheme = /[:\s"']([A-Za-z-]{3,12})\s{1,4}$/.exec(textBeforeSecret)?.[1];
  if (scheme?.toLowerCase() !== 'basic') return looksRandom(secret) ? { severity: 'HIGH' } : null;
  const [user, password] = splitUserPassword(decodeBase64Text(secret) ?? '');
  return password === null || isExampleCredential(user, password) ? null : { severity: 'HIGH' };
}

/** `curl -u user:password`, in one command with the word `curl`. */
function assessCurlUser({ code, matchStart, secret }: SecretCandidate): SecretAssessment {
  const before = code.slice(Math.max(0, matchStart - 800), matchStart);
  const command = before.slice(before.lastIndexOf('curl'));
  if (!command.startsWith('curl') || /(?<!\\)\r?\n/.test(command)) return null;
  const [user, password] = splitUserPassword(secret.replace(/["']/g, ''));
  return password === null || isExampleCredential(user, password) || user.startsWith('$') ? null : { severity: 'HIGH' };
}

/** Credentials where they are used: in URLs, connection strings, HTTP headers, command lines. */
export const CREDENTIALS_IN_USE_RULES: readonly SecretRule[] = [
  {
    id: 'url_password',
    issuer: null,
    secretName: 'Password in a URL or connection string',
    severity: 'HIGH',
    keywords: ['://'],
    pattern: /:\/\/[^\s:@/?#"'`<>\\]{0,100}:([^\s@/"'`<>\\]{3,200})@[\w.[${-]/y,
    assess: assessUrlPassword,
    example: 'postgres://app:{n:16}@db.acme.io/main',
  },
  {
    id: 'authorization_header',
    issuer: null,
    secretName: 'Credential in an HTTP header',
    severity: 'HIGH',
    keywords: [
      'authorization',
      'apikey',
      'api-key',
      'api-token',
      'api_key',
      'auth-token',
      'access-token',
      'private-token',
      "'token:",
      '"token:',
    ],
    pattern:
      /(?:["']?(?:authorization|api[-_]?key|(?:api|auth|access|private)-token|token)(?:["'](?:\]|[ \t]{0,4},\s{0,40}["']value["'])?[ \t]{0,4}[:,=][ \t]{0,4}["']|:[ \t]{0,4})|authorization:[ \t]{0,4}["'`](?=(?:basic|bearer|token)[ \t]))(?:[A-Za-z][A-Za-z-]{2,11}[ \t]{1,4}){0,1}([\w~+/=.@!-]{8,4000})(?=\\?["'`])/iy,
    assess: assessAuthorizationHeader,
    example: `curl -H "Authorization: Bearer {n:40}" https://api.acme.io`,
  },
  {
    id: 'authorization_line',
    issuer: null,
    secretName: 'Credential in an HTTP header',
    severity: 'HIGH',
    keywords: ['authorization:'],
    pattern:
      /(?<=(?:^|\n)[ \t>*-]{0,20})authorization:[ \t]{1,4}[A-Za-z][A-Za-z-]{2,11}[ \t]{1,4}([\w~+/=.-]{8,4000})(?=[ \t]{0,20}(?:\r?\n|$))/iy,
    assess: assessAuthorizationHeader,
    example: 'Authorization: Bearer {n:40}\n',
  },
  {
    id: 'npm_registry_credential',
    issuer: 'npm or its registry',
    secretName: 'credential',
    severity: 'HIGH',
    keywords: ['_auth', ':_password'],
    pattern:
      /:?(?<=:|(?:^|\n)[ \t]{0,8})_(?:authToken|auth|password)[ \t]{0,4}=[ \t]{0,4}["']?([\w+/=.:~-]{8,512})(?=["']?[ \t]{0,20}(?:\r?\n|$))/y,
    assess: ({ secret }) => (isExampleCredential('', secret) ? null : { severity: 'HIGH' }),
    example: '//registry.acme.io/:_password={b:20}\n',
  },
  {
    id: 'nuget_password',
    issuer: null,
    secretName: 'Password of a NuGet source',
    severity: 'HIGH',
    keywords: ['cleartextpassword"', '"password" value'],
    pattern: /(?:cleartext|")password"[ \t]{1,4}value="([^"\s<>]{4,400})"/iy,
    assess: ({ secret }) =>
      isCommonPassword(secret) || isMadeUnreadable(secret) || /^%.*%$/.test(secret) ? null : { severity: 'HIGH' },
    example: '<add key="ClearTextPassword" value="{n:16}" />',
  },
  {
    id: 'bundler_credential',
    issuer: null,
    secretName: 'Credential of a gem server',
    severity: 'HIGH',
    keywords: ['bundle_'],
    pattern:
      /BUNDLE_[A-Z0-9_]{1,60}__[A-Z0-9_]{1,40}["']?(?:=|:[ \t]{1,4})["']?([\w.@+-]{1,80}:[\w.~+/=-]{8,200})(?![\w:/])/y,
    assess: ({ secret }) => {
      const [user, password] = splitUserPassword(secret);
      return password === null || isExampleCredential(user, password) ? null : { severity: 'HIGH' };
    },
    example: 'BUNDLE_GEMS__ACME__IO: "robot:{n:20}"',
  },
  {
    id: 'netrc_password',
    issuer: null,
    secretName: 'Password of a .netrc file',
    severity: 'HIGH',
    keywords: ['password'],
    // Lines or one line: machine, login and password in this order, as programs write it.
    pattern:
      /(?<=\bmachine[ \t]{1,4}[\w.:-]{1,253}\s{1,8}login[ \t]{1,4}\S{1,100}\s{1,8})password[ \t]{1,4}(\S{4,256})(?=\s|$)/y,
    assess: ({ secret }) => (isExampleCredential('', secret) ? null : { severity: 'HIGH' }),
    example: 'machine git.acme.io login robot password {n:16}\n',
  },
  {
    id: 'curl_user',
    issuer: null,
    secretName: 'Password on a command line',
    severity: 'HIGH',
    keywords: ['--user', ' -u'],
    pattern:
      /(?:--user|\s-u)[ =]{1,4}((?:"[^"\n]{1,120}"|'[^'\n]{1,120}'|[^\s"'\n]{1,120})(?::?(?:"[^"\n]{1,120}"|'[^'\n]{1,120}'))?)/y,
    assess: assessCurlUser,
    skipsPlaceholderCheck: true,
    example: 'curl -u robot:{n:16} https://acme.io',
  },
  {
    id: 'connection_string_password',
    issuer: null,
    secretName: 'Password in a connection string',
    severity: 'HIGH',
    keywords: ['password=', 'pwd='],
    pattern: /(?:password|pwd)=([^\s;"'`<>&{}$]{4,128})(?=[;&])/iy,
    assess: (candidate) => (isCommonPassword(candidate.secret) ? null : { severity: 'HIGH' }),
    example: 'Server=db.acme.io;User Id=app;Password={n:16};',
  },
];
