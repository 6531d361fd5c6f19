import type { IrNodeOf } from '../ir/ir.ts';
import { Scope } from './scope.ts';
import type { Value } from './value.ts';

/** What a jump can leave: `break` a loop or switch, `continue` an iteration, `return` a function. */
export interface JumpTarget {
  readonly kind: 'loop' | 'switch' | 'function' | 'try';
  /** The scope in which the target starts. */
  readonly base: Scope;
  /** The joined scopes of all jumps that leave the target; null without such jumps. */
  exitScope: Scope | null;
  /** The joined scopes of all jumps to the next iteration. */
  nextScope: Scope | null;
  /** The values of all jumps that leave the target. */
  readonly values: Value[];
  /** Of a generator: what it hands to the loop over it. */
  readonly yielded: Value[];
  /** Keys are yielded as well. */
  yieldsKeys: boolean;
}

/** Carries the scope at a jump to the place where the program continues. */
export class JumpTracker {
  readonly #open: JumpTarget[] = [];

  /** Evaluates what can be left; the result has the scopes and values of the jumps inside. */
  withTarget(kind: JumpTarget['kind'], base: Scope, run: (target: JumpTarget) => void): JumpTarget {
    const target: JumpTarget = {
      kind,
      base,
      exitScope: null,
      nextScope: null,
      values: [],
      yielded: [],
      yieldsKeys: false,
    };
    this.#open.push(target);
    run(target);
    this.#open.pop();
    return target;
  }

  /** Records an exception where it may be caught, also outside of the function. */
  recordThrown(value: Value): void {
    this.#open.findLast(({ kind }) => kind === 'try')?.values.push(value);
  }

  recordYielded(value: Value, isKeyed: boolean): void {
    const target = this.#open.findLast(({ kind }) => kind === 'function');
    if (target === undefined) return;
    target.yielded.push(value);
    target.yieldsKeys ||= isKeyed;
  }

  /** Records the jump at each target that it may go to. Returns how many names were copied, as a measure of the work. */
  record({ jump, isLabelled }: IrNodeOf<'jump'>, value: Value, scope: Scope): number {
    if (jump === 'throw') {
      this.recordThrown(value);
      return 0;
    }
    let copied = 0;
    for (const target of this.#open.toReversed()) {
      const { kind, base } = target;
      if (kind === 'try') continue;
      // A `break` without a loop or switch leaves the function: in Ruby it ends a block.
      const isReached = kind === 'function' ? jump === 'return' || copied === 0 : jump !== 'return';
      if (isReached && !(jump === 'continue' && kind === 'switch')) {
        const state = scope.copyOnto(base);
        copied += 1 + state.size;
        if (jump === 'continue' && kind === 'loop') target.nextScope = mergeScopes(target.nextScope, state, base);
        else {
          target.exitScope = mergeScopes(target.exitScope, state, base);
          target.values.push(value);
        }
        // Labels are not resolved: a labelled jump may leave each of the targets around it.
        if (!isLabelled) return copied;
      }
      if (kind === 'function') return copied;
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
