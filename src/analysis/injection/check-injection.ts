import { rankFindings, type RankedFindings } from '../finding.ts';
import { Findings, type InjectionFinding } from './findings.ts';
import { FlowAnalysis } from './flow/flow-analysis.ts';
import { detectLanguage, type Language, languageNamed } from './languages.ts';
import { findByPatterns } from './line-patterns.ts';
import { SourceText } from './source-text.ts';
import { lowerProgram } from './lowering/lower-program.ts';
import { compileRules } from './rules/compiled-rules.ts';
import type { SyntaxParser, SyntaxTree } from './syntax-tree.ts';

export interface InjectionInput {
  readonly code: string;
  /** Language named by the caller; null: detect it. */
  readonly language: string | null;
  /** False: leave out flows from parameters of functions, whose callers are not known. Default: true. */
  readonly parameters?: boolean;
}

export interface InjectionOutput extends RankedFindings<InjectionFinding> {
  /** The language that was read; null: none that is supported. */
  readonly language: string | null;
  readonly analysis: 'syntax_tree' | 'patterns';
  /** Places that do not follow the grammar; null: not parsed. */
  readonly parse_errors: number | null;
  /** Places where a value enters code that is not available: another file, a class that is not here. */
  readonly unfollowed: number;
  readonly gaps: string[];
}

/** Of the places that are not followed, so many are named. */
const MAX_NAMED_UNFOLLOWED = 5;

/**
 * Finds injections in code: in a supported language by following values through its syntax tree, else by line patterns. Says in
 * `gaps` what was not read or not followed.
 */
export async function checkInjection(
  { code, language, parameters = true }: InjectionInput,
  parse: SyntaxParser,
): Promise<InjectionOutput> {
  const known = language === null ? detectLanguage(code) : languageNamed(language);
  if (known === null) {
    const reason =
      language === null ? 'the language of the code is not clear' : 'there is no grammar here for this language';
    return checkByPatterns(code, null, null, `${reason}: it was read line by line, without following values`);
  }
  const fallback = (reason: string, parseErrors: number | null = null): InjectionOutput =>
    checkByPatterns(code, known.name, parseErrors, `${reason} line by line instead`);
  if (hasTooManyOpenBrackets(code)) return fallback('the code opens too many brackets: it was read');
  // The opening tag has no line break: line numbers are those of the code as sent.
  const text = known.openingTag?.missing.test(code) === false ? known.openingTag.text + code : code;
  const tree = await parseWithBestGrammar(text, known, parse);
  if (tree === null) return fallback('parsing took too much time or memory: the code was read');
  if (!isReliable(tree, code)) {
    return fallback(`most of the code is not ${known.name} that can be parsed: it was read`, tree.errorCount);
  }
  const { findings, gaps, unfollowed } = analyzeTree(tree, text, text.length - code.length, known, parameters);
  return {
    ...rankFindings(findings),
    language: known.name,
    analysis: 'syntax_tree',
    parse_errors: tree.errorCount,
    unfollowed: unfollowed.length,
    gaps: [...parseGaps(tree, text), ...gaps, ...unfollowedGaps(unfollowed)],
  };
}

function analyzeTree(
  { root }: SyntaxTree,
  text: string,
  start: number,
  { grammar, rules }: Language,
  parameters: boolean,
): { findings: InjectionFinding[]; gaps: string[]; unfollowed: string[] } {
  const findings = new Findings(new SourceText(text, start));
  const program = lowerProgram(root, text, grammar);
  const analysis = new FlowAnalysis(program, compileRules(rules), findings);
  analysis.run();
  const gaps: string[] = [];
  if (program.skippedNodeCount > 0) {
    gaps.push('the code is nested so deeply that its innermost parts were left out');
  }
  if (analysis.functions.isCutShort)
    gaps.push('the code has so many calls of its own functions that not all of them were followed');
  if (analysis.hasExceededLimits) gaps.push('the code has too many steps to be followed to its end');
  return { findings: findings.list(parameters), gaps, unfollowed: findings.unfollowed() };
}

function parseGaps({ errorCount, errorOffsets, truncatedAtOffset }: SyntaxTree, text: string): string[] {
  const line = (offset: number): number => text.slice(0, offset).split('\n').length;
  const gaps: string[] = [];
  if (truncatedAtOffset !== null) {
    gaps.push(`the code has too many syntax nodes: what comes after line ${line(truncatedAtOffset)} was left out`);
  }
  if (errorCount > 0) {
    const suffix = errorCount > errorOffsets.length ? ' and further places' : '';
    const lines = [...new Set(errorOffsets.map(line))].join(', ');
    gaps.push(`parts of the code could not be parsed (line ${lines}${suffix}): what they hold may be missed`);
  }
  return gaps;
}

function unfollowedGaps(unfollowed: readonly string[]): string[] {
  const named = unfollowed.slice(0, MAX_NAMED_UNFOLLOWED);
  const more = unfollowed.length - named.length;
  if (more === 0) return named;
  return [...named, `at ${more} more ${more === 1 ? 'place' : 'places'} a value enters what is not followed`];
}

/** With more brackets open at once, the time for parsing grows too fast and cannot be limited. */
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

/** The tree of the grammar with the fewest errors; null: parsing took too much time or memory. */
async function parseWithBestGrammar(
  text: string,
  { parsers, furtherParsersNeed }: Language,
  parse: SyntaxParser,
): Promise<SyntaxTree | null> {
  let best: SyntaxTree | null = null;
  for (const parser of parsers) {
    const tree = await parse(text, parser);
    if (tree !== null && (best === null || tree.errorCount < best.errorCount)) best = tree;
    if (tree === null || best?.errorCount === 0 || furtherParsersNeed?.test(text) === false) break;
  }
  return best;
}

const NODES_PER_ERROR = 20;
const MIN_TOLERATED_ERRORS = 3;
const CHARACTERS_PER_NODE = 200;

/** Whether the tree has few errors for its size, and a size that fits that of the code. */
function isReliable({ errorCount, nodeCount }: SyntaxTree, code: string): boolean {
  if (errorCount === 0) return true;
  return (
    errorCount <= MIN_TOLERATED_ERRORS + nodeCount / NODES_PER_ERROR && nodeCount >= code.length / CHARACTERS_PER_NODE
  );
}

function checkByPatterns(
  code: string,
  language: string | null,
  parseErrors: number | null,
  reason: string,
): InjectionOutput {
  const { findings, gaps } = findByPatterns(code);
  return {
    ...rankFindings(findings),
    language,
    analysis: 'patterns',
    parse_errors: parseErrors,
    unfollowed: 0,
    gaps: [reason, ...gaps],
  };
}
