import type { CredentialKind } from '../assignment/credential-name.ts';
import { judgeNamedValue } from '../assignment/judge-value.ts';
import { readArguments } from '../assignment/read-arguments.ts';
import type { LocatedSecret, ScannedText, SecretReader, SecretRule } from '../secret-rule.ts';

interface CallWithSecret {
  /** Lower case, up to and with the `(`. */
  call: string;
  /** Which argument is the secret, from 0; of several, the first that the call has. */
  at: readonly number[];
  kind: CredentialKind;
  /** Only where that argument is turned into characters: the call has other uses. */
  asCharacters?: true;
}

/** Calls that take a credential by its position. */
const CALLS: readonly CallWithSecret[] = [
  ...[
    'login(',
    'basicauth(',
    'basic_auth(',
    'networkcredential(',
    'usernamepasswordcredentials(',
    'auth=(',
    'auth = (',
  ].map((call) => ({ call, at: [1], kind: 'password' as const })),
  ...['.auth('].map((call) => ({ call, at: [1, 0], kind: 'password' as const })),
  ...[
    'getconnection(',
    'pdo(',
    'mysqli(',
    'mysqli_connect(',
    'mysql_connect(',
    'dbi->connect(',
    'oci_connect(',
    'createcredential(',
    'ftp(',
    'pymssql.connect(',
    'mysqldb.connect(',
    'psycopg2.connect(',
  ].map((call) => ({ call, at: [2], kind: 'password' as const })),
  ...['passwordauthentication(', '.load('].map((call) => ({
    call,
    at: [1],
    kind: 'password' as const,
    asCharacters: true as const,
  })),
  { call: 'pbekeyspec(', at: [0], kind: 'password', asCharacters: true },
  ...['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode(', 'createhmac(', 'createcipheriv('].map((call) => ({
    call,
    at: [1],
    kind: 'secret' as const,
  })),
  ...['secretkeyspec(', 'hmac.new(', 'cookieparser(', 'fernet(', 'aes.new(', 'symmetricsecuritykey('].map((call) => ({
    call,
    at: [0],
    kind: 'secret' as const,
  })),
  { call: 'algoliasearch(', at: [1], kind: 'token' },
  { call: 'twilio(', at: [1], kind: 'token' },
];
const BY_NAME = new Map(CALLS.map((one) => [one.call, one]));
const CALL_NAME = /[\w.>-]{1,30} ?=? ?\(/y;

function readCall({ code, kind: textKind }: ScannedText, at: number): readonly LocatedSecret[] {
  CALL_NAME.lastIndex = at;
  const text = CALL_NAME.exec(code)?.[0];
  const call = text === undefined ? undefined : BY_NAME.get(text.toLowerCase());
  if (call === undefined || text === undefined) return [];
  const given = readArguments(code, at + text.length);
  const index = call.at.find((one) => one < given.length);
  const argument = index === undefined ? undefined : given[index];
  if (argument === undefined || argument === null || (call.asCharacters && !argument.isCharacters)) return [];
  const { start, end } = argument;
  const judgement = judgeNamedValue({
    name: call.call,
    kind: call.kind,
    value: code.slice(start, end),
    isQuoted: true,
    isAssigned: true,
    textKind: textKind === 'translation' ? textKind : 'code',
  });
  return judgement === null ? [] : [{ id: 'credential_argument', start, end, ...judgement }];
}

const reader: SecretReader = { keywords: CALLS.map(({ call }) => call), read: readCall };

/** Credentials that a call is given by position, without a name. */
export const CALL_RULES: readonly SecretRule[] = [
  {
    id: 'credential_argument',
    issuer: null,
    secretName: 'Credential as an argument of a call',
    severity: 'HIGH',
    readers: [reader],
    example: 'smtp.login("mailer@acme.io", "{n:9}-{d:4}")',
  },
];
