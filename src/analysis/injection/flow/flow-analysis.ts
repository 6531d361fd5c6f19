import {
  evaluateConditional,
  evaluateComprehension,
  evaluateLogical,
  evaluateSwitch,
  evaluateTry,
} from './branches.ts';
import { evaluateIndex, evaluateMember, evaluateVariable, storedValue } from './accesses.ts';
import { evaluateCall } from './calls.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Evaluator, ParameterSource } from './evaluator.ts';
import { refinementOf } from './refinements.ts';
import type { Findings } from '../findings.ts';
import { withoutNumericArguments } from './format-strings.ts';
import { JumpTracker } from './jumps.ts';
import { accessPathOf } from '../ir/access-path.ts';
import { parameterValue } from './parameters.ts';
import type { IrFunction, IrNode, IrNodeOf, IrProgram } from '../ir/ir.ts';
import { Scope } from './scope.ts';
import { reportTaintedAssignment } from './sinks.ts';
import {
  appendValues,
  concatWithQuotes,
  isTainted,
  concatValues,
  listValue,
  literalValue,
  mergeValues,
  recordValue,
  UNKNOWN,
  type Value,
} from './value.ts';
import { mergeTaints } from '../taint.ts';
import { memberOf, moduleValue } from './source-values.ts';

/** Evaluated nodes and copied names after which the analysis stops. */
const MAX_STEPS = 1_500_000;
/** Functions inside functions. */
const MAX_FUNCTION_NESTING = 60;
/** How many calls deep functions of the same code are followed. */
const MAX_CALL_DEPTH = 3;

/** Follows values through a program from sources to sinks: an abstract interpreter of the intermediate representation. */
export class FlowAnalysis implements Evaluator {
  readonly rules: CompiledRules;
  readonly program: IrProgram;
  readonly findings: Findings;
  readonly jumps = new JumpTracker();
  readonly top = new Scope(null);
  readonly #activeFunctions: IrFunction[] = [];
  /** The scopes of the functions that are being evaluated. */
  readonly #functionScopes: Scope[] = [];
  #isInLoop = false;
  #steps = 0;
  #isTooNested = false;
  #callDepth = 0;
  /** Fields that methods set to request data. */
  #sharedFieldCount = 0;

  constructor(program: IrProgram, rules: CompiledRules, findings: Findings) {
    this.program = program;
    this.rules = rules;
    this.findings = findings;
  }

