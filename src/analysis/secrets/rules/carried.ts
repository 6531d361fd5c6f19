import { decodeBase64 } from '../base64.ts';
import { looksRandom } from '../entropy.ts';
import { isHarmless } from '../harmless-name.ts';
import { isCommonWord, isPlaceholder } from '../placeholder.ts';
import type { Candidate, Judgement, SecretRule } from '../rule.ts';

/** Names that nobody can own (RFC 2606). */
const RESERVED = /^@(?:[\w-]{1,63}\.){0,8}(?:example(?:\.(?:com|org|net))?|test|invalid)(?![\w.-])/i;
const THIS_MACHINE = /^@(?:localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(?![\w.])/i;
const MAX_HOST = 260;

function urlPassword({ code, at, secret }: Candidate): Judgement {
  const colon = code.indexOf(':', at + 3);
  const user = code.slice(at + 3, colon);
  const host = code.slice(colon + 1 + secret.length, colon + 1 + secret.length + MAX_HOST);
  if (isCommonWord(secret) || secret === user || /^(?:user|username|usr|u)$/i.test(user)) return null;
  if (isPlaceholder(user) || RESERVED.test(host)) return null;
  return THIS_MACHINE.test(host) ? { severity: 'low', note: 'The host is this machine itself.' } : { severity: 'high' };
}

/** What an `Authorization` header carries. `Basic` is user and password in base64. */
function headerValue(candidate: Candidate): Judgement {
  const { secret, opening } = candidate;
  if (isHarmless(candidate)) return null;
  const scheme = /[:\s"']([A-Za-z-]{3,12})\s{1,4}$/.exec(opening)?.[1];
  if (scheme?.toLowerCase() !== 'basic') return looksRandom(secret) ? { severity: 'high' } : null;
  const [user, password] = pairOf(decodeBase64(secret) ?? '');
  return password === null || isExample(user, password) ? null : { severity: 'high' };
}

function pairOf(text: string): [user: string, password: string | null] {
  const colon = text.indexOf(':');
  return colon === -1 ? [text, null] : [text.slice(0, colon), text.slice(colon + 1)];
}

function isExample(user: string, password: string): boolean {
  if (password === '') return user === '' || isPlaceholder(user);
  return user === password || isCommonWord(password) || isPlaceholder(password) || isPlaceholder(user);
}

/** `curl -u user:password`, in one command with the word `curl`. */
function curlUser({ code, at, secret }: Candidate): Judgement {
  const before = code.slice(Math.max(0, at - 800), at);
  const command = before.slice(before.lastIndexOf('curl'));
  if (!command.startsWith('curl') || /(?<!\\)\r?\n/.test(command)) return null;
  const [user, password] = pairOf(secret.replace(/["']/g, ''));
  return password === null || isExample(user, password) || user.startsWith('$') ? null : { severity: 'high' };
}

/** Credentials where they are used: in URLs, connection strings, HTTP headers, command lines. */
export const CARRIED: readonly SecretRule[] = [
  {
    id: 'url_password',
    issuer: null,
    what: 'Password in a URL or connection string',
    severity: 'high',
    keywords: ['://'],
    pattern: /:\/\/[^\s:@/?#"'`<>\\]{0,100}:([^\s@/?#"'`<>\\]{3,200})@[\w.[${-]/y,
    judge: urlPassword,
    example: 'postgres://app:{n:16}@db.acme.io/main',
  },
  {
    id: 'authorization_header',
    issuer: null,
    what: 'Credential in an HTTP header',
    severity: 'high',
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
      /["']?(?:authorization|api[-_]?key|(?:api|auth|access|private)-token|token)(?:["'][ \t]{0,4}[:,=][ \t]{0,4}["']|:[ \t]{0,4})(?:[A-Za-z][A-Za-z-]{2,11}[ \t]{1,4}){0,1}([\w~+/=.@!-]{8,4000})(?=\\?["'`])/iy,
    judge: headerValue,
    example: `curl -H "Authorization: Bearer {n:40}" https://api.acme.io`,
  },
  {
    id: 'authorization_line',
    issuer: null,
    what: 'Credential in an HTTP header',
    severity: 'high',
    keywords: ['authorization:'],
    pattern:
      /(?<=(?:^|\n)[ \t>*-]{0,20})authorization:[ \t]{1,4}[A-Za-z][A-Za-z-]{2,11}[ \t]{1,4}([\w~+/=.-]{8,4000})(?=[ \t]{0,20}(?:\r?\n|$))/iy,
    judge: headerValue,
    example: 'Authorization: Bearer {n:40}\n',
  },
  {
    id: 'npm_registry_credential',
    issuer: 'npm or its registry',
    what: 'credential',
    severity: 'high',
    keywords: [':_auth', ':_password'],
    pattern:
      /:_(?:authToken|auth|password)[ \t]{0,4}=[ \t]{0,4}["']?([\w+/=.:~-]{8,512})(?=["']?[ \t]{0,20}(?:\r?\n|$))/y,
    judge: ({ secret }) => (isExample('', secret) ? null : { severity: 'high' }),
    example: '//registry.acme.io/:_password={b:20}\n',
  },
  {
    id: 'nuget_password',
    issuer: null,
    what: 'Password of a NuGet source',
    severity: 'high',
    keywords: ['cleartextpassword"', '"password" value'],
    pattern: /(?:cleartext|")password"[ \t]{1,4}value="([^"\s<>]{4,400})"/iy,
    judge: ({ secret }) => (isCommonWord(secret) || /^%.*%$/.test(secret) ? null : { severity: 'high' }),
    example: '<add key="ClearTextPassword" value="{n:16}" />',
  },
  {
    id: 'bundler_credential',
    issuer: null,
    what: 'Credential of a gem server',
    severity: 'high',
    keywords: ['bundle_'],
    pattern:
      /BUNDLE_[A-Z0-9_]{1,60}__[A-Z0-9_]{1,40}["']?(?:=|:[ \t]{1,4})["']?([\w.@+-]{1,80}:[\w.~+/=-]{8,200})(?![\w:/])/y,
    judge: ({ secret }) => {
      const [user, password] = pairOf(secret);
      return password === null || isExample(user, password) ? null : { severity: 'high' };
    },
    example: 'BUNDLE_GEMS__ACME__IO: "robot:{n:20}"',
  },
  {
    id: 'curl_user',
    issuer: null,
    what: 'Password on a command line',
    severity: 'high',
    keywords: ['--user', ' -u'],
    pattern:
      /(?:--user|\s-u)[ =]{1,4}((?:"[^"\n]{1,120}"|'[^'\n]{1,120}'|[^\s"'\n]{1,120})(?::?(?:"[^"\n]{1,120}"|'[^'\n]{1,120}'))?)/y,
    judge: curlUser,
    judgesPlaceholders: true,
    example: 'curl -u robot:{n:16} https://acme.io',
  },
  {
    id: 'connection_string_password',
    issuer: null,
    what: 'Password in a connection string',
    severity: 'high',
    keywords: ['password=', 'pwd='],
    pattern: /(?:password|pwd)=([^\s;"'`<>&{}$]{4,128})(?=;|&)/iy,
    judge: (candidate) => (isCommonWord(candidate.secret) ? null : { severity: 'high' }),
    example: 'Server=db.acme.io;User Id=app;Password={n:16};',
  },
];
