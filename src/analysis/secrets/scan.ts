import { entropyOf } from './entropy.ts';
import { KeywordIndex } from './keyword-index.ts';
import { mask } from './mask.ts';
import { isPlaceholder } from './placeholder.ts';
import { isPublished } from './published.ts';
import { SEVERITIES, type SecretRule, type Severity } from './rule.ts';
import { SECRET_RULES } from './rules.ts';

export interface SecretFinding {
  /** Id of the rule. */
  type: string;
  severity: Severity;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  /** The secret with all but a few characters hidden. */
  match: string;
  description: string;
  remediation: string;
}

export interface SecretScan {
  /** The worst first, then in order of the text; at most `MAX_FINDINGS`. */
  findings: SecretFinding[];
  /** Of all that was found. */
  total: number;
  by_severity: Record<Severity, number>;
}

export const MAX_FINDINGS = 200;

interface Found {
  rule: SecretRule;
  rank: number;
  start: number;
  end: number;
  severity: Severity;
  note: string | undefined;
}

type Ranked = { rule: SecretRule; rank: number };

const INDEX = new KeywordIndex<Ranked>(
  SECRET_RULES.flatMap((rule, rank) => rule.keywords.map((keyword) => [keyword, { rule, rank }] as const)),
);

/** Finds secrets in a text of any kind. Time grows with the text's length and no faster. */
export function scanSecrets({ code, language }: { code: string; language: string }): SecretScan {
  const named = language.toLowerCase();
  const found: Found[] = [];
  INDEX.search(code, ({ rule, rank }, start) => {
    const secret = tryRule(rule, code, start - (rule.lead ?? 0), named);
    if (secret !== null) found.push({ rule, rank, ...secret });
  });
  const kept = withoutOverlaps(found);
  const by_severity = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { severity } of kept) by_severity[severity]++;
  const shown = kept.toSorted((a, b) => order(a) - order(b) || a.start - b.start).slice(0, MAX_FINDINGS);
  const places = placesOf(code, shown);
  return {
    findings: shown.map((one) => present(one, code, places.get(one.start)!)),
    total: kept.length,
    by_severity,
  };
}

function order({ severity }: Found): number {
  return SEVERITIES.indexOf(severity);
}

function tryRule(rule: SecretRule, code: string, at: number, language: string): Omit<Found, 'rule' | 'rank'> | null {
  const { pattern } = rule;
  if (at < 0) return null;
  pattern.lastIndex = at;
  const match = pattern.exec(code);
  if (match === null) return null;
  const body = match[1]!;
  const bodyStart = at + match[0].lastIndexOf(body);
  const start = rule.prefixed ? at : bodyStart;
  const end = bodyStart + body.length;
  if (rule.entropy !== undefined && entropyOf(body) < rule.entropy) return null;
  if (rule.judgesPlaceholders !== true && isPlaceholder(body)) return null;
  const secret = code.slice(start, end);
  if (isPublished(secret)) return null;
  const candidate = { secret, body, opening: code.slice(at, start), code, at, language };
  const judgement = rule.judge === undefined ? { severity: rule.severity } : rule.judge(candidate);
  return judgement === null ? null : { start, end, severity: judgement.severity, note: judgement.note };
}

/** Of findings that overlap, that of the rule that stands first, then the longest. In order of the text. */
function withoutOverlaps(found: readonly Found[]): Found[] {
  const kept: Found[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || a.rank - b.rank || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else if (one.rank < last.rank) kept[kept.length - 1] = one;
  }
  return kept;
}

/** Line and column of each finding, by where it starts. */
function placesOf(code: string, found: readonly Found[]): Map<number, { line: number; column: number }> {
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

function present(
  { rule, start, end, severity, note }: Found,
  code: string,
  place: { line: number; column: number },
): SecretFinding {
  const { issuer, what } = rule;
  const title = issuer === null ? what : `${issuer} ${what}`;
  const revoke = issuer === null ? 'Replace it wherever it is used' : `Revoke it at ${issuer} and issue a new one`;
  return {
    type: rule.id,
    severity,
    ...place,
    match: mask(code.slice(start, end)),
    description: note === undefined ? `${title}.` : `${title}. ${note}`,
    remediation: `${revoke}; read it from the environment or a secret store, and remove it from the code and its history.`,
  };
}
