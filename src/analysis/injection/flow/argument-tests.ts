import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import { INJECTION_KINDS, type InjectionKind } from '../taint.ts';
import type { Evaluator } from './evaluator.ts';
import type { Scope } from './scope.ts';
import { type CheckedPath, isTainted, isUntrusted, type Refinement, type Value } from './value.ts';

/** Where a test is evaluated. */
export interface TestContext {
  readonly evaluator: Evaluator;
  readonly scope: Scope;
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
  return [...(own === null ? [] : [own]), ...value.refines].map((path) => ({ path, kinds }));
}

export const NO_REFINEMENT: Refinement = { whenTrue: [], whenFalse: [] };
export const safeWhenTrue = (whenTrue: readonly CheckedPath[]): Refinement => ({ whenTrue, whenFalse: [] });
export const safeWhenFalse = (whenFalse: readonly CheckedPath[]): Refinement => ({ whenTrue: [], whenFalse });
export const PATH_KIND: readonly InjectionKind[] = ['path'];
/** What `element in container` implies; a text that is not found in a path counts too. */
export function refineByMembership(context: TestContext, element: IrNode, container: IrNode): Refinement {
  const held = evaluateIn(context, container);
  const sought = soughtText(context, element);
  if (sought !== null) return safeWhenFalse(traversalFreePaths(context, sought, container));
  // One element of a trusted list. That a text contains another implies nothing.
  if (isUntrusted(held) || (held.text !== null && held.elements === null)) return NO_REFINEMENT;
  return safeWhenTrue(checkedPaths(context, element, INJECTION_KINDS));
}

const SEPARATOR_NAME = /(^|\.)(sep|separator|separatorChar|PathSeparator|(?:Alt)?DirectorySeparatorChar|DIRECTORY_SEPARATOR|SEPARATOR|GetInvalidFileNameChars\(\))$/;

/** The text that a test looks for: a literal, or the separator of paths; null: it is no fixed text. */
export function soughtText(context: TestContext, node: IrNode): string | null {
  if (node.op === 'string') return node.text;
  if (node.op === 'list' || node.op === 'record') return null;
  const { constant, names } = evaluateIn(context, node);
  if (names.some((name) => SEPARATOR_NAME.test(name))) return '/';
  return node.op === 'constant' && typeof constant === 'string' ? constant : null;
}

/** A path in which `..` or `/` was not found cannot leave its folder. */
export function traversalFreePaths(context: TestContext, text: string, container: IrNode): CheckedPath[] {
  return text.includes('..') || /^[/\\]{1,3}$/.test(text) ? checkedPaths(context, container, PATH_KIND) : [];
}

/** A normalized path that begins with the folder is inside of it. A relative path that leaves the folder begins with `..`. */
export function refineByPrefix(context: TestContext, tested: IrNode, prefix: IrNode): Refinement {
  if (prefix.op === 'string' && prefix.text.startsWith('..'))
    return safeWhenFalse(checkedPaths(context, tested, PATH_KIND));
  const value = evaluateIn(context, tested);
  const inside = evaluateIn(context, prefix);
  if (!value.isNormalizedPath || isUntrusted(inside) || !endsFolder(prefix, value, inside)) return NO_REFINEMENT;
  return safeWhenTrue(checkedPaths(context, tested, PATH_KIND));
}

/** Whether the prefix ends with a separator, so that `/srv/data-old` does not begin with it; types of paths compare whole names. */
function endsFolder(prefix: IrNode, tested: Value, { text, typeName }: Value): boolean {
  if (typeName === 'Path' || tested.typeName === 'Path' || text === null) return true;
  return prefix.op === 'concat' || /[/\\\0]$/.test(text);
}

export function refineByPatternCall(
  context: TestContext,
  receiver: IrNode | null,
  args: readonly IrNode[],
  whole: boolean,
): Refinement {
  // `PATTERN.matcher(text).matches()`
  const matcher = receiver?.op === 'call' && receiver.callee.op === 'member' && receiver.callee.name === 'matcher' ? receiver : null;
  if (matcher !== null && matcher.callee.op === 'member') {
    const subject = matcher.args[0]?.value;
    const pattern = evaluateIn(context, matcher.callee.object);
    return subject === undefined ? NO_REFINEMENT : refineByPattern(context, subject, pattern, whole);
  }
  const callArguments = [...(receiver === null ? [] : [receiver]), ...args];
  const values = callArguments.map((node) => evaluateIn(context, node));
  const subject = values.findIndex(isTainted);
  if (subject === -1) return NO_REFINEMENT;
  const pattern = values.find((value, at) => at !== subject && value.text !== null && value.text.length > 1);
  return refineByPattern(context, callArguments[subject]!, pattern ?? null, whole);
}

/** A pattern makes its subject harmless where it matches the whole text and excludes arbitrary characters. */

export function refineByPattern(
  context: TestContext,
  subject: IrNode,
  pattern: Value | null,
  whole: boolean,
): Refinement {
  const refinement: Refinement = safeWhenTrue(checkedPaths(context, subject, INJECTION_KINDS));
  if (pattern === null || pattern.text === null) return refinement;
  const text = pattern.text.replace(/^r?['"]|['"]$/g, '');
  const stripped = /^([/#~@|])(.*)\1[a-z]*$/s.exec(text)?.[2] ?? text;
  const { start, end } = context.evaluator.rules.patternAnchors;
  const anchored = whole || (start.test(stripped) && end.test(stripped));
  const narrow = !/(^|[^\\])\.[*+]|\[\^|\\S|\\D|\\W/.test(stripped);
  return anchored && narrow ? refinement : NO_REFINEMENT;
}
