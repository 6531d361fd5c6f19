import type { Findings } from '../findings.ts';
import type { IrCall, IrFunction, IrNode, IrNodeOf, IrProgram } from '../ir/ir.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import { evaluateIndex, evaluateMember, evaluateVariable, storedValue } from './accesses.ts';
import { bindTarget, evaluateAssignment } from './assignments.ts';
import {
  evaluateComprehension,
  evaluateConditional,
  evaluateLogical,
  evaluateSwitch,
  evaluateTry,
} from './branches.ts';
import type { RouteSchemas } from './call-types.ts';
import { evaluateCall } from './calls.ts';
import { binaryResult, concatConstant, truthOf, writtenConstant } from './constants.ts';
import { evaluateResolver } from './declared-inputs.ts';
import { markCheckedElements } from './element-tests.ts';
import type { Evaluator } from './evaluator.ts';
import { formatted } from './format-strings.ts';
import { CalledFunctions } from './functions.ts';
import { HandedValues } from './handed-values.ts';
import { iterated } from './iteration.ts';
import { concatWithQuotes } from './join-values.ts';
import { JumpTracker } from './jumps.ts';
import { mergeValues, recordValue, withAnyField } from './merge-values.ts';
import { textOf } from './object-methods.ts';
import { Objects } from './objects.ts';
import { asReturned } from './returned-tests.ts';
import { routeSchemas } from './route-schemas.ts';
import { Scope } from './scope.ts';
import { elementOf, moduleValue } from './source-values.ts';
import { constantValue, isTainted, listValue, literalValue, UNKNOWN, type Value, withIdentity } from './value.ts';

/** Evaluated nodes and copied names after which the analysis stops. */
const MAX_STEPS = 1_500_000;

/** A loop over so many elements that are written there is evaluated for each of them. */
const MAX_WRITTEN = 12;

/** Follows values through a program from sources to sinks: an abstract interpreter of the intermediate representation. */
export class FlowAnalysis implements Evaluator {
  readonly rules: CompiledRules;
  readonly program: IrProgram;
  readonly findings: Findings;
  readonly jumps = new JumpTracker();
  readonly top = new Scope(null);
  readonly functions = new CalledFunctions(this);
  readonly objects: Objects;
  readonly handed: HandedValues;
  /** Of each call, the value that it had last. */
  readonly #callValues = new Map<IrCall, Value>();
  /** Calls that no taint entered when they were evaluated last. */
  readonly #harmlessCalls = new Set<IrCall>();
  /** By name, functions that are evaluated where a route says what it lets through to them. */
  readonly #waitingHandlers = new Map<string, { readonly fn: IrFunction; readonly scope: Scope }>();
  #isInLoop = false;
  #steps = 0;
  #isTooNested = false;

  constructor(program: IrProgram, rules: CompiledRules, findings: Findings) {
    this.program = program;
    this.rules = rules;
    this.findings = findings;
    this.objects = new Objects(this);
    this.handed = new HandedValues(this.objects.sharedNames);
  }

