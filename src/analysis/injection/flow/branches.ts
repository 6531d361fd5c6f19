import type { Evaluator } from './evaluator.ts';
import { factsOf } from './refinements.ts';
import { keyOf } from '../ir/access-path.ts';
import type { Step } from '../ir/ir.ts';
import type { Scope, Written } from './scope.ts';
import { type Fact, KINDS, listValue, oneOf, UNKNOWN, type Value, without } from './value.ts';

export function evaluateLogic(flow: Evaluator, step: Step & { op: 'logic' }, scope: Scope): Value {
  const left = flow.evaluate(step.left, scope);
  const facts = factsOf(flow, step.left, scope);
  const both = step.operator === 'and';
  const onwards = branchWith(both ? facts.yes : facts.no, scope);
  const right = flow.evaluate(step.right, onwards);
  scope.join([branchWith(both ? facts.no : facts.yes, scope), onwards]);
  return both ? right : oneOf([left, right]);
}

export function evaluateChoice(flow: Evaluator, step: Step & { op: 'choice' }, scope: Scope): Value {
  flow.evaluate(step.test, scope);
  const facts = factsOf(flow, step.test, scope);
  const yes = branchWith(facts.yes, scope);
  const no = branchWith(facts.no, scope);
  const values = [flow.evaluate(step.yes, yes), flow.evaluate(step.no, no)];
  scope.join([yes, no]);
  return oneOf(values.filter((_, at) => [yes, no][at]!.exited === null));
}

export function evaluateEach(flow: Evaluator, step: Step & { op: 'each' }, scope: Scope): Value {
  const inner = scope.branch();
  const over = flow.evaluate(step.over, inner);
  flow.bind(step.target, flow.elementOf(over, UNKNOWN, step.over), inner);
  flow.evaluate(step.test, inner);
  const allowed = branchWith(factsOf(flow, step.test, inner).yes, inner);
  return listValue([flow.evaluate(step.body, allowed)]);
}

export function evaluateSwitch(flow: Evaluator, step: Step & { op: 'switch' }, scope: Scope): Value {
  flow.evaluate(step.subject, scope);
  const key = keyOf(step.subject);
  const branches: Scope[] = [];
  const values: Value[] = [];
  const run = (): void => {
    for (const { literal, falls, body } of step.cases) {
      const branch = branchWith(literal && key !== null ? [{ key, kinds: KINDS }] : [], scope);
      const before = branches.at(-1);
      if (falls && before?.exited === null) branch.join([scope.branch(), before]);
      values.push(flow.evaluate(body, branch));
      branches.push(branch);
    }
  };
  if (step.breaks) {
    const target = flow.jumps.withTarget('switch', scope, run);
    if (target.exitScope !== null) branches.push(target.exitScope);
    values.push(...target.values);
  } else run();
  if (step.cases.every(({ literal }) => literal)) branches.push(scope.branch());
  scope.join(branches);
  return oneOf(values);
}

/** A handler is reached from any point of the body, and what runs in the end from any point of all. */
export function evaluateTry(flow: Evaluator, step: Step & { op: 'try' }, scope: Scope): Value {
  const written: Written = new Map();
  const body = scope.branch(written);
  const values = [flow.evaluate(step.body, body)];
  const thrown = new Map(written);
  const handlers = step.handlers.map((handler) => {
    const branch = scope.branchAfter(thrown);
    const inner = branch.branch(written);
    values.push(flow.evaluate(handler.op === 'maybe' ? handler.body : handler, inner));
    const after = inner.copyUpon(scope);
    after.exited = inner.exited;
    return after;
  });
  for (const [name, value] of written) scope.addWrite(name, value);
  if (step.last.op !== 'none') flow.evaluate(step.last, scope.branchAfter(written));
  scope.join([body, ...handlers]);
  if (step.last.op !== 'none' && scope.exited === null) flow.evaluate(step.last, scope);
  return oneOf(values);
}

/** A branch in which these facts hold. */
function branchWith(facts: readonly Fact[], scope: Scope): Scope {
  const branch = scope.branch();
  for (const { key, kinds } of facts) {
    const known = branch.get(key);
    branch.set(key, known === undefined ? { ...UNKNOWN, paths: [key] } : without(known, kinds));
  }
  return branch;
}
