import { shannonEntropy } from './entropy.ts';
import { KeywordIndex } from './keyword-index.ts';
import { maskSecret } from './mask-secret.ts';
import { isPlaceholder } from './placeholder.ts';
import { withoutPairedIds } from './paired-ids.ts';
import { isKnownTestSecret } from './known-test-secrets.ts';
import type { LocatedSecret, PatternRule, ScannedText, SecretReader, SecretRule } from './secret-rule.ts';
import { SECRET_RULES } from './secret-rules.ts';
import { isExampleText, textKindOf } from './text-kind.ts';
import { type CodeFinding, rankFindings, type RankedFindings } from '../finding.ts';
import type { Severity } from '../severity.ts';

interface SecretMatch {
  rule: SecretRule;
  rank: number;
  start: number;
  end: number;
  severity: Severity;
  note: string | undefined;
}

type Ranked = { rule: PatternRule; rank: number } | { reader: SecretReader };

const RANKS = new Map(SECRET_RULES.map((rule, rank) => [rule.id, { rule, rank }]));
const READERS = [...new Set(SECRET_RULES.flatMap((rule) => ('readers' in rule ? rule.readers : [])))];
const FILE_READERS = READERS.flatMap(({ readFile }) => (readFile === undefined ? [] : [readFile]));
const KEYWORD_INDEX = new KeywordIndex<Ranked>([
  ...SECRET_RULES.flatMap((rule, rank) =>
    'pattern' in rule ? rule.keywords.map((keyword): [string, Ranked] => [keyword, { rule, rank }]) : [],
  ),
  ...READERS.flatMap((reader) => reader.keywords.map((keyword): [string, Ranked] => [keyword, { reader }])),
]);

export interface SecretScanInput {
  code: string;
  language: string;
  /** Of the file, with `/`; what is read as settings, translation or documentation depends on it. */
  path?: string;
}

/** Finds secrets in a text of any kind. Time grows with the text's length and no faster. */
export function scanSecrets({ code, language, path = '' }: SecretScanInput): RankedFindings<CodeFinding> {
  const named = language.toLowerCase();
  const kind = textKindOf({ code, language: named, path });
  const text: ScannedText = {
    code,
    language: named,
    path,
    kind,
    isExample: isExampleText(path, kind),
    readUpTo: new Map(),
  };
  const found = FILE_READERS.flatMap((readFile) => readFile(text).map(toMatch));
  KEYWORD_INDEX.search(code, (owner, start) => {
    if ('reader' in owner) {
      for (const secret of owner.reader.read(text, start))
        if (!isKnownTestSecret(code.slice(secret.start, secret.end))) found.push(toMatch(secret));
      return;
    }
    const { rule, rank } = owner;
    const secret = applyRule(rule, code, start - (rule.leadLength ?? 0), named);
    if (secret !== null) found.push({ rule, rank, ...secret });
  });
  const { findings, ...counts } = rankFindings(withoutPairedIds(withoutOverlaps(found)));
  const positions = findPositions(code, findings);
  return { findings: findings.map((one) => toSecretFinding(one, code, positions.get(one.start)!)), ...counts };
}

function toMatch({ id, start, end, severity, note }: LocatedSecret): SecretMatch {
  return { ...RANKS.get(id)!, start, end, severity, note };
}

function applyRule(
  rule: PatternRule,
  code: string,
  at: number,
  language: string,
): Omit<SecretMatch, 'rule' | 'rank'> | null {
  const { pattern } = rule;
  if (at < 0 || rule.mayBeginAt?.(code, at) === false) return null;
  pattern.lastIndex = at;
  const match = pattern.exec(code);
  if (match === null) return null;
  const body = match[1]!;
  const bodyStart = at + match[0].lastIndexOf(body);
  const start = rule.includesPrefix ? at : bodyStart;
  const end = bodyStart + body.length;
  if (rule.minEntropy !== undefined && shannonEntropy(body) < rule.minEntropy) return null;
  if (rule.skipsPlaceholderCheck !== true && isPlaceholder(body)) return null;
  const secret = code.slice(start, end);
  if (isKnownTestSecret(secret)) return null;
  const candidate = { secret, body, textBeforeSecret: code.slice(at, start), code, matchStart: at, language };
  const judgement = rule.assess === undefined ? { severity: rule.severity } : rule.assess(candidate);
  return judgement === null ? null : { start, end, severity: judgement.severity, note: judgement.note };
}

/** Of findings that overlap, that of the first rule, then the longest. In order of the text. */
function withoutOverlaps(found: readonly SecretMatch[]): SecretMatch[] {
  const kept: SecretMatch[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else if (one.rank < last.rank) kept[kept.length - 1] = one;
  }
  return kept;
}

/** Line and column of each finding, by where it starts. */
function findPositions(code: string, found: readonly SecretMatch[]): Map<number, { line: number; column: number }> {
  const places = new Map<number, { line: number; column: number }>();
  let line = 1;
  let lineStart = 0;
  for (const { start } of found.toSorted((a, b) => a.start - b.start)) {
    for (let end = code.indexOf('\n', lineStart); end !== -1 && end < start; end = code.indexOf('\n', lineStart)) {
      line++;
      lineStart = end + 1;
    }
    places.set(start, { line, column: start - lineStart + 1 });
  }
  return places;
}

/** Up to where a private key ends; without its last line, up to where its letters end. */
const PEM_REST = /[^]{0,20000}?-----END [A-Z0-9 ]{1,40}-----|(?:[A-Za-z0-9+/=\r\n]|\\n)*/y;

/** Of a private key only the beginning was matched. */
function wholeEnd(code: string, start: number, end: number): number {
  if (!code.startsWith('-----BEGIN ', start)) return end;
  PEM_REST.lastIndex = end;
  return end + PEM_REST.exec(code)![0].length;
}

function toSecretFinding(
  { rule, start, end, severity, note }: SecretMatch,
  code: string,
  place: { line: number; column: number },
): CodeFinding {
  const { issuer, secretName } = rule;
  const title = issuer === null ? secretName : `${issuer} ${secretName}`;
  const revoke = issuer === null ? 'Replace it wherever it is used' : `Revoke it at ${issuer} and issue a new one`;
  return {
    id: rule.id,
    severity,
    ...place,
    length: wholeEnd(code, start, end) - start,
    evidence: maskSecret(code.slice(start, end)),
    description: note === undefined ? `${title}.` : `${title}. ${note}`,
    remediation: `${revoke}; read it from the environment or a secret store, and remove it from the code and its history.`,
  };
}
