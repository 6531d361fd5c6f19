import { fieldName } from '../ir/class-fields.ts';
import { type IrClass, type IrFunction, type IrNode, setterName } from '../ir/ir.ts';
import { mergeTaints } from '../taint.ts';
import { byArity } from './arity.ts';
import type { CallArgument, CallTarget } from './call-types.ts';
import { ClassTable } from './class-table.ts';
import type { Evaluator, ObjectTable } from './evaluator.ts';
import { withField } from './fields.ts';
import { mergeValues } from './merge-values.ts';
import { RequestFields } from './request-fields.ts';
import type { Scope } from './scope.ts';
import { SharedNames } from './shared-names.ts';
import { holdsRequest, snapshot } from './snapshots.ts';
import { isBlank } from './source-values.ts';
import { isRequestTainted, listValue, type ObjectIdentity, UNKNOWN, type Value, withIdentity } from './value.ts';

/** The objects of classes of this code. */
export class Objects implements ObjectTable {
  readonly classes: ClassTable;
  readonly #evaluator: Evaluator;
  /** Where the members of a class see the code around it. */
  readonly #outside = new Map<string, Scope>();
  /** By class, the fields of a new object. */
  readonly #initial = new Map<string, Map<string, Value>>();
  /** The objects in fields that all objects of a class share. */
  readonly #held = new Map<string, ObjectIdentity>();
  readonly #classObjects = new Map<string, Value>();
  /** By class, the fields that methods set to request data, and the constructor to objects of this code, for the other methods. */
  readonly #shared = new Map<string, Map<string, Value>>();
  readonly sharedNames = new SharedNames();
  readonly requestFields = new RequestFields(this.sharedNames);

  constructor(evaluator: Evaluator) {
    this.#evaluator = evaluator;
    this.classes = new ClassTable(evaluator.program.classes);
  }

  /** An object as it is now, for where the scope does not reach: tainted as a whole as its fields are. */
  detached(value: Value, scope: Scope): Value {
    const now = value.identity === null ? value : scope.objectOf(value.identity);
    if (now.fields === null) return now;
    return {
      ...now,
      identity: null,
      taint: mergeTaints([now.taint, ...[...now.fields.values()].map(({ taint }) => taint)]),
    };
  }