  run(): void {
    this.evaluate(this.program.body, this.top);
    for (const { fn, scope } of this.#waitingHandlers.values()) this.functions.evaluateInPlace(fn, 'parameter', scope);
    // Methods that read such a field may come before the one that sets it.
    const { sharedNames } = this.objects;
    if (sharedNames.size === 0) return;
    sharedNames.addCallers(this.program);
    this.functions.isSecondRound = true;
    this.evaluate(this.program.body, this.top);
  }

  /** True where the program was too long or too nested to be evaluated to its end. */
  get hasExceededLimits(): boolean {
    return this.#steps >= MAX_STEPS || this.#isTooNested;
  }

  get steps(): number {
    return this.#steps;
  }

  noteTooNested(): void {
    this.#isTooNested = true;
  }

  guardRecursion<Result>(fn: IrFunction, read: () => Result): Result | null {
    return this.functions.guardRecursion(fn, read);
  }

  bind(target: IrNode, value: Value, scope: Scope, declares = false): void {
    bindTarget(this, target, value, scope, declares);
  }

  evaluate(node: IrNode, scope: Scope): Value {
    this.#steps += 1;
    if (this.#steps >= MAX_STEPS) return UNKNOWN;
    switch (node.op) {
      case 'empty':
        return UNKNOWN;
      case 'string':
        return literalValue(node.text);
      case 'constant':
        return writtenConstant(node.text);
      case 'variable':
        return current(evaluateVariable(this, node, scope), scope);
      case 'member':
        return current(evaluateMember(this, node, scope), scope);
      case 'index':
        return current(evaluateIndex(this, node, scope), scope);
      case 'call':
        return this.#evaluateCall(node, scope);
      case 'concat':
        return this.#evaluateConcat(node, scope);
      case 'list':
        return withIdentity(listValue(this.#evaluateElements(node.elements, scope)));
      case 'spread':
        return this.evaluate(node.value, scope);
      case 'record':
        return evaluateResolver(this, node, scope) ?? this.#evaluateRecord(node, scope);
      case 'coalesce':
        return mergeValues(node.parts.map((part) => this.evaluate(part, scope)));
      case 'compare': {
        const left = this.evaluate(node.left, scope);
        if (node.right.op !== 'empty') {
          return binaryResult(node.operator, left, this.evaluate(node.right, scope), this.program.integerDivision);
        }
        return typeof left.constant === 'number' && node.operator === '-' ? constantValue(-left.constant) : UNKNOWN;
      }
      case 'not': {
        const truth = truthOf(this.evaluate(node.value, scope));
        return truth === undefined ? UNKNOWN : constantValue(!truth);
      }
      case 'logical':
        return evaluateLogical(this, node, scope);
      case 'conditional':
        return evaluateConditional(this, node, scope);
      case 'comprehension':
        return evaluateComprehension(this, node, scope);
      case 'assign':
        return evaluateAssignment(this, node, scope);
      case 'function':
        return this.#declareFunction(node, scope);
      case 'class': {
        const { selfName } = this.program;
        this.objects.declareClass(node.description, scope);
        const self = this.objects.symbolic(node.description, selfName, scope);
        const inner = scope.functionLayer(scope, selfName, self);
        inner.set(selfName, self);
        this.objects.declareClass(node.description, inner);
        const value = this.evaluate(node.body, inner);
        this.objects.share(node.description, self, [inner], false);
        return value;
      }
      case 'block': {
        if (node.locals !== undefined) return this.#evaluateBlock(node, node.locals, scope);
        let value = UNKNOWN;
        for (const part of node.statements) {
          // What comes after a return is never run; functions and classes are declared all the same.
          if (scope.exited === null || part.op === 'function' || part.op === 'class')
            value = this.evaluate(part, scope);
        }
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
        const value = asReturned(this, node.value, this.evaluate(node.value, scope), scope);
        if (scope.exited !== null) return value;
        const thrown = node.jump === 'throw' ? this.objects.detached(value, scope) : value;
        this.#steps += this.jumps.record(node, thrown, scope);
        scope.exited = node.jump === 'return' || node.jump === 'throw' ? 'function' : 'block';
        return value;
      }
      case 'yield': {
        const value = this.evaluate(node.value, scope);
        this.jumps.recordYielded(node.isDelegated ? iterated(this, value, node.value, scope) : value, node.isKeyed);
        return value;
      }
      case 'import':
        for (const [local, origin] of node.names) scope.set(local, moduleValue(this.rules, origin));
        return UNKNOWN;
    }
  }

  #evaluateRecord({ entries, typeName }: IrNodeOf<'record'>, scope: Scope): Value {
    let fields: (readonly [string | null, Value, Value?])[] = [];
    for (const { key, value: entry, computed } of entries) {
      // A handler comes after what its route checks.
      if (key === 'handler' && entries.length > 1) continue;
      const value = this.evaluate(entry, scope);
      if (computed !== undefined) fields.push(entryOfKey(this.evaluate(computed, scope), value));
      else if (entry.op !== 'spread') fields.push([key, value]);
      else if (value.fields !== null) fields.push(...value.fields);
      // What is spread may set each field again.
      else if (isTainted(value))
        fields = [...withAnyField(recordValue(fields).fields!, elementOf(this.rules, value, UNKNOWN, entry))];
    }
    const handler = entries.length > 1 ? entries.find(({ key }) => key === 'handler')?.value : undefined;
    if (handler !== undefined) fields.push(['handler', this.#evaluateHandler(handler, recordValue(fields), scope)]);
    return withIdentity({ ...recordValue(fields), names: typeName === undefined ? [] : [`new:${typeName}()`] });
  }

  /** The handler of a route with these options. */
  #evaluateHandler(node: IrNode, options: Value, scope: Scope): Value {
    const schemas = routeSchemas(this, options);
    if (node.op === 'function') return this.#declareFunction(node, scope, schemas);
    const waiting = node.op === 'variable' ? this.#waitingHandlers.get(node.name) : undefined;
    if (waiting !== undefined && node.op === 'variable') {
      this.#waitingHandlers.delete(node.name);
      this.functions.evaluateInPlace(waiting.fn, 'parameter', waiting.scope, schemas);
    }
    return this.evaluate(node, scope);
  }

  #evaluateConcat({ parts, isFormat }: IrNodeOf<'concat'>, scope: Scope): Value {
    const values = parts.map((part) => textOf(this, this.evaluate(part, scope), scope));
    const [format, value] = values;
    if (format === undefined || value === undefined || !isFormat) return concatTextsOrLists(values);
    // `'... %d' % value` or `% (value, value)`.
    return value.fields === null || value.instanceOf !== null
      ? formatted(format, value.elements ?? [value])
      : formatted(format, [], value.fields);
  }

  #evaluateCall(node: IrCall, scope: Scope): Value {
    const value = current(storedValue(node, scope) ?? evaluateCall(this, node, scope), scope);
    this.#callValues.set(node, value);
    return value;
  }

  #evaluateElements(nodes: readonly IrNode[], scope: Scope): Value[] {
    return nodes.flatMap((node) => {
      const value = this.evaluate(node, scope);
      if (node.op !== 'spread') return [value];
      return value.elements ?? [iterated(this, value, node, scope)];
    });
  }

  markHarmless(node: IrCall, isHarmless: boolean): void {
    if (isHarmless) this.#harmlessCalls.add(node);
    else this.#harmlessCalls.delete(node);
  }

  wasHarmless(node: IrCall): boolean {
    return this.#harmlessCalls.has(node);
  }

  lastValueOf(node: IrCall): Value | undefined {
    return this.#callValues.get(node);
  }

  /** A block in which names begin that have another meaning outside. */
  #evaluateBlock({ statements }: IrNodeOf<'block'>, locals: readonly string[], scope: Scope): Value {
    const inner = scope.branch();
    let value = UNKNOWN;
    for (const part of statements) value = this.evaluate(part, inner);
    inner.forget(locals);
    scope.join([inner]);
    return value;
  }

