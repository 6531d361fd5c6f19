import { evaluateChoice, evaluateEach, evaluateLogic, evaluateSwitch, evaluateTry } from './branches.ts';
import { evaluateCall } from './calls.ts';
import type { CompiledRules } from '../rules/compiled-rules.ts';
import type { Evaluator, ParametersAre } from './evaluator.ts';
import { factsOf } from './refinements.ts';
import type { Findings } from '../findings.ts';
import { withoutNumbers } from './format-strings.ts';
import { Jumps } from './jumps.ts';
import { keyOf } from '../ir/access-path.ts';
import type { Program } from '../lowering/lower-program.ts';
import { operatorOf } from '../lowering/lower-expression.ts';
import { parameterValue } from './parameters.ts';
import type { Routine, Step } from '../ir/ir.ts';
import { Scope } from './scope.ts';
import { checkAssigned } from './sinks.ts';
import {
  appended,
  concatenated,
  isTainted,
  joined,
  KINDS,
  type Level,
  listValue,
  literalValue,
  mergeTaints,
  oneOf,
  recordValue,
  type Source,
  type Taint,
  taintOf,
  UNKNOWN,
  type Value,
} from './value.ts';

/** More work than this on one text is left undone. */
const MAX_STEPS = 1_500_000;
/** Routines inside routines. */
const MAX_NESTED = 60;
/** How far calls are followed into routines of the same text. */
const MAX_CALLS_INTO = 3;
const PATH_KEPT = 160;

/** Follows values through a program, from where others choose them to where they are run. */
export class Flow implements Evaluator {
  readonly rules: CompiledRules;
  readonly program: Program;
  readonly findings: Findings;
  readonly jumps = new Jumps();
  readonly top = new Scope(null);
  readonly #inside: Routine[] = [];
  /** Where the names of the routines begin that are being run. */
  readonly #bases: Scope[] = [];
  #replaying = false;
  #steps = 0;
  #tooNested = false;
  #callsInto = 0;
  /** Fields that methods set to what a request holds. */
  #shared = 0;

  constructor(program: Program, rules: CompiledRules, findings: Findings) {
    this.program = program;
    this.rules = rules;
    this.findings = findings;
  }

