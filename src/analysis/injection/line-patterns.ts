import { Findings, type InjectionFinding } from './findings.ts';
import { REMEDIATION } from './rules/common.ts';
import { SourceText } from './source-text.ts';
import type { InjectionKind } from './taint.ts';

/** Longer lines are cut. */
const MAX_LINE_LENGTH = 2000;
const MAX_LINES = 100_000;

interface Pattern {
  readonly kind: InjectionKind;
  /** Must be in the line for the pattern to be tried: cheap. */
  readonly needs: RegExp;
  readonly finds: RegExp;
  readonly description: string;
  readonly remediation: string;
}

const VALUE = String.raw`[A-Za-z_$@&*][\w.$\[\]()>:-]{0,80}`;
const SQL_STATEMENT = String.raw`(?:select\s[^"'\x60]{0,300}\bfrom\b|insert\s+into\b|update\s[^"'\x60]{1,80}\bset\b|delete\s+from\b)`;
/** In the middle of a text: `$name`, `${name}`, `#{name}`, `\(name)`, `{name}` of a format. */
const INSERTED = String.raw`(?:\$\{[^}"]{1,80}\}|\$[A-Za-z_]\w{0,60}|#\{[^}"]{1,80}\}|\\\([^)"]{1,80}\))`;

const LINE_PATTERNS: readonly Pattern[] = [
  {
    kind: 'sql',
    needs: /select|insert|update|delete/i,
    finds: new RegExp(
      String.raw`["'\x60]\s{0,8}${SQL_STATEMENT}[^"\x60]{0,300}["'\x60]\s{0,8}(?:\+|\.\.|\|\||<<|&|\.)\s{0,8}${VALUE}`,
      'i',
    ),
    description: 'A statement is put together from a text and a value.',
    remediation: REMEDIATION.sql('use the placeholders of the database library.'),
  },
  {
    kind: 'sql',
    needs: /select|insert|update|delete/i,
    finds: new RegExp(String.raw`["\x60]\s{0,8}${SQL_STATEMENT}[^"\x60]{0,300}${INSERTED}`, 'i'),
    description: 'A value is inserted into the text of a statement.',
    remediation: REMEDIATION.sql('use the placeholders of the database library.'),
  },
  {
    kind: 'sql',
    needs: /format|sprintf|%/i,
    finds: new RegExp(
      String.raw`\b(?:format!?|sprintf|String\.format|swprintf|snprintf)\s{0,4}\(\s{0,4}[^"']{0,80}["']\s{0,8}${SQL_STATEMENT}[^"]{0,300}(?:%s|\{\w{0,40}\})`,
      'i',
    ),
    description: 'A value is formatted into the text of a statement.',
    remediation: REMEDIATION.sql('use the placeholders of the database library.'),
  },
  {
    kind: 'command',
    needs: /system|popen|exec|shell|Command|Process|sh\b/,
    finds: new RegExp(
      String.raw`\b(?:system|popen|shell_exec|execSync|exec|qx|os\.execute|io\.popen|Runtime\.getRuntime\(\)\.exec|ShellExecute)\s{0,4}\(\s{0,4}(?:["'\x60][^"'\x60\n]{0,300}(?:${INSERTED}|["'\x60]\s{0,8}(?:\+|\.\.|\.|&|<<)\s{0,8}${VALUE}))`,
    ),
    description: 'A command is put together from a text and a value.',
    remediation: REMEDIATION.command('hand over the program and its arguments one by one.'),
  },
  {
    kind: 'command',
    needs: /sh|cmd|powershell/,
    finds: new RegExp(
      String.raw`["'](?:/bin/)?(?:sh|bash|zsh|cmd|cmd\.exe|powershell)["'].{0,40}["'](?:-c|/c|/C|-Command)["'].{0,30}(?:${INSERTED}|format!?\s{0,4}\(|["']\s{0,8}(?:\+|\.\.)\s{0,8}${VALUE})`,
    ),
    description: 'A shell is handed a command with a value in it.',
    remediation: REMEDIATION.command('hand over the program and its arguments one by one.'),
  },
  {
    kind: 'path',
    needs: /param|request|req\b|query|input|argv|header|cookie/i,
    finds: new RegExp(
      String.raw`\b(?:open|fopen|read_to_string|readFile\w{0,10}|File|File\.open|File\.new|FileInputStream|ReadAllText|io\.open|ifstream|contentsOfFile:?|fromFile)\s{0,4}\(\s{0,4}[^;\n]{0,120}(?:\b(?:request|req|params?|query|input|argv|cookies?|headers?)(?:\.|\[|\(|->)[\w"'\[\]().:>-]{1,60})`,
      'i',
    ),
    description: 'A file is opened by a name that was sent.',
    remediation: REMEDIATION.path('refuse names with separators or "..".'),
  },
];

const COMMENT = /^\s{0,200}(?:\/\/|#(?!\{)|--|\*|;|%|')/;

export interface PatternResult {
  readonly findings: InjectionFinding[];
  readonly gaps: string[];
}

/** Findings line by line, for languages without a grammar. The patterns are strict: they rather miss than report wrongly. */
export function findByPatterns(code: string): PatternResult {
  const findings = new Findings(new SourceText(code));
  const gaps = new Set<string>();
  let start = 0;
  for (let count = 0; start <= code.length; count++) {
    if (count === MAX_LINES) {
      gaps.add(`only the first ${MAX_LINES.toLocaleString('en')} lines were read`);
      break;
    }
    const newline = code.indexOf('\n', start);
    const end = newline === -1 ? code.length : newline;
    if (end - start > MAX_LINE_LENGTH)
      gaps.add(`of lines longer than ${MAX_LINE_LENGTH.toLocaleString('en')} characters, only so much was read`);
    const line = code.slice(start, Math.min(end, start + MAX_LINE_LENGTH));
    if (!COMMENT.test(line)) {
      for (const { kind, needs, finds, description, remediation } of LINE_PATTERNS) {
        if (!needs.test(line)) continue;
        const found = finds.exec(line);
        if (found === null) continue;
        const span = { start: start + found.index, end: start + found.index + found[0].length };
        findings.addPattern({ kind, span, description, remediation });
      }
    }
    start = end + 1;
  }
  return { findings: findings.list(), gaps: [...gaps] };
}
