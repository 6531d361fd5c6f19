import type { Step } from '../ir/ir.ts';
import { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** What can be left by a jump: `break` a loop or switch, `continue` a loop, `return` a routine. */
export interface Target {
  readonly kind: 'loop' | 'switch' | 'routine';
  /** What is known where it begins. */
  readonly base: Scope;
  /** What is known where it is left, of all jumps that leave it; null: none does. */
  exitScope: Scope | null;
  /** The same, of jumps to the next round of a loop. */
  nextScope: Scope | null;
  /** What the jumps that leave it carry. */
  readonly values: Value[];
}

/** Takes what is known at a jump to where the program goes on. */
export class Jumps {
  readonly #open: Target[] = [];

  /** Runs what can be left; the target has what the jumps in it brought. */
  withTarget(kind: Target['kind'], base: Scope, run: (target: Target) => void): Target {
    const target: Target = { kind, base, exitScope: null, nextScope: null, values: [] };
    this.#open.push(target);
    run(target);
    this.#open.pop();
    return target;
  }

  /** Notes the jump of this step at each target that it may go to; how many names were copied for it. */
  record({ leaves, far }: Step & { op: 'exit' }, value: Value, scope: Scope): number {
    let copied = 0;
    for (const target of this.#open.toReversed()) {
      const { kind, base } = target;
      // A `break` with nothing else to leave ends a block that was handed over.
      const aimed = kind === 'routine' ? leaves === 'routine' || copied === 0 : leaves !== 'routine';
      if (aimed && !(leaves === 'continue' && kind === 'switch')) {
        const state = scope.copyUpon(base);
        copied += 1 + state.size;
        if (leaves === 'continue' && kind === 'loop') target.nextScope = mergeScopes(target.nextScope, state, base);
        else {
          target.exitScope = mergeScopes(target.exitScope, state, base);
          target.values.push(value);
        }
        // Where a label says how far, each one further out may be meant.
        if (!far) return copied;
      }
      if (kind === 'routine') return copied;
    }
    return copied;
  }
}

function mergeScopes(before: Scope | null, state: Scope, base: Scope): Scope {
  if (before === null) return state;
  const both = new Scope(base);
  both.join([before, state]);
  return both;
}
