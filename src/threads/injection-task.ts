import { analyseTree } from '../analysis/injection/analyse.ts';
import type { Finding } from '../analysis/injection/findings.ts';
import { detectLanguage, type Language, languageNamed } from '../analysis/injection/languages.ts';
import { findByPatterns } from '../analysis/injection/patterns.ts';
import { parseSyntax, type SyntaxTree } from './syntax-parser.ts';
import { compareSeverity, countBySeverity, type Severity, SEVERITIES } from '../analysis/severity.ts';

export interface InjectionInput {
  readonly code: string;
  /** Language as the caller named it; null: detect it. */
  readonly language: string | null;
  /** False: leaves out flows from parameters of functions, whose callers are not known. Default: true. */
  readonly parameters?: boolean;
}

export interface InjectionOutput {
  /** By severity, critical first; at most `MAX_FINDINGS`. */
  readonly findings: Finding[];
  readonly total: number;
  readonly by_severity: Record<Severity, number>;
  /** The language that was read; null if unknown. */
  readonly language: string | null;
  readonly analysis: 'syntax_tree' | 'patterns';
  /** Places that do not follow the grammar; null without a grammar. */
  readonly parse_errors: number | null;
  /** Places where a value flows into code that is not followed: another file, a class defined elsewhere. */
  readonly unfollowed: number;
  readonly gaps: string[];
}

/** A tree is reliable if it has few errors for its size, and its size fits the text. */
const NODES_PER_ERROR = 20;
const MIN_TOLERATED_ERRORS = 3;
const CHARACTERS_PER_NODE = 200;

/** Finds injections in code: by syntax tree where there is a grammar, by line patterns in other languages. */
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
  // Also right for the text as sent: the opening tag that may have been added has no line break.
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length;
  if (tree.errorCount > 0) {
    const suffix = tree.errorCount > tree.errorOffsets.length ? ' and further places' : '';
    const lines = [...new Set(tree.errorOffsets.map(lineOf))].join(', ');
    gaps.unshift(`parts of the code could not be parsed (line ${lines}${suffix}): what they hold may be missed`);
  }
  if (tree.truncatedAtOffset !== null) {
    gaps.unshift(
      `the code has too many syntax nodes: what comes after line ${lineOf(tree.truncatedAtOffset)} was left out`,
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

/** Places that are not followed, of which each gets a gap of its own. */
const MAX_NAMED_UNFOLLOWED = 5;

/** With thousands of open brackets, parsing takes long and cannot be interrupted. */
const MAX_OPEN_BRACKETS = 2000;

function hasTooManyOpenBrackets(code: string): boolean {
  let open = 0;
  for (let index = 0; index < code.length; index++) {
    const charCode = code.charCodeAt(index);
    // ( [ {
    if (charCode === 40 || charCode === 91 || charCode === 123) open += 1;
    // ) ] }
    else if (charCode === 41 || charCode === 93 || charCode === 125) open = Math.max(0, open - 1);
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

/** The tree with the fewest errors, of all grammars of the language. */
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

function rankFindings(findings: readonly Finding[]): Pick<InjectionOutput, 'findings' | 'total' | 'by_severity'> {
  const sorted = findings.toSorted((one, other) => compareSeverity(one.severity, other.severity));
  return {
    findings: sorted.slice(0, MAX_FINDINGS),
    total: findings.length,
    by_severity: countBySeverity(SEVERITIES, findings),
  };
}
