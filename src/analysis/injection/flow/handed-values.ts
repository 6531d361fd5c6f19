import { accessPathOf } from '../ir/access-path.ts';
import type { IrNode } from '../ir/ir.ts';
import type { CallArgument } from './call-types.ts';
import { mergeValues } from './merge-values.ts';
import type { Scope } from './scope.ts';
import type { SharedNames } from './shared-names.ts';
import { isRequestTainted, listValue, type ObjectIdentity, type Value, withIdentity } from './value.ts';

/** Methods that read what was kept under a key. */
const READERS =
  'Value Get MustGet GetString Locals UserValue Load LoadAndDelete getAttribute getAttributes attribute getUserProperties MDC getProperty get Items Session TempData Application Cache ViewState Peek'.split(
    ' ',
  );

/**
 * Request data that one function hands to another one over a queue, a channel or a context: the one that takes it may be evaluated
 * before it is put in. What was put in is there in the second evaluation of the program.
 */
export class HandedValues {
  readonly #sharedNames: SharedNames;
  /** By the call that makes a queue. */
  readonly #sent = new Map<IrNode, Value>();
  readonly #madeBy = new WeakMap<ObjectIdentity, IrNode>();
  readonly #kept = new Map<string, Value>();

  constructor(sharedNames: SharedNames) {
    this.#sharedNames = sharedNames;
  }

  /** A new queue, with what is sent to it elsewhere. */
  queue(node: IrNode, typeName: string): Value {
    const sent = this.#sent.get(node);
    const made = withIdentity({ ...listValue(sent === undefined ? [] : [sent]), typeName });
    this.#madeBy.set(made.identity!, node);
    return made;
  }

  /** `name`: of the variable that holds the queue. `value`: detached from the scope. `top`: the scope of the program. */
  send({ identity, typeName }: Value, name: string, value: Value, top: Scope): void {
    const node = identity === null ? undefined : this.#madeBy.get(identity);
    if (node === undefined || !isRequestTainted(value) || this.#sent.has(node)) return;
    const sent = { ...value, identity: null, fromSource: false };
    this.#sent.set(node, sent);
    // A queue in a field is made once.
    top.setObject(identity!, { ...listValue([sent]), typeName, identity });
    this.#sharedNames.add(name);
  }

  /** Keeps a value of a context under a key. */
  keep(key: CallArgument, value: Value): void {
    const name = keyOf(key);
    if (name === null || !isRequestTainted(value)) return;
    const before = this.#kept.get(name);
    this.#kept.set(
      name,
      before === undefined ? { ...value, identity: null, fromSource: false } : mergeValues([before, value]),
    );
    for (const one of key.node.op === 'variable' ? [name] : READERS) this.#sharedNames.add(one);
  }

  /** What was kept under the key; null: no request data. */
  kept(key: CallArgument): Value | null {
    return this.#kept.get(keyOf(key) ?? '') ?? null;
  }
}

/** A text, a variable or a type without fields. */
function keyOf({ node, value }: CallArgument): string | null {
  if (typeof value.constant === 'string') return value.constant;
  if (node.op === 'call' && node.callee.op === 'variable') return node.callee.name;
  return accessPathOf(node);
}
