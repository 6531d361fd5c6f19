import type { IrFunction, IrProgram } from '../ir/ir.ts';

/** Rounds in which functions are added that call those found before. */
const MAX_ROUNDS = 4;

/** Names of variables and fields that functions set to request data, and of the functions that use them. */
export class SharedNames {
  readonly #names = new Set<string>();

  get size(): number {
    return this.#names.size;
  }

  /** `path`: of a variable or field, such as `state.last`. */
  add(path: string): void {
    this.#names.add(path.slice(path.lastIndexOf('.') + 1).replace(/^[@$]+/, ''));
  }

  /** Adds the functions that use one of the names, those that call them, and so on. */
  addCallers({ functions, usedNames }: IrProgram): void {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const before = this.#names.size;
      for (const [name, all] of functions) {
        if (!this.#names.has(name) && all.some((fn) => this.isUsedIn(fn, usedNames))) this.#names.add(name);
      }
      if (this.#names.size === before) return;
    }
  }

  isUsedIn({ names: { first, end } }: IrFunction, usedNames: readonly string[]): boolean {
    for (let index = first; index < end; index++) if (this.#names.has(usedNames[index]!)) return true;
    return false;
  }
}
