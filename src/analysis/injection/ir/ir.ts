import type { SyntaxNode } from '../syntax-tree.ts';

/**
 * The intermediate representation: what a program does with its values, in the same terms for every language. Lowering makes it
 * from a syntax tree, the flow analysis evaluates it. Nodes form a tree; each one has a value, also statements.
 */
export type IrNode =
  | (IrNodeBase & { readonly op: 'empty' })
  /** A string literal, without its quotes. */
  | (IrNodeBase & { readonly op: 'string'; readonly text: string })
  /** A number, boolean or null. `text` is the source text. */
  | (IrNodeBase & { readonly op: 'constant'; readonly text: string })
  | (IrNodeBase & { readonly op: 'variable'; readonly name: string })
  | (IrNodeBase & { readonly op: 'member'; readonly object: IrNode; readonly name: string })
  | (IrNodeBase & { readonly op: 'index'; readonly object: IrNode; readonly index: IrNode })
  | IrCall
  /** Concatenation or interpolation. `isFormat`: the operator `%`, where the first part is a format for the second. */
  | (IrNodeBase & { readonly op: 'concat'; readonly parts: readonly IrNode[]; readonly isFormat: boolean })
  | (IrNodeBase & { readonly op: 'list'; readonly elements: readonly IrNode[] })
  | (IrNodeBase & { readonly op: 'record'; readonly entries: readonly IrEntry[] })
  /** `a || b`, `a ?? b`: the value of one of the parts. */
  | (IrNodeBase & { readonly op: 'coalesce'; readonly parts: readonly IrNode[] })
  /** A comparison or arithmetic: the result is a number or a boolean. */
  | (IrNodeBase & { readonly op: 'compare'; readonly operator: string; readonly left: IrNode; readonly right: IrNode })
  | (IrNodeBase & {
      readonly op: 'logical';
      readonly operator: 'and' | 'or';
      readonly left: IrNode;
      readonly right: IrNode;
    })
  | (IrNodeBase & { readonly op: 'not'; readonly value: IrNode })
  /** `if` and the conditional expression. */
  | (IrNodeBase & {
      readonly op: 'conditional';
      readonly test: IrNode;
      readonly whenTrue: IrNode;
      readonly whenFalse: IrNode;
    })
  | (IrNodeBase & {
      readonly op: 'comprehension';
      readonly target: IrNode;
      readonly over: IrNode;
      readonly test: IrNode;
      readonly body: IrNode;
    })
  | (IrNodeBase & {
      readonly op: 'assign';
      readonly target: IrNode;
      readonly value: IrNode;
      /** `set` replaces the value, `append` adds to it, `default` sets it only where there is none. */
      readonly how: 'set' | 'append' | 'default';
      /** The declared type, as written. */
      readonly type: string | null;
    })
  | IrFunction
  | (IrNodeBase & { readonly op: 'class'; readonly body: IrNode })
  | (IrNodeBase & { readonly op: 'block'; readonly statements: readonly IrNode[] })
  /** The statements run any number of times. Also a labelled statement, which a labelled jump leaves. */
  | (IrNodeBase & { readonly op: 'loop'; readonly statements: readonly IrNode[] })
  /** `breaks`: a `break` inside leaves the switch. */
  | (IrNodeBase & {
      readonly op: 'switch';
      readonly subject: IrNode;
      readonly cases: readonly IrCase[];
      readonly breaks: boolean;
    })
  /** An exception handler: may run or not. */
  | (IrNodeBase & { readonly op: 'handler'; readonly body: IrNode })
  | (IrNodeBase & {
      readonly op: 'try';
      readonly body: IrNode;
      readonly handlers: readonly IrNode[];
      readonly finalizer: IrNode;
    })
  /** `isLabelled`: a label selects the loop that is left. */
  | (IrNodeBase & {
      readonly op: 'jump';
      readonly jump: 'return' | 'break' | 'continue';
      readonly value: IrNode;
      readonly isLabelled: boolean;
    })
  | (IrNodeBase & { readonly op: 'import'; readonly names: readonly (readonly [local: string, origin: string])[] });

/** The node with this `op`. */
export type IrNodeOf<Op extends IrNode['op']> = IrNode & { readonly op: Op };

export interface IrNodeBase {
  /** Where the node is written. */
  readonly syntax: SyntaxNode;
}

export interface IrCall extends IrNodeBase {
  readonly op: 'call';
  /** A constructor is a variable with the name `new:Type`. */
  readonly callee: IrNode;
  readonly args: readonly IrArgument[];
  /** The last name of the callee, where findings are reported: `exec` of `child.exec(x)`. */
  readonly calleeName: SyntaxNode;
  /** A tagged template: the function receives the values separately from the text. */
  readonly isTagged: boolean;
}

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

export interface IrFunction extends IrNodeBase {
  readonly op: 'function';
  readonly name: string | null;
  readonly parameters: readonly IrParameter[];
  readonly body: IrNode;
  /** Decorators and annotations as written. */
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
