/** The names of one function. */
interface FunctionNames {
  readonly locals: Set<string>;
  /** Names that are said to belong to the code outside: `global x`. */
  readonly outer: Set<string>;
  /** Sees the variables of the function around it. */
  readonly isClosure: boolean;
  readonly blocks: BlockNames[];
}

interface BlockNames {
  readonly declared: Set<string>;
  /** Declared here, and in a block around it as well. */
  readonly shadowing: string[];
}

/** Where the names of a program begin: in which function, and in which block. */
export class DeclaredNames {
  /** All names that the program declares. */
  readonly all = new Set<string>();
  /** Names that are assigned at more than one place. */
  readonly reassigned = new Set<string>();
  /** Names of variables that a function inside of the one that declares them assigns. */
  readonly assignedInside = new Set<string>();
  /** All names of variables and members, in the order of the program. */
  readonly used: string[] = [];
  readonly #assigned = new Set<string>();
  /** In the order of the program. */
  readonly #log: string[] = [];
  readonly #functions: FunctionNames[] = [newFunction(false)];
  /** Which functions have their own variables, where an assignment declares them; null: the language declares them. */
  readonly #localByAssignment: 'functions' | 'closures' | null;
  /** Declarations belong to the function, not to the block: `var` in JavaScript. */
  isHoisted = false;

  constructor(localByAssignment: 'functions' | 'closures' | null) {
    this.#localByAssignment = localByAssignment;
  }

  declare(name: string): void {
    this.all.add(name);
    const { locals, blocks } = this.#functions.at(-1)!;
    locals.add(name);
    if (this.isHoisted) return;
    const block = blocks.at(-1)!;
    if (!block.declared.has(name) && blocks.some(({ declared }) => declared.has(name))) block.shadowing.push(name);
    block.declared.add(name);
  }

  /** An assignment to a variable or field; in some languages it declares a variable. */
  assign(name: string, isVariable: boolean): void {
    if (this.#assigned.has(name)) this.reassigned.add(name);
    else this.#assigned.add(name);
    this.#log.push(name);
    if (!isVariable) return;
    this.all.add(name);
    const { locals, outer, isClosure } = this.#functions.at(-1)!;
    if (locals.has(name)) return;
    const isLocal =
      this.#localByAssignment !== null &&
      !outer.has(name) &&
      !(this.#localByAssignment === 'closures' && isClosure && this.#isKnownAround(name));
    (isLocal ? locals : this.assignedInside).add(name);
  }

  /** `global x`, `nonlocal x`. */
  markOuter(name: string): void {
    this.#functions.at(-1)!.outer.add(name);
  }

  /** Outside of every function. */
  get isAtTop(): boolean {
    return this.#functions.length === 1;
  }

  inFunction<Result>(isClosure: boolean, lower: (locals: ReadonlySet<string>) => Result): Result {
    const names = newFunction(isClosure);
    this.#functions.push(names);
    const result = lower(names.locals);
    this.#functions.pop();
    return result;
  }

  /** The names that shadow others in the block. */
  inBlock(lower: () => void): readonly string[] {
    const { blocks } = this.#functions.at(-1)!;
    const block: BlockNames = { declared: new Set(), shadowing: [] };
    blocks.push(block);
    lower();
    blocks.pop();
    return block.shadowing;
  }

  /** The names that are assigned in a part of the program. */
  assignedIn(lower: () => void): ReadonlySet<string> {
    const start = this.#log.length;
    lower();
    return new Set(this.#log.slice(start));
  }

  #isKnownAround(name: string): boolean {
    for (let at = this.#functions.length - 2; at >= 0; at--) {
      const { locals, isClosure } = this.#functions[at]!;
      if (locals.has(name)) return true;
      if (!isClosure) return false;
    }
    return false;
  }
}

function newFunction(isClosure: boolean): FunctionNames {
  const block: BlockNames = { declared: new Set(), shadowing: [] };
  return { locals: new Set(), outer: new Set(), isClosure, blocks: [block] };
}
