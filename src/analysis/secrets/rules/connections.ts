import { judgeSettingsPassword, judgeUserPassword, readPattern } from '../read-pattern.ts';
import type { LocatedSecret, ScannedText, SecretRule } from '../secret-rule.ts';

/** `user:password@tcp(host)`, the source names of Go's drivers: the password stands before the keyword. */
function readGoSourceName({ code }: ScannedText, at: number): readonly LocatedSecret[] {
  const before = code.slice(Math.max(0, at - 160), at);
  const found = /(?:^|["'`=\s])([\w.-]{1,40}):([^\s:"'`/]{3,100})$/.exec(before);
  if (
    found === null ||
    judgeUserPassword(`${found[1]}:${found[2]}`) === null ||
    judgeSettingsPassword(found[2]!) === null
  )
    return [];
  return [{ id: 'go_source_name_password', start: at - found[2]!.length, end: at, severity: 'HIGH' }];
}

/** Passwords in addresses that are no URLs: of databases, of mail relays. */
export const CONNECTION_RULES: readonly SecretRule[] = [
  {
    id: 'mail_relay_password',
    issuer: null,
    secretName: 'Password of a mail relay',
    severity: 'HIGH',
    readers: [
      readPattern(
        'mail_relay_password',
        [']:587', ']:465', ']:25', ']:2525'],
        /\]:\d{2,5}[ \t]{1,20}[^\s:]{1,120}:(\S{4,200})(?=[ \t]*(?:\r?\n|$))/y,
        judgeSettingsPassword,
      ),
    ],
    example: '[smtp.acme.io]:587 relay@acme.io:{n:9}-{d:3}\n',
  },
  {
    id: 'oracle_password',
    issuer: null,
    secretName: 'Password in a connection string',
    severity: 'HIGH',
    readers: [
      readPattern(
        'oracle_password',
        ['jdbc:oracle:'],
        /jdbc:oracle:(?:thin|oci8?):[\w$]{1,60}\/([^\s@"'/]{3,100})@/y,
        judgeSettingsPassword,
      ),
    ],
    example: 'jdbc:oracle:thin:app/{n:9}_{d:3}@//db.acme.io:1521/main',
  },
  {
    id: 'go_source_name_password',
    issuer: null,
    secretName: 'Password in a connection string',
    severity: 'HIGH',
    readers: [{ keywords: ['@tcp(', '@unix(', '@(localhost', '@protocol('], read: readGoSourceName }],
    example: 'app:{n:12}-{d:3}@tcp(db.acme.io:3306)/main',
  },
];
