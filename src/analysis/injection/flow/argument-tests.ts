import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import { INJECTION_KINDS, type InjectionKind, isCertain } from '../taint.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import { patternParts } from './pattern-text.ts';
import { type CheckedPath, isTainted, isUntrusted, type Refinement, UNKNOWN_PART, type Value } from './value.ts';

/** Where a test is evaluated. */
export interface TestContext {
  readonly evaluator: Evaluator;
  readonly scope: Scope;
  /** Parameters by which a function gives a value: they have the one after its call. */
  readonly given?: ReadonlySet<string>;
}

/** The value of a node where the test is evaluated; the calls in it were evaluated just before. */
export function evaluateIn({ evaluator, scope }: TestContext, node: IrNode): Value {
  const known = node.op === 'call' ? evaluator.lastValueOf(node) : undefined;
  return known ?? evaluator.evaluate(node, scope);
}

/** The access paths that a test of this node is about. */
export function checkedPaths(context: TestContext, node: IrNode, kinds: readonly InjectionKind[]): CheckedPath[] {
  const own = accessPathOf(node);
  const value = evaluateIn(context, node);
  const checked = [...(own === null ? [] : [own]), ...value.refines].map((path) => ({ path, kinds }));
  const same = sameText(node);
  return same === null ? checked : [...checked, ...checkedPaths(context, same, kinds)];
}

/** Functions whose result has the letters of a text, in another case or without the spaces around it. */
const SAME_TEXT =
  /^(?:to_s|to_str|to_sym|intern|strip|(?:down|up)case|[tT]oString|[tT]o(?:Lower|Upper)(?:Case|Invariant)?|lower|upper|casefold|[tT]rim|TrimSpace|(?:mb_)?strto(?:lower|upper)|strval|String|str)$/;

/** The text of which the node is another form, such as `text.toLowerCase()`; null: another expression. */
function sameText(node: IrNode): IrNode | null {
  const callee = node.op === 'call' ? node.callee : node;
  if ((callee.op !== 'member' && callee.op !== 'variable') || !SAME_TEXT.test(callee.name)) return null;
  const args = node.op === 'call' ? node.args : [];
  if (args.length === 1) return args[0]!.value;
  return args.length === 0 && callee.op === 'member' ? callee.object : null;
}

export const NO_REFINEMENT: Refinement = { whenTrue: [], whenFalse: [] };
export const safeWhenTrue = (whenTrue: readonly CheckedPath[]): Refinement => ({ whenTrue, whenFalse: [] });
export const safeWhenFalse = (whenFalse: readonly CheckedPath[]): Refinement => ({ whenTrue: [], whenFalse });
export const PATH_KIND: readonly InjectionKind[] = ['path'];
export const OPTION_KIND: readonly InjectionKind[] = ['option'];
const BOTH_KINDS: readonly InjectionKind[] = ['path', 'option'];
/** What `element in container` implies; a text that is not found in a path counts too. */
export function refineByMembership(context: TestContext, element: IrNode, container: IrNode): Refinement {
  const text = searchedText(context, element);
  if (text !== null) return safeWhenFalse(traversalFreePaths(context, text, container));
  const held = evaluateIn(context, container);
  // `root in path.parents`
  if (container.op === 'member' && container.name === 'parents' && !isTainted(evaluateIn(context, element))) {
    const path = evaluateIn(context, container.object);
    return path.isNormalizedPath ? safeWhenTrue(checkedPaths(context, container.object, PATH_KIND)) : NO_REFINEMENT;
  }
  if (isUntrusted(held)) return NO_REFINEMENT;
  if (held.text !== null && held.elements === null) {
    // A part of a text has its characters alone.
    const letters = held.text.replaceAll(/[\]\\]/g, '');
    const isKnown = typeof held.constant === 'string';
    return isKnown ? safeWhenTrue(checkedPaths(context, element, excludedKinds(`[a${letters}]`))) : NO_REFINEMENT;
  }
  return safeWhenTrue(checkedPaths(context, element, INJECTION_KINDS));
}

/**
 * Equal to what is harmless for a kind: to a trusted value, `os.path.commonpath([base, full]) == base`, or to what is left of a name,
 * `path.basename(name) === name`.
 */
export function pathsOfEquals(context: TestContext, left: IrNode, right: IrNode): CheckedPath[] {
  const one = evaluateIn(context, left);
  const other = evaluateIn(context, right);
  const kindsBy = (tested: Value, { taint, escape }: Value): InjectionKind[] =>
    INJECTION_KINDS.filter((kind) => {
      const source = taint[kind];
      const isTrusted = source === undefined || !isCertain(source) || source.level === 'free';
      return isTainted(tested) && isTrusted && escape === null;
    });
  return [
    ...checkedPaths(context, left, kindsBy(one, other)),
    ...checkedPaths(context, right, kindsBy(other, one)),
  ].filter(({ kinds }) => kinds.length > 0);
}