  run(): void {
    this.evaluate(this.program.body, this.top);
    if (this.#shared > 0) this.evaluate(this.program.body, this.top);
  }

  /** True where the program was too long to be followed to its end. */
  get exhausted(): boolean {
    return this.#steps >= MAX_STEPS || this.#tooNested;
  }

  evaluate(step: Step, scope: Scope): Value {
    this.#steps += 1;
    if (this.#steps >= MAX_STEPS) return UNKNOWN;
    switch (step.op) {
      case 'none':
        return UNKNOWN;
      case 'text':
      case 'constant':
        return literalValue(step.text);
      case 'name':
        return this.#name(step, scope);
      case 'member':
        return (
          this.#kept(step, scope) ??
          this.#requested(this.memberOf(this.evaluate(step.object, scope), step.name, step), step)
        );
      case 'index':
        return this.#index(step, scope);
      case 'call':
        return this.#kept(step, scope) ?? evaluateCall(this, step, scope);
      case 'join':
        return this.#join(step, scope);
      case 'list':
        return listValue(step.items.map((item) => this.evaluate(item, scope)));
      case 'record':
        return recordValue(step.entries.map(({ key, value }) => [key, this.evaluate(value, scope)] as const));
      case 'either':
        return oneOf(step.parts.map((part) => this.evaluate(part, scope)));
      case 'compare':
        this.evaluate(step.left, scope);
        this.evaluate(step.right, scope);
        return UNKNOWN;
      case 'not':
        this.evaluate(step.value, scope);
        return UNKNOWN;
      case 'logic':
        return evaluateLogic(this, step, scope);
      case 'choice':
        return evaluateChoice(this, step, scope);
      case 'each':
        return evaluateEach(this, step, scope);
      case 'assign':
        return this.#assign(step, scope);
      case 'routine':
        return this.#declareRoutine(step, scope);
      case 'scope': {
        const inner = scope.branch();
        const before = this.#shared;
        const value = this.evaluate(step.body, inner);
        // Again, for methods that stand before the one that sets a field.
        return this.#shared === before ? value : this.evaluate(step.body, inner);
      }
      case 'block':
        return step.steps.reduce((_, part) => this.evaluate(part, scope), UNKNOWN);
      case 'loop':
        return this.#loop(step, scope);
      case 'switch':
        return evaluateSwitch(this, step, scope);
      case 'maybe': {
        const inner = scope.branch();
        this.evaluate(step.body, inner);
        scope.join([scope.branch(), inner]);
        return UNKNOWN;
      }
      case 'try':
        return evaluateTry(this, step, scope);
      case 'exit': {
        const value = this.evaluate(step.value, scope);
        if (scope.exited !== null) return value;
        this.#steps += this.jumps.record(step, value, scope);
        scope.exited = step.leaves === 'routine' ? 'routine' : 'block';
        return value;
      }
      case 'import':
        for (const [local, origin] of step.names) scope.set(local, this.moduleValue(origin));
        return UNKNOWN;
    }
  }

  /** What a module goes by here. */
  moduleValue(module: string): Value {
    const plain = module.replace(/^node:/, '');
    const [first = '', ...rest] = plain.split('.');
    const known = Object.hasOwn(this.rules.modules, first) ? this.rules.modules[first]! : first;
    const path = [known, ...rest].join('.').replaceAll('/', '.');
    return { ...UNKNOWN, paths: [path], fixed: true };
  }

  /** The member of a value: of a source it is the source, of a record its field. */
  memberOf(object: Value, name: string, step: Step): Value {
    const from = object.paths.length === 0 ? ['#'] : object.paths;
    const paths = from.map((path) => `${path}.${name}`.slice(-PATH_KEPT));
    const field = object.fields?.get(name);
    if (field !== undefined) return { ...field, paths };
    const [level] = this.rules.sources.find(paths);
    if (level !== undefined) return { ...this.#fromSource(level, step), paths, fixed: object.fixed };
    if (this.rules.numbers.has(paths)) return { ...UNKNOWN, paths };
    return { ...this.#partOf(object, step), paths, fixed: object.fixed };
  }

  /** The value is taken from a source here. */
  #fromSource(level: Level, step: Step): Value {
    return { ...UNKNOWN, taint: this.newTaint(level, step), direct: true };
  }

  newTaint(level: Level, { at }: Step): Taint {
    const source: Source = { level, at };
    return taintOf(source, level === 'local' || level === 'free' ? ['sql', 'command'] : KINDS);
  }

  /** What is taken out of a value is as tainted as the value. A name without a meaning may be any object: its parts are not. */
  #partOf(object: Value, step: Step): Value {
    if (!isTainted(object)) return UNKNOWN;
    const level = object.taint.sql?.level ?? object.taint.command?.level ?? object.taint.path?.level;
    if (level === 'free' || level === undefined) return UNKNOWN;
    const taint = object.direct ? this.newTaint(level, step) : object.taint;
    return { ...UNKNOWN, taint, direct: object.direct, built: object.built };
  }

  #join({ parts, at }: Step & { op: 'join' }, scope: Scope): Value {
    const values = parts.map((part) => this.evaluate(part, scope));
    const [format, given] = values;
    // `'... %d' % value`, also of a tuple.
    if (format === undefined || given === undefined || operatorOf(at) !== '%') return joinedOrList(values);
    return joined([format, ...withoutNumbers(format, given.items ?? [given])]);
  }

  #name(step: Step & { op: 'name' }, scope: Scope): Value {
    const { name } = step;
    const known = scope.get(name) ?? (this.program.implicitThis ? scope.get(`this.${name}`) : undefined);
    if (known !== undefined) {
      if (known.fixed || known.paths[0] === name) return known;
      const typed = known.typeName === null ? [] : [known.typeName];
      return { ...known, paths: [name, ...known.paths.slice(0, 2), ...typed] };
    }
    const paths = [name];
    const [level] = this.rules.sources.find(paths);
    if (level !== undefined) return { ...this.#fromSource(level, step), paths };
    if (this.rules.freeNames?.test(name) && !this.program.declared.has(name) && !this.rules.services.test(name)) {
      return { ...UNKNOWN, taint: this.newTaint('free', step), paths };
    }
    return { ...UNKNOWN, paths };
  }

  #index(step: Step & { op: 'index' }, scope: Scope): Value {
    const kept = this.#kept(step, scope);
    if (kept !== undefined) return kept;
    const object = this.evaluate(step.object, scope);
    const index = this.evaluate(step.index, scope);
    const paths = index.text === null ? [] : object.paths.map((path) => `${path}.${index.text}`);
    const element = this.elementOf(object, index, step);
    return isTainted(element) ? element : { ...this.#requested({ ...element, paths }, step), paths: element.paths };
  }

  /** A member of a request that frameworks fill from what was sent. */
  #requested(value: Value, step: Step): Value {
    const { requestMembers } = this.rules;
    if (requestMembers === null || isTainted(value) || !value.paths.some((path) => requestMembers.test(path))) {
      return value;
    }
    return { ...this.#fromSource('request', step), paths: value.paths };
  }

  elementOf(object: Value, index: Value, step: Step): Value {
    const field = index.text === null ? undefined : object.fields?.get(index.text);
    if (field !== undefined) return field;
    if (object.items !== null && object.items.length > 0) {
      return object.items[Number(index.text ?? Number.NaN)] ?? oneOf(object.items);
    }
    const named = index.text === null ? [] : object.paths.map((path) => `${path}.${index.text}`.slice(-PATH_KEPT));
    const [level] = isTainted(object) ? [] : this.rules.sources.find(named);
    if (level !== undefined) return this.#fromSource(level, step);
    return { ...this.#partOf(object, step), paths: object.paths };
  }

  /** What was found out or set about exactly this member or element. */
  #kept(step: Step, scope: Scope): Value | undefined {
    const key = keyOf(step);
    return key === null ? undefined : scope.get(key);
  }

  #assign(step: Step & { op: 'assign' }, scope: Scope): Value {
    const given = this.evaluate(step.value, scope);
    const facts = isTest(step.value) ? factsOf(this, step.value, scope) : null;
    const value = facts !== null && facts.yes.length + facts.no.length > 0 ? { ...given, facts } : given;
    if (step.how === 'set') {
      // A field that is declared without a value keeps what a method sets it to.
      if (step.value.op === 'none' && step.target.op === 'name' && scope.hasOwn(step.target.name)) return value;
      this.#setField(step, value, scope);
      this.bind(step.target, step.type === null ? value : { ...value, typeName: step.type }, scope);
      return value;
    }
    const before = this.evaluate(step.target, scope);
    const after = step.how === 'append' ? appended(before, [value]) : oneOf([before, value]);
    this.bind(step.target, after, scope);
    return after;
  }

