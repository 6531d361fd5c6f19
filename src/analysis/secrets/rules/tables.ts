import { type CredentialKind, credentialKindOf } from '../assignment/credential-name.ts';
import { judgeNamedValue } from '../assignment/judge-value.ts';
import type { LocatedSecret, ScannedText, SecretRule } from '../secret-rule.ts';

const MAX_ROWS = 200;
const MAX_HEADER_LENGTH = 300;
const MAX_LINE_LENGTH = 2000;
const SEPARATORS = ['|', '\t', ';', ','];
const MAX_CELL_NAME = 40;

interface Cell {
  text: string;
  start: number;
}

/** Rows below a header that names a column of passwords: tables of Markdown, CSV. */
function readTable({ code, kind, readUpTo }: ScannedText, at: number): readonly LocatedSecret[] {
  if (kind === 'code' || kind === 'translation' || kind === 'shell') return [];
  const lineStart = lineStartBefore(code, at);
  if (lineStart === null) return [];
  const header = lineAt(code, lineStart);
  if (header === null || /[=(){}:]/.test(header)) return [];
  const separator = SEPARATORS.find((one) => header.split(one).length >= 3);
  if (separator === undefined) return [];
  const names = cellsOf(header, 0, separator).map(({ text }) => text);
  if (names.some((name) => name.length > MAX_CELL_NAME)) return [];
  const wanted = names.flatMap((name, index) => {
    const found = credentialKindOf(name);
    return found === null ? [] : [{ name, index, kind: found }];
  });
  // Only once for each header.
  if (wanted.length === 0 || lineStart < (readUpTo.get('table') ?? 0)) return [];
  readUpTo.set('table', lineStart + header.length);
  return readRows(code, lineStart + header.length + 1, { separator, width: names.length, wanted });
}

function readRows(
  code: string,
  from: number,
  table: { separator: string; width: number; wanted: readonly { name: string; index: number; kind: CredentialKind }[] },
): LocatedSecret[] {
  const found: LocatedSecret[] = [];
  let at = from;
  for (let row = 0; row < MAX_ROWS; row++) {
    const line = lineAt(code, at);
    if (line === null || line.trim() === '') break;
    const cells = cellsOf(line, at, table.separator);
    if (cells.length !== table.width) break;
    for (const { name, index, kind } of table.wanted) {
      const { text: value, start } = cells[index]!;
      const judgement = judgeNamedValue({ name, kind, value, isQuoted: true, isAssigned: true, textKind: 'settings' });
      if (judgement !== null) found.push({ id: 'credential_in_table', start, end: start + value.length, ...judgement });
    }
    at += line.length + 1;
  }
  return found;
}

/** Null: the line began too far before. */
function lineStartBefore(code: string, at: number): number | null {
  const from = Math.max(0, at - MAX_HEADER_LENGTH);
  const found = code.slice(from, at).lastIndexOf('\n');
  if (found !== -1) return from + found + 1;
  return from === 0 ? 0 : null;
}

/** Null at the end of the text, and for a line that is too long for a table. */
function lineAt(code: string, start: number): string | null {
  if (start >= code.length) return null;
  const text = code.slice(start, start + MAX_LINE_LENGTH + 1);
  const end = text.indexOf('\n');
  if (end === -1) return text.length > MAX_LINE_LENGTH ? null : text;
  return text.slice(0, end);
}

function cellsOf(line: string, at: number, separator: string): Cell[] {
  const cells: Cell[] = [];
  let start = 0;
  for (const part of line.split(separator)) {
    const text = part.trim().replace(/^["'`*]+|["'`*]+$/g, '');
    cells.push({ text, start: at + start + Math.max(0, part.indexOf(text)) });
    start += part.length + 1;
  }
  return cells;
}

export const TABLE_RULES: readonly SecretRule[] = [
  {
    id: 'credential_in_table',
    issuer: null,
    secretName: 'Credential in a table',
    severity: 'HIGH',
    readers: [
      { keywords: ['password', 'passwort', 'passwd', 'secret', 'api key', 'api_key', 'token'], read: readTable },
    ],
    example: 'host,user,password\ndb.acme.io,app,{n:9}-{d:3}\n',
  },
];