/** Names of the separator of paths, and of sets of characters that hold it. */
const SEPARATOR_NAME =
  /(^|\.)(PathSeparator|DirectorySeparatorChar|AltDirectorySeparatorChar|separatorChar|separator|Separator|SEPARATOR|DIRECTORY_SEPARATOR|os\.sep|path\.sep|GetInvalid(FileName|Path)Chars\(\))$/;

/** The text or character that a test searches for; null: it is not known. */
export function searchedText(context: TestContext, node: IrNode): string | null {
  if (node.op === 'string') return node.text;
  if (node.op === 'constant') return /^'(.+)'$/.exec(node.text)?.[1] ?? null;
  return evaluateIn(context, node).names.some((name) => SEPARATOR_NAME.test(name)) ? '/' : null;
}

/** A path in which `..` or `/` was not found cannot leave its folder. */
export function traversalFreePaths(context: TestContext, text: string, container: IrNode): CheckedPath[] {
  const excludes = text.includes('..') || (text.includes('/') && /^[./\\:%~]+$/.test(text));
  return excludes ? checkedPaths(context, container, PATH_KIND) : [];
}

/**
 * A normalized path that begins with the folder and a separator is inside of it. A relative path that leaves the folder begins
 * with `..`. `contains`: the test finds the text anywhere.
 */
export function refineByPrefix(context: TestContext, tested: IrNode, prefix: IrNode, contains: boolean): Refinement {
  const value = evaluateIn(context, tested);
  if (prefix.op === 'string' && prefix.text.startsWith('..')) {
    return contains || value.isNormalizedPath ? safeWhenFalse(checkedPaths(context, tested, PATH_KIND)) : NO_REFINEMENT;
  }
  const text = contains ? null : searchedText(context, prefix);
  if (text === '-') return safeWhenFalse(checkedPaths(context, tested, OPTION_KIND));
  const inside = evaluateIn(context, prefix);
  if (inside.taint.path !== undefined) return NO_REFINEMENT;
  const isInside = value.isNormalizedPath && !isHalfName(value, inside);
  const isNoOption = !contains && inside.text !== null && /^[^-]/.test(inside.text);
  if (!isInside && !isNoOption) return NO_REFINEMENT;
  return safeWhenTrue(checkedPaths(context, tested, isInside ? (isNoOption ? BOTH_KINDS : PATH_KIND) : OPTION_KIND));
}

/** Calls that give a path as a text; others of its type compare it name by name. */
const TEXT_OF_PATH = /(getCanonicalPath|getAbsolutePath|getPath|toString)\(\)$/;

/** Whether the folder has no separator at its end, so that `/srv/files-old` begins with it as well. */
function isHalfName({ names, typeName }: Value, prefix: Value): boolean {
  const { text, typeName: prefixType, names: prefixNames, isNormalizedPath } = prefix;
  // What joins names leaves no separator at the end.
  if (!isNormalizedPath && (text === null || text === '' || text.endsWith(UNKNOWN_PART))) return false;
  if (text !== null && /[\\/]$/.test(text)) return false;
  const isPath = typeName === 'Path' || prefixType === 'Path' || prefixNames.some((name) => PATH_OBJECT.test(name));
  return !isPath || names.some((name) => TEXT_OF_PATH.test(name));
}

const PATH_OBJECT = /(^|\.)(Paths\.get|Path\.of|toRealPath|normalize|toPath|toAbsolutePath)\(\)$/;

/** A test by a pattern: a function, or a method of the text, of the pattern, or of a matcher of both. */
export function refineByPatternCall(
  context: TestContext,
  receiver: IrNode | null,
  args: readonly IrNode[],
  whole: boolean,
  isSearch = false,
): Refinement {
  const operands = [...(receiver === null ? [] : matcherOperands(receiver)), ...args];
  const values = operands.map((node) => evaluateIn(context, node));
  // A module that is not imported is tainted as a free variable.
  const certain = values.findIndex(isUntrusted);
  const subject = certain === -1 ? values.findIndex(isTainted) : certain;
  if (subject === -1) return NO_REFINEMENT;
  const pattern = values.find((value, at) => at !== subject && value.text !== null && value.text.length > 1);
  return refineByPattern(context, operands[subject]!, pattern ?? null, whole, isSearch);
}

/** What `search` needs, which finds a pattern anywhere. */
const STARTS_ANCHORED = /^\(?(?:\?\w+\))?(?:\^|\\A)/;

/** `PATTERN.matcher(text)`: the pattern and the text. */
function matcherOperands(node: IrNode): IrNode[] {
  if (
    node.op !== 'call' ||
    node.callee.op !== 'member' ||
    !/^(?:matcher|asMatchPredicate|asPredicate)$/.test(node.callee.name)
  )
    return [node];
  return [node.callee.object, ...node.args.map(({ value }) => value)];
}

