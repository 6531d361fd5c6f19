import { type IrNode, type IrNodeOf, isLiteral } from '../ir/ir.ts';
import { INJECTION_KINDS } from '../taint.ts';
import { checkedPaths, refineByPattern } from './argument-tests.ts';
import { binaryResult, truthOf } from './constants.ts';
import type { Evaluator } from './evaluator.ts';
import { iterated } from './iteration.ts';
import { mergeValues } from './merge-values.ts';
import { commonPaths } from './own-tests.ts';
import { refinementOf } from './refinements.ts';
import type { Scope, WrittenValues } from './scope.ts';
import { type CheckedPath, isUntrusted, listValue, UNKNOWN, type Value } from './value.ts';

export function evaluateLogical(evaluator: Evaluator, node: IrNodeOf<'logical'>, scope: Scope): Value {
  const left = evaluator.evaluate(node.left, scope);
  const { whenTrue, whenFalse } = refinementOf(evaluator, node.left, scope);
  const isAnd = node.operator === 'and';
  const truth = truthOf(left);
  // The right operand is not reached, or it is the value.
  if (truth === !isAnd) return left;
  const evaluated = scope.branch(isAnd ? whenTrue : whenFalse);
  const right = evaluator.evaluate(node.right, evaluated);
  if (truth === isAnd || (isAnd && evaluated.exited !== null && isAnswer(node.left))) {
    scope.join([evaluated]);
    return right;
  }
  scope.join([scope.branch(isAnd ? whenFalse : whenTrue), evaluated]);
  // `x && false` is false, whatever x is.
  if (truthOf(right) === !isAnd) return right;
  return isAnd ? { ...right, constant: undefined } : mergeValues([left, right]);
}

/** Methods that answer a request and give something that is true: `render(...) and return`. */
const ANSWER = /^(?:render|redirect\w*|head|respond\w*|send_\w+|json)$/;

function isAnswer(node: IrNode): boolean {
  return (
    node.op === 'call' &&
    (node.callee.op === 'variable' || node.callee.op === 'member') &&
    ANSWER.test(node.callee.name)
  );
}

export function evaluateConditional(evaluator: Evaluator, node: IrNodeOf<'conditional'>, scope: Scope): Value {
  const truth = truthOf(evaluator.evaluate(node.test, scope));
  // The other branch never runs.
  if (truth !== undefined) return evaluator.evaluate(truth ? node.whenTrue : node.whenFalse, scope);
  const refinement = refinementOf(evaluator, node.test, scope);
  const branches = [scope.branch(refinement.whenTrue), scope.branch(refinement.whenFalse)] as const;
  const values = [evaluator.evaluate(node.whenTrue, branches[0]), evaluator.evaluate(node.whenFalse, branches[1])];
  scope.join(branches);
  return mergeValues(values.filter((_, index) => branches[index]!.exited === null));
}

export function evaluateComprehension(evaluator: Evaluator, node: IrNodeOf<'comprehension'>, scope: Scope): Value {
  const inner = scope.branch();
  const over = evaluator.evaluate(node.over, inner);
  evaluator.bind(node.target, iterated(evaluator, over, node.over, inner), inner);
  evaluator.evaluate(node.test, inner);
  const selected = inner.branch(refinementOf(evaluator, node.test, inner).whenTrue);
  return listValue([evaluator.evaluate(node.body, selected)]);
}

export function evaluateSwitch(evaluator: Evaluator, node: IrNodeOf<'switch'>, scope: Scope): Value {
  const subject = evaluator.evaluate(node.subject, scope);
  const chosen = chosenCase(evaluator, node, subject, scope);
  const branches: Scope[] = [];
  const values: Value[] = [];
  const evaluateCases = (): void => {
    for (const [index, { labels, fallsThrough, body }] of node.cases.entries()) {
      if (chosen !== null) {
        // Before the case that is chosen none runs, after it those into which it falls.
        const isNext = fallsThrough && branches.at(-1)?.exited === null;
        if (index < chosen || (index > chosen && !isNext)) continue;
      }
      const branch = scope.branch(checkedByLabels(evaluator, node.subject, labels, scope));
      const previous = branches.at(-1);
      if (fallsThrough && previous?.exited === null) branch.join([scope.branch(), previous]);
      values.push(evaluator.evaluate(body, branch));
      branches.push(branch);
    }
  };
  if (node.breaks) {
    const target = evaluator.jumps.withTarget('switch', scope, evaluateCases);
    if (target.exitScope !== null) branches.push(target.exitScope);
    values.push(...target.values);
  } else evaluateCases();
  // Without a default, no case may run.
  if (chosen === null && node.cases.every(({ isLiteral }) => isLiteral)) branches.push(scope.branch());
  scope.join(branches);
  return mergeValues(values);
}