  #declareFunction(node: IrFunction, scope: Scope, schemas: RouteSchemas | null = null): Value {
    const value: Value = { ...UNKNOWN, fn: node, outside: scope, isDeclared: true };
    const isVariable = node.name !== null && node.owner === null && !this.program.callsByName;
    if (isVariable && scope.get(node.name) === undefined) scope.set(node.name, value);
    if (node.name !== null && this.program.checkedHandlers.has(node.name) && !this.functions.isSecondRound)
      this.#waitingHandlers.set(node.name, { fn: node, scope });
    else this.functions.evaluateInPlace(node, 'parameter', scope, schemas);
    for (const decorator of node.decorators) this.#decorate(decorator, value, node, scope);
    return value;
  }

  /** A decorator of this code calls the function with arguments of its own. */
  #decorate(decorator: IrNode, value: Value, node: IrFunction, scope: Scope): void {
    const called = decorator.op === 'call' ? decorator.callee : decorator;
    if (called.op !== 'variable' || !this.program.functions.has(called.name)) return;
    const { fn, outside } = this.evaluate(decorator, scope);
    if (fn === null) return;
    const argument = { name: null, node, value, result: null };
    this.functions.follow([{ fn, outside: outside as Scope | null, self: null }], [argument], scope);
  }

  #evaluateLoop(node: IrNodeOf<'loop'>, scope: Scope): Value {
    const inner = scope.branch();
    for (const name of node.assigned) {
      const value = inner.get(name);
      // In each iteration it has another value.
      if (value?.constant !== undefined) inner.set(name, { ...value, constant: undefined });
    }
    const written = this.#isInLoop ? null : writtenElements(node);
    // Two rounds, so that values of one iteration reach the next; nested loops would multiply them.
    const rounds = written?.length ?? (this.#isInLoop ? 1 : 2);
    const isOutermost = !this.#isInLoop;
    const { exitScope } = this.jumps.withTarget('loop', scope, (target) => {
      for (let round = 0; round < rounds && inner.exited !== 'function'; round++) {
        if (written === null && round > 0 && !inner.carriesOn(node.assigned)) break;
        this.#isInLoop = true;
        inner.exited = null;
        const [first, ...rest] = node.statements;
        if (first !== undefined) this.evaluate(written?.[round] ?? first, inner);
        for (const part of rest) this.evaluate(part, inner);
        if (target.nextScope !== null) inner.join([inner.copyOnto(scope), target.nextScope]);
      }
    });
    if (isOutermost) this.#isInLoop = false;
    inner.exited = null;
    scope.join([scope.branch(), inner, ...(exitScope === null ? [] : [exitScope])]);
    if (exitScope === null) markCheckedElements({ evaluator: this, scope }, node, inner);
    return UNKNOWN;
  }
}

/** An entry with a computed key. */
function entryOfKey(key: Value, value: Value): readonly [string | null, Value, Value] {
  return [key.constant === undefined ? null : String(key.constant), value, key];
}

/** Of a loop over a list that is written there, the assignment of each element; null: another loop, or a long list. */
function writtenElements({ statements: [first] }: IrNodeOf<'loop'>): readonly IrNode[] | null {
  if (first?.op !== 'assign' || first.value.op !== 'index' || first.value.index.op !== 'empty') return null;
  const { object } = first.value;
  if (object.op !== 'list' || object.elements.length > MAX_WRITTEN || object.elements.some(({ op }) => op === 'spread'))
    return null;
  return object.elements.map((value) => ({ ...first, value }));
}

/** The object that a value is, as it is now. */
function current(value: Value, scope: Scope): Value {
  const { identity } = value;
  if (identity === null || !identity.isChanged) return value;
  return { ...scope.objectOf(identity), names: value.names, isDeclared: value.isDeclared };
}

/** `+` also concatenates lists, and adds numbers. */
function concatTextsOrLists(values: readonly Value[]): Value {
  if (values[0]?.elements != null) return withIdentity(listValue(values.flatMap((value) => value.elements ?? [value])));
  const constant = concatConstant(values);
  return constant === undefined ? concatWithQuotes(values) : { ...constantValue(constant), isBuilt: true };
}