  run(): void {
    this.evaluate(this.program.body, this.top);
    // Methods that read such a field may come before the one that sets it.
    if (this.#sharedFieldCount > 0) this.evaluate(this.program.body, this.top);
  }

  /** True where the program was too long or too nested to be evaluated to its end. */
  get hasExceededLimits(): boolean {
    return this.#steps >= MAX_STEPS || this.#isTooNested;
  }

  evaluate(node: IrNode, scope: Scope): Value {
    this.#steps += 1;
    if (this.#steps >= MAX_STEPS) return UNKNOWN;
    switch (node.op) {
      case 'empty':
        return UNKNOWN;
      case 'string':
      case 'constant':
        return literalValue(node.text);
      case 'variable':
        return evaluateVariable(this, node, scope);
      case 'member':
        return evaluateMember(this, node, scope);
      case 'index':
        return evaluateIndex(this, node, scope);
      case 'call':
        return storedValue(node, scope) ?? evaluateCall(this, node, scope);
      case 'concat':
        return this.#evaluateConcat(node, scope);
      case 'list':
        return listValue(node.elements.map((item) => this.evaluate(item, scope)));
      case 'record':
        return recordValue(node.entries.map(({ key, value }) => [key, this.evaluate(value, scope)] as const));
      case 'coalesce':
        return mergeValues(node.parts.map((part) => this.evaluate(part, scope)));
      case 'compare':
        this.evaluate(node.left, scope);
        this.evaluate(node.right, scope);
        return UNKNOWN;
      case 'not':
        this.evaluate(node.value, scope);
        return UNKNOWN;
      case 'logical':
        return evaluateLogical(this, node, scope);
      case 'conditional':
        return evaluateConditional(this, node, scope);
      case 'comprehension':
        return evaluateComprehension(this, node, scope);
      case 'assign':
        return this.#evaluateAssignment(node, scope);
      case 'function':
        return this.#declareFunction(node, scope);
      case 'class': {
        const inner = scope.branch();
        const before = this.#sharedFieldCount;
        const value = this.evaluate(node.body, inner);
        return this.#sharedFieldCount === before ? value : this.evaluate(node.body, inner);
      }
      case 'block': {
        let value = UNKNOWN;
        for (const part of node.statements) value = this.evaluate(part, scope);
        return value;
      }
      case 'loop':
        return this.#evaluateLoop(node, scope);
      case 'switch':
        return evaluateSwitch(this, node, scope);
      case 'handler': {
        const inner = scope.branch();
        this.evaluate(node.body, inner);
        scope.join([scope.branch(), inner]);
        return UNKNOWN;
      }
      case 'try':
        return evaluateTry(this, node, scope);
      case 'jump': {
        const value = this.evaluate(node.value, scope);
        if (scope.exited !== null) return value;
        this.#steps += this.jumps.record(node, value, scope);
        scope.exited = node.jump === 'return' ? 'function' : 'block';
        return value;
      }
      case 'import':
        for (const [local, origin] of node.names) scope.set(local, moduleValue(this.rules, origin));
        return UNKNOWN;
    }
  }

  #evaluateConcat({ parts, isFormat }: IrNodeOf<'concat'>, scope: Scope): Value {
    const values = parts.map((part) => this.evaluate(part, scope));
    const [format, value] = values;
    if (format === undefined || value === undefined || !isFormat) return concatTextsOrLists(values);
    // `'... %d' % value` or `% (value, value)`.
    return concatValues([format, ...withoutNumericArguments(format, value.elements ?? [value])]);
  }

  #evaluateAssignment(node: IrNodeOf<'assign'>, scope: Scope): Value {
    const assigned = this.evaluate(node.value, scope);
    const refinement = isTest(node.value) ? refinementOf(this, node.value, scope) : null;
    const value =
      refinement !== null && refinement.whenTrue.length + refinement.whenFalse.length > 0
        ? { ...assigned, refinement }
        : assigned;
    if (node.how === 'set') {
      // A field that is declared without a value keeps the value that a method set.
      if (node.value.op === 'empty' && node.target.op === 'variable' && scope.hasOwn(node.target.name)) return value;
      this.#setField(node, value, scope);
      this.bind(node.target, node.type === null ? value : { ...value, typeName: node.type }, scope);
      return value;
    }
    const before = this.evaluate(node.target, scope);
    const after = node.how === 'append' ? appendValues(before, [value]) : mergeValues([before, value]);
    this.bind(node.target, after, scope);
    return after;
  }