  /** `name = value` of a name that the routine does not declare: a field, where `this` may be left out. */
  #setField({ target, type }: Step & { op: 'assign' }, value: Value, scope: Scope): void {
    const base = this.#bases.at(-1);
    if (!this.program.implicitThis || type !== null || target.op !== 'name' || base === undefined) return;
    if (!scope.hasAbove(target.name, base)) scope.set(`this.${target.name}`, { ...value, direct: false });
  }

  /** Gives names their values. */
  bind(target: Step, value: Value, scope: Scope): void {
    switch (target.op) {
      case 'name':
        scope.set(target.name, value.direct ? { ...value, direct: false } : value);
        return;
      case 'list':
        for (const [at, item] of target.items.entries()) {
          const part = value.items?.[at] ?? (value.items === null ? value : UNKNOWN);
          this.bind(item, part, scope);
        }
        return;
      case 'record':
        for (const { key, value: inner } of target.entries) {
          this.bind(inner, key === null ? value : this.memberOf(value, key, inner), scope);
        }
        return;
      case 'member':
      case 'index': {
        const object = this.evaluate(target.object, scope);
        if (target.op === 'member') checkAssigned(this, target, object, value);
        const key = keyOf(target);
        if (key !== null) scope.set(key, { ...value, direct: false });
        else if (isTainted(value) && target.op === 'index') {
          this.bind(target.object, { ...object, taint: mergeTaints([object.taint, value.taint]) }, scope);
        }
        return;
      }
      default:
        this.evaluate(target, scope);
    }
  }

  #declareRoutine(step: Routine, scope: Scope): Value {
    const value: Value = { ...UNKNOWN, routine: step, fixed: true };
    if (step.name !== null && scope.get(step.name) === undefined) scope.set(step.name, value);
    this.enter(step, 'parameter', scope);
    return value;
  }

  /** Runs a routine's body; the value is what it returns. `given`: what its parameters are. */
  enter(routine: Routine, given: ParametersAre, scope: Scope): Value {
    if (this.#inside.includes(routine)) return UNKNOWN;
    if (this.#inside.length >= MAX_NESTED) {
      this.#tooNested = true;
      return UNKNOWN;
    }
    const inner = scope.branch();
    this.#inside.push(routine);
    for (const [at, parameter] of routine.parameters.entries()) {
      const value =
        typeof given === 'string' ? parameterValue(this, routine, parameter, at, given) : (given[at] ?? UNKNOWN);
      this.bind(parameter.target, value, inner);
    }
    this.#bases.push(inner);
    const { exitScope: left, values } = this.jumps.withTarget('routine', scope, () => this.evaluate(routine.body, inner));
    this.#bases.pop();
    this.#inside.pop();
    for (const state of [inner, left]) {
      if (state === null) continue;
      if (typeof given !== 'string') scope.absorb(state);
      this.#shared += scope.shareFields(state);
    }
    return values.length === 0 ? UNKNOWN : oneOf(values);
  }

  guardRecursion<Result>(routine: Routine, read: () => Result): Result | null {
    if (this.#inside.includes(routine)) return null;
    this.#inside.push(routine);
    const result = read();
    this.#inside.pop();
    return result;
  }

  callInto(routine: Routine, args: readonly Value[]): Value | null {
    if (this.#callsInto >= MAX_CALLS_INTO || this.#steps > MAX_STEPS / 2) return null;
    this.#callsInto += 1;
    const result = this.enter(routine, args, this.top.branch());
    this.#callsInto -= 1;
    return result;
  }

  #loop(step: Step & { op: 'loop' }, scope: Scope): Value {
    const inner = scope.branch();
    const replay = !this.#replaying;
    const { exitScope: left } = this.jumps.withTarget('loop', scope, (target) => {
      for (let round = 0; round < (replay ? 2 : 1) && inner.exited !== 'routine'; round++) {
        this.#replaying = true;
        inner.exited = null;
        for (const part of step.steps) this.evaluate(part, inner);
        if (target.nextScope !== null) inner.join([inner.copyUpon(scope), target.nextScope]);
      }
    });
    if (replay) this.#replaying = false;
    inner.exited = null;
    scope.join([scope.branch(), inner, ...(left === null ? [] : [left])]);
    return UNKNOWN;
  }
}

/** Lists are joined to lists. */
function joinedOrList(values: readonly Value[]): Value {
  return values[0]?.items == null ? concatenated(values) : listValue(values.flatMap((value) => value.items ?? [value]));
}

function isTest({ op }: Step): boolean {
  return op === 'compare' || op === 'not' || op === 'call' || op === 'logic' || op === 'index';
}