/** What is harmless in a case: where the subject is one of its labels, of their type, or matches their pattern. */
function checkedByLabels(
  evaluator: Evaluator,
  subject: IrNode,
  labels: readonly IrNode[],
  scope: Scope,
): readonly CheckedPath[] {
  const context = { evaluator, scope };
  const checked = labels.flatMap(labelsOf).map((label): readonly CheckedPath[] => {
    if (isPattern(label)) return refineByPattern(context, subject, evaluator.evaluate(label, scope), false).whenTrue;
    const isType = label.op === 'variable' && evaluator.program.callsByName && NUMBER_TYPE.test(label.name);
    const isList = label.op === 'spread' && !isUntrusted(evaluator.evaluate(label, scope));
    return isLiteral(label) || isType || isList ? checkedPaths(context, subject, INJECTION_KINDS) : [];
  });
  return checked.length === 0 ? [] : checked.reduce(commonPaths);
}

/** Types of Ruby whose values hold no free text. */
const NUMBER_TYPE = /^(?:Integer|Float|Numeric|Rational|BigDecimal|Date|Time|DateTime|TrueClass|FalseClass|NilClass)$/;

function isPattern({ op, syntax }: IrNode): boolean {
  return op === 'string' && syntax.type === 'regex';
}

function labelsOf(label: IrNode): readonly IrNode[] {
  if (label.op === 'block' && label.statements.length > 0) return label.statements.flatMap(labelsOf);
  return label.op === 'list' && label.elements.length > 0 ? label.elements.flatMap(labelsOf) : [label];
}

/** The index of the case that a known subject chooses; null: not known. */
function chosenCase(evaluator: Evaluator, { cases }: IrNodeOf<'switch'>, subject: Value, scope: Scope): number | null {
  if (subject.constant === undefined) return null;
  let byDefault: number | null = null;
  for (const [index, { labels, isLiteral }] of cases.entries()) {
    const [only] = labels;
    if (only === undefined || (only.op === 'variable' && only.name === '_')) byDefault = index;
    else if (!isLiteral || labels.flatMap(labelsOf).some(isPattern)) return null;
    if (byDefault === index) continue;
    for (const label of labels) {
      const outcomes = labelsOf(label).map((literal) =>
        truthOf(binaryResult('==', subject, evaluator.evaluate(literal, scope), false)),
      );
      if (outcomes.includes(true)) return index;
      if (outcomes.includes(undefined)) return null;
    }
  }
  return byDefault;
}

/** An exception may be thrown anywhere in the body: a handler starts with any value that was written there, `finally` as well. */
export function evaluateTry(evaluator: Evaluator, node: IrNodeOf<'try'>, scope: Scope): Value {
  const writes: WrittenValues = { names: new Map(), objects: new Map() };
  const body = scope.recordingBranch(writes);
  const values: Value[] = [];
  const { values: thrown } = evaluator.jumps.withTarget('try', scope, () => {
    values.push(evaluator.evaluate(node.body, body));
  });
  const exception = thrown.length === 0 ? null : mergeValues(thrown);
  // Before the exception a path may not have been tested: it is read again from the source.
  const written = [...writes.names].filter(([name, { names }]) => names[0] !== name || scope.get(name) !== undefined);
  const bodyWrites: WrittenValues = { names: new Map(written), objects: new Map(writes.objects) };
  const handlers = node.handlers.map((handler) => {
    const inner = scope.branchWithWrites(bodyWrites).recordingBranch(writes);
    if (handler.op === 'handler' && handler.parameter !== null) {
      evaluator.bind(handler.parameter, exception ?? { ...UNKNOWN, unfollowed: handler.parameter.syntax }, inner, true);
    }
    values.push(evaluator.evaluate(handler.op === 'handler' ? handler.body : handler, inner));
    const after = inner.copyOnto(scope);
    after.exited = inner.exited;
    return after;
  });
  scope.addWrites(writes);
  const hasFinalizer = node.finalizer.op !== 'empty';
  if (hasFinalizer) evaluator.evaluate(node.finalizer, scope.branchWithWrites(writes));
  scope.join([body, ...handlers]);
  if (hasFinalizer && scope.exited === null) evaluator.evaluate(node.finalizer, scope);
  return mergeValues(values);
}