  /** An object of the class of which all fields may hold what the source sends: it was made from a request. */
  tainted(owner: IrClass, value: Value): Value {
    const fields = this.#initialFields(owner, this.outsideOf(owner));
    const { reassigned } = this.#evaluator.program;
    const isSent = isRequestTainted(value);
    for (const [name, { typeName, text }] of fields) {
      // Code that is not here makes such an object by its constructor: what that does not set keeps its value.
      const isKept = !isSent && text !== null && !reassigned.has(name);
      if (!isKept && !this.#isSafe(owner, name)) fields.set(name, { ...UNKNOWN, taint: value.taint, typeName });
    }
    return withIdentity({ ...value, text: null, instanceOf: owner, fields, typeName: owner.name });
  }

  /** The class itself, with the fields that its objects share. */
  classObject(owner: IrClass): Value {
    let object = this.#classObjects.get(owner.name);
    if (object === undefined) {
      const fields = this.#initialFields(owner, this.outsideOf(owner));
      object = withIdentity({ ...UNKNOWN, names: [owner.name], isDeclared: true, fields, classOf: owner });
      this.#classObjects.set(owner.name, object);
      for (const name of owner.statics) {
        const identity = fields.get(name)?.identity;
        if (identity != null) this.#held.set(name, identity);
      }
    }
    return object;
  }

  declareClass({ name }: IrClass, scope: Scope): void {
    this.#outside.set(name, scope);
  }

  outsideOf({ name }: IrClass): Scope {
    return this.#outside.get(name) ?? this.#evaluator.top;
  }

  /** An object of the class of which no more is known than its fields' initial values and what methods set to request data. */
  symbolic(owner: IrClass, selfName: string, scope: Scope): Value {
    const fields = this.#initialFields(owner, scope);
    for (const name of owner.statics) {
      const { identity } = this.classObject(owner);
      const value = scope.objectOf(identity!).fields?.get(name);
      if (value !== undefined) fields.set(name, value);
    }
    for (const one of this.classes.lineage(owner)) {
      for (const [name, value] of this.#shared.get(one.name) ?? []) {
        const before = fields.get(name);
        fields.set(name, before === undefined || isBlank(before) ? value : eitherObject(before, value));
      }
    }
    // Rules know the members of the classes of a framework by their name: `BaseHTTPRequestHandler.path`.
    const names = [selfName, ...owner.supers.slice(0, 2)];
    return withIdentity({ ...UNKNOWN, names, typeName: owner.name, instanceOf: owner, fields });
  }

  /** An object whose fields have their initial values, or an empty list. */
  blank(owner: IrClass): Value {
    const held = owner.isList
      ? listValue([])
      : { ...UNKNOWN, fields: this.#initialFields(owner, this.outsideOf(owner)) };
    return withIdentity({ ...held, typeName: owner.name, instanceOf: owner });
  }

  /** A new object: its fields have their initial values, then the constructor runs. */
  construct(owner: IrClass, args: readonly CallArgument[], scope: Scope): Value {
    if (owner.isList) {
      const elements = listValue(args.map(({ value }) => value));
      return withIdentity({ ...elements, typeName: owner.name, instanceOf: owner });
    }
    const fields = this.#initialFields(owner, this.outsideOf(owner));
    const object = withIdentity({ ...UNKNOWN, typeName: owner.name, instanceOf: owner, fields });
    const constructors = this.classes.constructors(owner);
    const values = args.filter(({ name }) => name !== 'body');
    if (constructors.length === 0) {
      const hasUnknownSuper = this.classes.hasUnknownSuper(owner);
      const names = [...fields.keys()];
      for (const [index, { name, value }] of values.entries()) {
        // What the class declares by a call describes the field: `q = CharField()`.
        const isDescribed =
          hasUnknownSuper && fields.get(names[index] ?? '')?.names.some((one) => one.endsWith('()')) === true;
        const field = name ?? (isDescribed ? undefined : names[index]);
        if (field !== undefined) fields.set(field, value);
      }
      // The constructor of a class that is not in this code keeps what it gets.
      if (!hasUnknownSuper) return object;
      return withIdentity({ ...object, taint: mergeTaints(values.map(({ value }) => value.taint)) });
    }
    const targets = constructors.map((fn): CallTarget => ({ fn, outside: this.outsideOf(owner), self: object }));
    this.#evaluator.functions.follow(
      byArity(targets, values.filter(({ name }) => name === null).length),
      values,
      scope,
    );
    const made = scope.objectOf(object.identity!);
    const parameters = new Set(
      constructors.flatMap((fn) =>
        fn.parameters.map(({ target }) => (target.op === 'variable' ? target.name.replace(/^\$/, '') : '')),
      ),
    );
    // `new T(a) { B = c }`
    const initialized = values.filter(({ name }) => name !== null && !parameters.has(name));
    if (initialized.length === 0) return made;
    const all = new Map(made.fields);
    for (const { name, value } of initialized) all.set(name!, value);
    const changed = { ...made, fields: all };
    scope.setObject(object.identity!, changed);
    return changed;
  }

  /** The value of a property that a method computes; null: another property. */
  property(object: Value, name: string, scope: Scope): Value | null {
    const getters = this.classes.getters(object.instanceOf!, name);
    return getters.length === 0 ? null : this.#followAccessors(getters, object, [], scope);
  }

  #followAccessors(found: readonly IrFunction[], self: Value, values: readonly Value[], scope: Scope): Value | null {
    const targets = found.map((fn): CallTarget => ({ fn, outside: this.outsideOf(fn.owner!), self }));
    const args = values.map((value): CallArgument => {
      const node: IrNode = { op: 'empty', syntax: found[0]!.syntax };
      return { name: null, node, value, result: null };
    });
    return this.#evaluator.functions.follow(targets, args, scope);
  }

  /** Sets a field; one that all objects share, in the class. `written`: what is known of a key that is not. */
  setField(object: Value, key: string, value: Value, scope: Scope, written: Value | null = null): void {
    const { instanceOf: owner, identity } = object;
    const setters = owner === null ? [] : this.classes.methods(owner, setterName(key), false);
    if (setters.length > 0) {
      this.#followAccessors(setters, object, [value], scope);
      return;
    }
    if (owner !== null && owner.statics.has(key)) {
      const shared = this.classObject(owner);
      scope.setObject(shared.identity!, withField(scope.objectOf(shared.identity!), key, value));
    }
    if (identity !== null) scope.setObject(identity, withField(scope.objectOf(identity), key, value, written));
  }

