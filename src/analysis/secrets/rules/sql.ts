import { credentialKindOf } from '../assignment/credential-name.ts';
import { judgeNamedValue } from '../assignment/judge-value.ts';
import { readArguments } from '../assignment/read-arguments.ts';
import type { LocatedSecret, ScannedText, SecretRule } from '../secret-rule.ts';

const IDENTIFIED_BY =
  /identified[ \t]+(?:with[ \t]+\S{1,40}[ \t]+)?by[ \t]+(?:password[ \t]+)?["']([^"'\n]{3,128})["']/iy;
const ROLE_PASSWORD = /password[ \t]+'([^'\n]{3,128})'/iy;
/** Of SQL Server: the password is the last argument, or the second. */
const LOGIN_PROCEDURE =
  /sp_(?:addlinkedsrvlogin[ \t]+[^;\n]{0,200},(?=[^,;\n]*(?:;|\n|$))|addlogin[ \t]+N?'[^'\n]{1,80}',|password[ \t]+[^;\n]{0,100}?,)[ \t]*(?:@\w{1,20}[ \t]*=[ \t]*)?N?'([^'\n]{3,128})'[ \t]*(?=;|,|\r?\n|$)/iy;
const INSERT = /insert[ \t]+into[ \t]+[\w."`[\]]{1,80}\s{0,20}\(([^()]{1,800})\)\s{0,20}values\s{0,20}/iy;
const ROLE_STATEMENT = /\b(?:create|alter)\s+(?:user|role|login|database|server|user\s+mapping)\b[^;]{0,200}$/i;
const MAX_ROWS = 50;
const ROW_START = /\s{0,20},?\s{0,20}\(/y;

function judged(name: string, code: string, start: number, end: number): readonly LocatedSecret[] {
  const kind = credentialKindOf(name);
  if (kind === null) return [];
  const judgement = judgeNamedValue({
    name,
    kind,
    value: code.slice(start, end),
    isQuoted: true,
    isAssigned: true,
    textKind: 'settings',
  });
  return judgement === null ? [] : [{ id: 'sql_credential', start, end, ...judgement }];
}

function readStatement(pattern: RegExp, isOne: (code: string, at: number) => boolean) {
  return ({ code }: ScannedText, at: number): readonly LocatedSecret[] => {
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    if (found === null || !isOne(code, at)) return [];
    const start = at + found[0].lastIndexOf(found[1]!);
    return judged('password', code, start, start + found[1]!.length);
  };
}

/** `INSERT INTO t (…, password) VALUES (…, '…'), (…)`: values by the names of their columns. */
function readInsert({ code }: ScannedText, at: number): readonly LocatedSecret[] {
  INSERT.lastIndex = at;
  const found = INSERT.exec(code);
  if (found === null) return [];
  const columns = found[1]!.split(',').map((column) => column.replace(/[\s"`[\]]/g, ''));
  const wanted = columns.flatMap((name, index) => (credentialKindOf(name) === null ? [] : [{ name, index }]));
  if (wanted.length === 0) return [];
  const secrets: LocatedSecret[] = [];
  let next = at + found[0].length;
  for (let row = 0; row < MAX_ROWS; row++) {
    ROW_START.lastIndex = next;
    const open = ROW_START.exec(code);
    if (open === null) break;
    const from = next + open[0].length;
    const values = readArguments(code, from);
    for (const { name, index } of wanted) {
      const value = values[index];
      if (value !== undefined && value !== null) secrets.push(...judged(name, code, value.start, value.end));
    }
    const end = code.indexOf(')', values.at(-1)?.end ?? from);
    if (end === -1 || end - from > 2000) break;
    next = end + 1;
  }
  return secrets;
}

/** Passwords of accounts, and credentials in rows, in SQL. */
export const SQL_RULES: readonly SecretRule[] = [
  {
    id: 'sql_credential',
    issuer: null,
    secretName: 'Credential in an SQL statement',
    severity: 'HIGH',
    readers: [
      { keywords: ['identified'], read: readStatement(IDENTIFIED_BY, () => true) },
      {
        keywords: ["password '"],
        read: readStatement(ROLE_PASSWORD, (code, at) => ROLE_STATEMENT.test(code.slice(Math.max(0, at - 260), at))),
      },
      {
        keywords: ['sp_addlinkedsrvlogin', 'sp_addlogin', 'sp_password'],
        read: readStatement(LOGIN_PROCEDURE, () => true),
      },
      { keywords: ['insert into'], read: readInsert },
    ],
    example: "CREATE USER app IDENTIFIED BY '{n:9}-{d:3}';",
  },
];
