import type { SyntaxNode } from '../syntax-tree.ts';

export interface IrNodeBase {
  /** Where the node is written. */
  readonly syntax: SyntaxNode;
}

/** What each operation has. */
interface IrOperations {
  empty: object;
  /** A string literal, without its quotes. */
  string: { text: string };
  /** A number, boolean or null. `text` is the source text. */
  constant: { text: string };
  variable: { name: string };
  member: { object: IrNode; name: string };
  index: { object: IrNode; index: IrNode };
  /**
   * A constructor is a variable with the name `new:Type`. Findings are reported at `calleeName`: `exec` of `child.exec(x)`.
   * `isTagged`: a tagged template, whose function receives the values separately from the text.
   */
  call: { callee: IrNode; args: readonly IrArgument[]; calleeName: SyntaxNode; isTagged: boolean };
  /** Concatenation or interpolation. `isFormat`: the operator `%`, where the first part is a format for the second. */
  concat: { parts: readonly IrNode[]; isFormat: boolean };
  list: { elements: readonly IrNode[] };
  record: { entries: readonly IrEntry[] };
  /** `a ?? b`: the value of one of the parts. */
  coalesce: { parts: readonly IrNode[] };
  /** A comparison or arithmetic: the result is a number or a boolean. */
  compare: { operator: string; left: IrNode; right: IrNode };
  logical: { operator: 'and' | 'or'; left: IrNode; right: IrNode };
  not: { value: IrNode };
  /** `if` and the conditional expression. */
  conditional: { test: IrNode; whenTrue: IrNode; whenFalse: IrNode };
  comprehension: { target: IrNode; over: IrNode; test: IrNode; body: IrNode };
  /**
   * `set` replaces the value, `append` adds to it, `default` sets it only where the variable has no value. `type`: the declared type, as
   * written.
   */
  assign: { target: IrNode; value: IrNode; how: 'set' | 'append' | 'default'; type: string | null };
  /** `annotations`: decorators and annotations as written. */
  function: { name: string | null; parameters: readonly IrParameter[]; body: IrNode; annotations: string };
  class: { body: IrNode };
  block: { statements: readonly IrNode[] };
  /** The statements run any number of times. Also a labelled statement, which a labelled jump leaves. */
  loop: { statements: readonly IrNode[] };
  /** `breaks`: a `break` inside leaves the switch. */
  switch: { subject: IrNode; cases: readonly IrCase[]; breaks: boolean };
  /** An exception handler: may run or not. */
  handler: { body: IrNode };
  try: { body: IrNode; handlers: readonly IrNode[]; finalizer: IrNode };
  /** `isLabelled`: a label selects the loop that is left. */
  jump: { jump: 'return' | 'break' | 'continue'; value: IrNode; isLabelled: boolean };
  import: { names: readonly (readonly [local: string, origin: string])[] };
}

/** The node of this operation. */
export type IrNodeOf<Op extends keyof IrOperations> = IrNodeBase & { readonly op: Op } & Readonly<IrOperations[Op]>;

/**
 * The intermediate representation: what a program does with its values, in the same terms for every language. Lowering makes it
 * from a syntax tree, the flow analysis evaluates it. Nodes form a tree; each one has a value, also statements.
 */
export type IrNode = { [Op in keyof IrOperations]: IrNodeOf<Op> }[keyof IrOperations];
export type IrCall = IrNodeOf<'call'>;
export type IrFunction = IrNodeOf<'function'>;

export interface IrArgument {
  /** Of a named argument. */
  readonly name: string | null;
  readonly value: IrNode;
}

export interface IrEntry {
  /** Null: computed or spread. */
  readonly key: string | null;
  readonly value: IrNode;
}

export interface IrCase {
  /** All labels are literals, so that the subject equals one of them inside. */
  readonly isLiteral: boolean;
  /** Continues in the next case unless a jump leaves it. */
  readonly fallsThrough: boolean;
  readonly body: IrNode;
}

export interface IrParameter {
  readonly target: IrNode;
  readonly type: string | null;
  /** The type allows no free text: a number, or one of some literals. */
  readonly isSafeType: boolean;
  /** The parameter as written, with annotations and default: frameworks say there where the value comes from. */
  readonly annotations: string;
}

export interface IrProgram {
  readonly body: IrNode;
  /** All names that the program declares. */
  readonly declared: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** A field may be written without `this`. */
  readonly implicitThis: boolean;
  /** By name; null: several functions have the name. */
  readonly functions: ReadonlyMap<string, IrFunction | null>;
  /** Syntax nodes that were left out because they are nested too deeply. */
  readonly skippedNodeCount: number;
}

/** A string or constant, or a list or block of them. */
export function isLiteral(node: IrNode): boolean {
  if (node.op === 'block') return node.statements.length > 0 && node.statements.every(isLiteral);
  if (node.op === 'list') return node.elements.length > 0 && node.elements.every(isLiteral);
  return node.op === 'string' || node.op === 'constant';
}