/**
 * A pattern makes its subject harmless where it matches the whole text and excludes arbitrary characters, or where it does not
 * match and would have found what does harm.
 */
export function refineByPattern(
  context: TestContext,
  subject: IrNode,
  pattern: Value | null,
  whole: boolean,
  isSearch = false,
): Refinement {
  const matching = checkedPaths(context, subject, INJECTION_KINDS);
  if (pattern === null || pattern.text === null) return safeWhenTrue(matching);
  const { body: stripped, flags } = patternParts(pattern.text);
  const { rules } = context.evaluator;
  // In the mode of several lines, anchors match at each line.
  const isMultiline = flags.includes('m') && rules.patternAnchors.start.test('^');
  const isFound = isSearch && !STARTS_ANCHORED.test(stripped);
  const anchored = whole || (isAnchored(rules, stripped) && !isMultiline && !isFound);
  if (anchored && isNarrow(stripped)) return safeWhenTrue(checkedPaths(context, subject, excludedKinds(stripped)));
  if (whole || rules.patternAnchors.start.test(stripped)) {
    if (BEGINS_WITHOUT_DASH.test(stripped)) return safeWhenTrue(checkedPaths(context, subject, OPTION_KIND));
    if (FINDS_DASH.test(stripped)) return safeWhenFalse(checkedPaths(context, subject, OPTION_KIND));
  }
  if (whole || anchored) return NO_REFINEMENT;
  if (FINDS_ALL_BUT_NAMES.test(stripped)) return safeWhenFalse(matching);
  return FINDS_TRAVERSAL.test(stripped) ? safeWhenFalse(checkedPaths(context, subject, PATH_KIND)) : NO_REFINEMENT;
}

function isAnchored({ patternAnchors }: CompiledRules, pattern: string): boolean {
  // `^a|b$` is anchored at one side of each alternative.
  return patternAnchors.start.test(pattern) && patternAnchors.end.test(pattern) && !hasOpenAlternative(pattern);
}

/** Whether the pattern has alternatives outside of all groups, of which one is not anchored at both ends. */
function hasOpenAlternative(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\.|\[\^?\]?(?:\\.|[^\]])*\]/g, 'x');
  let outside = plain;
  for (let inner = ''; inner !== outside; ) {
    inner = outside;
    outside = inner.replaceAll(/\([^()]*\)/g, 'x');
  }
  const alternatives = outside.split('|');
  return alternatives.length > 1 && !alternatives.every((one) => one.startsWith('^') && one.endsWith('$'));
}

/** Whether the pattern has no place for arbitrary characters. */
export function isNarrow(pattern: string): boolean {
  return !/(^|[^\\])\.[*+{]|\[\^|\\S|\\D|\\W/.test(pattern);
}

/** The kinds of harm for which no class of characters of a narrow pattern has what they need. */
export function excludedKinds(pattern: string): readonly InjectionKind[] {
  const classes = pattern.match(/\[(?!\^)(?:[^\]\\]|\\.)*\]/g) ?? [];
  const needed: Record<InjectionKind, RegExp> = {
    sql: /'/,
    command: /[;|&$`<>]/,
    path: /\..*\/|\/.*\./,
    option: /(?!)/,
  };
  return INJECTION_KINDS.filter((kind) => !classes.some((letters) => needed[kind].test(letters)));
}

/** Whether a text that matches the whole pattern is harmless. */
export function isHarmlessMatch(rules: CompiledRules, index: Value): boolean {
  const { body } = patternParts(index.text ?? '');
  return body.length > 1 && isAnchored(rules, body) && isNarrow(body);
}

/** `text[/[a-z]+/]` in Ruby: the part that matches; whether that is harmless. */
export function isHarmlessPart(rules: CompiledRules, { syntax }: IrNode, index: Value): boolean {
  if (isHarmlessMatch(rules, index)) return true;
  if (syntax.type !== 'regex' || index.text === null) return false;
  const { body } = patternParts(index.text);
  return isNarrow(body) && excludedKinds(body).length === INJECTION_KINDS.length;
}

/** Begins with a letter, digit or one of a class without `-`. */
const BEGINS_WITHOUT_DASH =
  /^\(?(?:\^|\\A)\(?(?:\?:)?(?:[\w/]|\\[wd]|\[(?!\^)(?:[^\]\\-]|\w-\w|\\[wd./])+\](?![*?]))(?![*?])/;
const FINDS_DASH = /^(?:\^|\\A)-/;
/** Finds any character that is not part of a name. */
const FINDS_ALL_BUT_NAMES = /^(?:\[\^(?:a-z|A-Z|0-9|\\w|\\d|\\?[-_.:@, ])+\]|\\W)[+*]?$/;
/** Finds a separator, or two dots. */
const FINDS_TRAVERSAL = /^\^?\(?[^)]*(?:\[(?!\^)[^\]]*\/|\\\.\\\.|\\\.\{2)/;