  /** Keeps the fields that a method set to request data, and a constructor to objects, for the other methods of its class. */
  share(owner: IrClass | null, { identity }: Value, ends: readonly Scope[], isConstructor: boolean): void {
    this.#shareStatics(ends);
    if (owner === null || identity === null || !identity.isChanged) return;
    const shared = this.#shared.get(owner.name) ?? new Map<string, Value>();
    this.#shared.set(owner.name, shared);
    for (const end of ends) {
      for (const [name, value] of end.objectOf(identity).fields ?? []) {
        const before = shared.get(name);
        if (before !== undefined && holdsRequest(before)) continue;
        const now = snapshot(value, end);
        const isRequest = holdsRequest(now);
        if (!isRequest && !(isConstructor && now.instanceOf !== null)) continue;
        shared.set(name, now);
        if (isRequest) this.sharedNames.add(name);
      }
    }
  }

  /** The fields of classes that a function set to request data, for the other functions. */
  #shareStatics(ends: readonly Scope[]): void {
    const { top } = this.#evaluator;
    for (const [name, held] of this.#held) for (const end of ends) this.#shareHeld(name, held, end);
    for (const { identity } of this.#classObjects.values()) {
      if (identity?.isChanged !== true) continue;
      for (const end of ends) {
        for (const [name, value] of end.objectOf(identity).fields ?? []) {
          const shared = top.objectOf(identity);
          if (!isRequestTainted(value) || isRequestTainted(shared.fields?.get(name) ?? UNKNOWN)) continue;
          top.setObject(identity, withField(shared, name, { ...value, identity: null, constant: undefined }));
          this.sharedNames.add(name);
        }
      }
    }
  }

  /** Request data that a function put into an object in a field of a class. */
  #shareHeld(name: string, identity: ObjectIdentity, end: Scope): void {
    const { top } = this.#evaluator;
    if (!identity.isChanged) return;
    const now = end.objectOf(identity);
    const before = top.objectOf(identity);
    const parts = [now, ...(now.fields?.values() ?? [])];
    if (!parts.some(isRequestTainted) || [before, ...(before.fields?.values() ?? [])].some(isRequestTainted)) return;
    top.setObject(identity, { ...mergeValues([before, now]), identity });
    this.sharedNames.add(name);
  }

  /** A field that is declared without a value: an object of its class, if that is in this code. */
  #unsetField(type: string | null, scope: Scope): Value {
    const owner = this.classes.named(type);
    return owner === null || owner.isEnum ? UNKNOWN : this.symbolic(owner, owner.name, scope);
  }

  #isSafe(owner: IrClass, name: string): boolean {
    return this.classes
      .lineage(owner)
      .some(({ fields }) =>
        fields.some(
          (field) =>
            fieldName(field) === name &&
            field.type !== null &&
            (this.#evaluator.program.scalarTypes.test(field.type) || this.classes.named(field.type)?.isEnum === true),
        ),
      );
  }

  /** Of all classes that it extends, too. */
  #initialFields(owner: IrClass, scope: Scope): Map<string, Value> {
    const known = this.#initial.get(owner.name);
    if (known !== undefined) return new Map(known);
    const fields = new Map<string, Value>();
    // A field whose value is a method of the same class sees no fields.
    this.#initial.set(owner.name, fields);
    for (const one of this.classes.lineage(owner).toReversed()) {
      for (const assign of one.fields) {
        const name = fieldName(assign);
        if (name === null) continue;
        const value =
          assign.value.op === 'empty'
            ? this.#unsetField(assign.type, scope)
            : this.#evaluator.evaluate(assign.value, scope);
        fields.set(name, assign.type === null ? value : { ...value, typeName: assign.type });
      }
    }
    return new Map(fields);
  }
}

/** One of two values; one of two objects is an object as well. */
function eitherObject(one: Value, other: Value): Value {
  const merged = mergeValues([one, other]);
  return one.identity === null && other.identity === null ? merged : withIdentity(merged);
}
