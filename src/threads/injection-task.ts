import { analyseTree } from '../analysis/injection/analyse.ts';
import type { Finding, Severity } from '../analysis/injection/findings.ts';
import { detectLanguage, type Language, languageNamed } from '../analysis/injection/languages.ts';
import { findByPatterns } from '../analysis/injection/line-patterns.ts';
import { parseSyntax, type SyntaxTree } from './syntax-parser.ts';

export interface InjectionInput {
  readonly code: string;
  /** As the caller says; null: to be found out. */
  readonly language: string | null;
  /** False: flows from parameters of functions, whose callers are not known, are left out. Default: true. */
  readonly parameters?: boolean;
}

export interface InjectionOutput {
  /** The worst first, at most `LISTED`. */
  readonly findings: Finding[];
  readonly total: number;
  readonly by_severity: Record<Severity, number>;
  /** The language that was read; null where none here is known. */
  readonly language: string | null;
  readonly analysis: 'syntax_tree' | 'patterns';
  /** Places that do not follow the grammar; null without a grammar. */
  readonly parse_errors: number | null;
  /** Places where a value enters what is not followed: another file, a class that is not here. */
  readonly unfollowed: number;
  readonly gaps: string[];
}

/** A tree is relied on where it has few errors for its size, and its size fits that of the text. */
const NODES_PER_ERROR = 20;
const MIN_TOLERATED_ERRORS = 3;
const CHARACTERS_PER_NODE = 200;

/** Finds injections in code: by syntax tree in a language that is read here, line by line in others. */
export async function checkInjection({ code, language, parameters = true }: InjectionInput): Promise<InjectionOutput> {
  const named = language === null ? null : languageNamed(language);
  const known = named ?? (language === null ? detectLanguage(code) : null);
  if (known === null) {
    const why =
      language === null
        ? 'the language of the code is not clear: it was read line by line, without following values'
        : 'there is no grammar here for this language: it was read line by line, without following values';
    return checkByPatterns(code, null, null, why);
  }
  if (hasTooManyOpenBrackets(code)) {
    return checkByPatterns(
      code,
      known.name,
      null,
      'the code opens too many brackets: it was read line by line instead',
    );
  }
  const { text, tree } = await parseWithBestGrammar(code, known);
  if (tree === null) {
    return checkByPatterns(
      code,
      known.name,
      null,
      'parsing took too much time or memory: the code was read line by line instead',
    );
  }
  if (!isReliable(tree, code)) {
    const why = `most of the code is not ${known.name} that can be parsed: it was read line by line instead`;
    return checkByPatterns(code, known.name, tree.errorCount, why);
  }
  const { findings, gaps, unfollowed } = analyseTree(tree.root, text, known, parameters);
  gaps.push(...unfollowed.slice(0, MAX_NAMED_UNFOLLOWED).map(({ says }) => says));
  const more = unfollowed.length - MAX_NAMED_UNFOLLOWED;
  if (more > 0) gaps.push(`at ${more} more ${more === 1 ? 'place' : 'places'} a value enters what is not followed`);
  // Of the text as it was sent, which may lack the opening.
  const line = (at: number): number => text.slice(0, at).split('\n').length;
  if (tree.errorCount > 0) {
    const more = tree.errorCount > tree.errorOffsets.length ? ' and further places' : '';
    const lines = [...new Set(tree.errorOffsets.map(line))].join(', ');
    gaps.unshift(`parts of the code could not be parsed (line ${lines}${more}): what they hold may be missed`);
  }
  if (tree.truncatedAtOffset !== null) {
    gaps.unshift(
      `the code has too many syntax nodes: what comes after line ${line(tree.truncatedAtOffset)} was left out`,
    );
  }
  return {
    ...rankFindings(findings),
    language: known.name,
    analysis: 'syntax_tree',
    parse_errors: tree.errorCount,
    unfollowed: unfollowed.length,
    gaps,
  };
}

/** So many places where a value goes out of sight are named. */
const MAX_NAMED_UNFOLLOWED = 5;

/** Where brackets stay open by the thousand, parsing takes time that nothing can cut short. */
const MAX_OPEN_BRACKETS = 2000;

function hasTooManyOpenBrackets(code: string): boolean {
  let open = 0;
  for (let at = 0; at < code.length; at++) {
    const unit = code.charCodeAt(at);
    // ( [ {
    if (unit === 40 || unit === 91 || unit === 123) open += 1;
    // ) ] }
    else if (unit === 41 || unit === 93 || unit === 125) open = Math.max(0, open - 1);
    if (open > MAX_OPEN_BRACKETS) return true;
  }
  return false;
}

function isReliable({ errorCount, nodeCount }: SyntaxTree, code: string): boolean {
  if (errorCount === 0) return true;
  return (
    errorCount <= MIN_TOLERATED_ERRORS + nodeCount / NODES_PER_ERROR && nodeCount >= code.length / CHARACTERS_PER_NODE
  );
}

/** The tree by the grammar that fits best. */
async function parseWithBestGrammar(
  code: string,
  { parsers, opening }: Language,
): Promise<{ text: string; tree: SyntaxTree | null }> {
  const text = opening?.missing.test(code) === false ? opening.text + code : code;
  let best: SyntaxTree | null = null;
  for (const parser of parsers) {
    const tree = await parseSyntax(text, parser);
    if (tree !== null && (best === null || tree.errorCount < best.errorCount)) best = tree;
    if (tree === null || best?.errorCount === 0) break;
  }
  return { text, tree: best };
}

function checkByPatterns(
  code: string,
  language: string | null,
  parseErrors: number | null,
  why: string,
): InjectionOutput {
  const { findings, gaps } = findByPatterns(code);
  return {
    ...rankFindings(findings),
    language,
    analysis: 'patterns',
    parse_errors: parseErrors,
    unfollowed: 0,
    gaps: [why, ...gaps],
  };
}

const MAX_FINDINGS = 200;
const SEVERITY_ORDER: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

function rankFindings(findings: readonly Finding[]): Pick<InjectionOutput, 'findings' | 'total' | 'by_severity'> {
  const by_severity = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const { severity } of findings) by_severity[severity] += 1;
  const sorted = SEVERITY_ORDER.flatMap((wanted) => findings.filter(({ severity }) => severity === wanted));
  return { findings: sorted.slice(0, MAX_FINDINGS), total: findings.length, by_severity };
}
