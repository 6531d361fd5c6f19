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

/** The value of a node where the test is evaluated. */
export function evaluateIn({ evaluator, scope }: TestContext, node: IrNode): Value {
  return evaluator.evaluate(node, scope);
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
  if (element.op === 'string') return safeWhenFalse(traversalFreePaths(context, element.text, container));
  // One element of a trusted list. That a text contains another implies nothing.
  if (isUntrusted(held) || (held.text !== null && held.elements === null)) return NO_REFINEMENT;
  return safeWhenTrue(checkedPaths(context, element, INJECTION_KINDS));
}

/** A path in which `..` or `/` was not found cannot leave its folder. */
export function traversalFreePaths(context: TestContext, text: string, container: IrNode): CheckedPath[] {
  return text.includes('..') || text === '/' ? checkedPaths(context, container, PATH_KIND) : [];
}

/** A normalized path that begins with the folder is inside of it. A relative path that leaves the folder begins with `..`. */
export function refineByPrefix(context: TestContext, tested: IrNode, prefix: IrNode): Refinement {
  if (prefix.op === 'string' && prefix.text.startsWith('..'))
    return safeWhenFalse(checkedPaths(context, tested, PATH_KIND));
  const value = evaluateIn(context, tested);
  const inside = evaluateIn(context, prefix);
  if (!value.isNormalizedPath || inside.taint.path !== undefined) return NO_REFINEMENT;
  return safeWhenTrue(checkedPaths(context, tested, PATH_KIND));
}

export function refineByPatternCall(
  context: TestContext,
  receiver: IrNode | null,
  args: readonly IrNode[],
  whole: boolean,
): Refinement {
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
