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

/** Calls by where their credential is: `name( at, at` for each kind. Of several places, the first that the call has. */
const CALL_LISTS: readonly (readonly [kind: CredentialKind, at: readonly number[], calls: string])[] = [
  [
    'password',
    [1],
    `login( basicauth( basic_auth( networkcredential( usernamepasswordcredentials( usernamepasswordcredential( auth=( auth_=( oci_connect( simple_bind_s(
    cx_oracle.connect( withcredentials( setcredentials( basicauthhandler( authenticate(`,
  ],
  ['password', [1, 0], '.auth('],
  [
    'password',
    [2],
    `getconnection( pdo( mysqli( mysqli_connect( mysql_connect( dbi->connect( createcredential( ftp( pymssql.connect( mysqldb.connect( pymysql.connect(
    psycopg2.connect( ftp_login( ssh2_auth_password( imap_open( ldap_bind( odbc_connect( ibase_connect(`,
  ],
  [
    'secret',
    [1],
    `jwt.sign( jwt.verify( jwt.encode( jwt.decode( createhmac( createcipheriv( createdecipheriv( signwith( aes.encrypt( aes.decrypt( hmacsha256( hmacsha512(
    hmacsha1(`,
  ],
  ['secret', [2], 'openssl_encrypt( openssl_decrypt( hash_hmac('],
  [
    'secret',
    [0],
    `secretkeyspec( hmac.new( cookieparser( fernet( aes.new( symmetricsecuritykey( hmac256( hmac384( hmac512( setsigningkey( signingkey(`,
  ],
  [
    'token',
    [1],
    `twilio( algoliasearch( authenticationheadervalue( credentials.new( basicawscredentials( newstaticcredentials( newstaticcredentialsprovider(
    awsbasiccredentials.create(`,
  ],
  ['token', [0], 'wallet( withauthtoken( newtokenclient( statictokensource('],
];
/** Of these, the argument counts where it is turned into characters: they have other uses. */
const CHARACTER_CALLS: readonly CallWithSecret[] = [
  { call: 'passwordauthentication(', at: [1], kind: 'password', asCharacters: true },
  { call: '.load(', at: [1], kind: 'password', asCharacters: true },
  { call: 'pbekeyspec(', at: [0], kind: 'password', asCharacters: true },
];
/** Calls that take a credential by its position. */
const CALLS: readonly CallWithSecret[] = [
  ...CALL_LISTS.flatMap(([kind, at, calls]) =>
    calls.split(/\s+/).map((call) => ({ call: call.replace('_=(', ' = ('), at, kind })),
  ),
  ...CHARACTER_CALLS,
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