  /** An assignment to a name that the function does not declare sets a field, where the language allows to omit `this`. */
  #setField({ target, type }: IrNodeOf<'assign'>, value: Value, scope: Scope): void {
    const base = this.#functionScopes.at(-1);
    if (!this.program.implicitThis || type !== null || target.op !== 'variable' || base === undefined) return;
    if (!scope.hasBetween(target.name, base)) scope.set(`this.${target.name}`, { ...value, fromSource: false });
  }

  bind(target: IrNode, value: Value, scope: Scope): void {
    switch (target.op) {
      case 'variable':
        scope.set(target.name, value.fromSource ? { ...value, fromSource: false } : value);
        return;
      case 'list':
        for (const [index, item] of target.elements.entries()) {
          const part = value.elements?.[index] ?? (value.elements === null ? value : UNKNOWN);
          this.bind(item, part, scope);
        }
        return;
      case 'record':
        for (const { key, value: inner } of target.entries) {
          this.bind(inner, key === null ? value : memberOf(this.rules, value, key, inner), scope);
        }
        return;
      case 'member':
      case 'index': {
        const object = this.evaluate(target.object, scope);
        if (target.op === 'member') reportTaintedAssignment(this, target, object, value);
        const path = accessPathOf(target);
        if (path !== null) scope.set(path, { ...value, fromSource: false });
        else if (isTainted(value) && target.op === 'index') {
          this.bind(target.object, { ...object, taint: mergeTaints([object.taint, value.taint]) }, scope);
        }
        return;
      }
      default:
        this.evaluate(target, scope);
    }
  }

  #declareFunction(node: IrFunction, scope: Scope): Value {
    const value: Value = { ...UNKNOWN, fn: node, isDeclared: true };
    if (node.name !== null && scope.get(node.name) === undefined) scope.set(node.name, value);
    this.evaluateFunction(node, 'parameter', scope);
    return value;
  }

  evaluateFunction(fn: IrFunction, source: ParameterSource, scope: Scope): Value {
    if (this.#activeFunctions.includes(fn)) return UNKNOWN;
    if (this.#activeFunctions.length >= MAX_FUNCTION_NESTING) {
      this.#isTooNested = true;
      return UNKNOWN;
    }
    const inner = scope.branch();
    this.#activeFunctions.push(fn);
    for (const [index, parameter] of fn.parameters.entries()) {
      const value =
        typeof source === 'string' ? parameterValue(this, fn, parameter, index, source) : (source[index] ?? UNKNOWN);
      this.bind(parameter.target, value, inner);
    }
    this.#functionScopes.push(inner);
    const { exitScope, values } = this.jumps.withTarget('function', scope, () => this.evaluate(fn.body, inner));
    this.#functionScopes.pop();
    this.#activeFunctions.pop();
    for (const state of [inner, exitScope]) {
      if (state === null) continue;
      if (typeof source !== 'string') scope.mergeWrites(state);
      this.#sharedFieldCount += scope.shareFields(state);
    }
    return values.length === 0 ? UNKNOWN : mergeValues(values);
  }

  guardRecursion<Result>(fn: IrFunction, read: () => Result): Result | null {
    if (this.#activeFunctions.includes(fn)) return null;
    this.#activeFunctions.push(fn);
    const result = read();
    this.#activeFunctions.pop();
    return result;
  }

  followCall(fn: IrFunction, args: readonly Value[]): Value | null {
    if (this.#callDepth >= MAX_CALL_DEPTH || this.#steps > MAX_STEPS / 2) return null;
    this.#callDepth += 1;
    const result = this.evaluateFunction(fn, args, this.top.branch());
    this.#callDepth -= 1;
    return result;
  }

  #evaluateLoop(node: IrNodeOf<'loop'>, scope: Scope): Value {
    const inner = scope.branch();
    // Two rounds, so that values of one iteration reach the next; nested loops would multiply them.
    const rounds = this.#isInLoop ? 1 : 2;
    const isOutermost = !this.#isInLoop;
    const { exitScope } = this.jumps.withTarget('loop', scope, (target) => {
      for (let round = 0; round < rounds && inner.exited !== 'function'; round++) {
        this.#isInLoop = true;
        inner.exited = null;
        for (const part of node.statements) this.evaluate(part, inner);
        if (target.nextScope !== null) inner.join([inner.copyOnto(scope), target.nextScope]);
      }
    });
    if (isOutermost) this.#isInLoop = false;
    inner.exited = null;
    scope.join([scope.branch(), inner, ...(exitScope === null ? [] : [exitScope])]);
    return UNKNOWN;
  }
}

/** `+` also concatenates lists. */
function concatTextsOrLists(values: readonly Value[]): Value {
  return values[0]?.elements == null
    ? concatWithQuotes(values)
    : listValue(values.flatMap((value) => value.elements ?? [value]));
}

function isTest({ op }: IrNode): boolean {
  return op === 'compare' || op === 'not' || op === 'call' || op === 'logical' || op === 'index';
}
