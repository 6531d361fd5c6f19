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
  /** `isCallee`: the function that a call names, where a name alone is a call as well. */
  variable: { name: string; isCallee?: true };
  member: { object: IrNode; name: string };
  index: { object: IrNode; index: IrNode };
  /**
   * A constructor is a variable with the name `new:Type`. Findings are reported at `calleeName`: `exec` of `child.exec(x)`.
   * `madeOf`: of a constructor, the expression of its class, which may be a value. `resultType`: the type that the call is told to make: `read<T>(x)`, `read(x, T.class)`.
   * `isLiteral`: a literal of a type, which holds its arguments and no more. `isTagged`: a tagged template, whose function receives the values separately from the text.
   */
  call: {
    callee: IrNode;
    args: readonly IrArgument[];
    calleeName: SyntaxNode;
    isTagged: boolean;
    isLiteral?: true;
    madeOf?: IrNode;
    resultType?: string;
  };
  /** Concatenation or interpolation, also a sum. `isFormat`: the operator `%`, where the first part is a format for the second. */
  concat: { parts: readonly IrNode[]; isFormat: boolean };
  list: { elements: readonly IrNode[] };
  /** The elements or fields of the value, in a list, a record or the arguments of a call. */
  spread: { value: IrNode };
  /** `typeName`: of a literal of a type of other code. */
  record: { entries: readonly IrEntry[]; typeName?: string };
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
   * written. `declares`: the names begin here.
   */
  assign: { target: IrNode; value: IrNode; how: 'set' | 'append' | 'default'; type: string | null; declares?: boolean };
  function: IrFunctionParts;
  class: { body: IrNode; description: IrClass };
  /** `locals`: names that are declared in the block and that mean another variable outside of it. */
  block: { statements: readonly IrNode[]; locals?: readonly string[] };
  /** The statements run any number of times and assign these names. Also a labelled statement, which a labelled jump leaves. */
  loop: { statements: readonly IrNode[]; assigned: ReadonlySet<string> };
  /** `breaks`: a `break` inside leaves the switch. */
  switch: { subject: IrNode; cases: readonly IrCase[]; breaks: boolean };
  /** An exception handler: may run or not. `parameter`: the exception. */
  handler: { body: IrNode; parameter: IrNode | null };
  try: { body: IrNode; handlers: readonly IrNode[]; finalizer: IrNode };
  /** `isLabelled`: a label selects the loop that is left. */
  jump: { jump: 'return' | 'throw' | 'break' | 'continue'; value: IrNode; isLabelled: boolean };
  /** What a generator hands to the loop over it; `isDelegated`: each element of the value. The value is that of the operand. */
  yield: { value: IrNode; isDelegated: boolean; isKeyed: boolean };
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
  /** `out x`: the function gives the variable another value. */
  readonly isOut?: true;
}

export interface IrEntry {
  /** Null: computed or spread. */
  readonly key: string | null;
  /** A key that is computed. */
  readonly computed?: IrNode;
  readonly value: IrNode;
}

interface IrFunctionParts {
  readonly name: string | null;
  readonly parameters: readonly IrParameter[];
  readonly body: IrNode;
  /** Decorators and annotations as written. */
  readonly annotations: string;
  /** Functions that get the function and may call it. */
  readonly decorators: readonly IrNode[];
  /** The class in which it is declared. */
  readonly owner: IrClass | null;
  /** The name of the current object inside: `this`, `self`; null: it has none of its own. */
  readonly selfName: string | null;
  /** Code of other files cannot call it. */
  readonly isPrivate: boolean;
  /** Which of the program's names stand in it, by their place in `usedNames`; the end is exclusive. */
  readonly names: { readonly first: number; readonly end: number };
  /** The names that it assigns. */
  readonly assigned: ReadonlySet<string>;
  /** The declared type of the result allows no free text. */
  readonly isSafeResult: boolean;
  /** Declared without a body: in an interface. */
  readonly isAbstract: boolean;
  /** The names that begin inside: an assignment to another one changes a variable outside. */
  readonly locals: ReadonlySet<string>;
}

/** A class, interface, record, struct or module of the program. */
export interface IrClass {
  readonly name: string;
  /** The names of the classes and interfaces that it extends. */
  readonly supers: string[];
  /** By name, all overloads. */
  readonly methods: Map<string, IrFunction[]>;
  /** Assignments of the fields that are declared with or without a value. */
  readonly fields: IrNodeOf<'assign'>[];
  /** The names of the fields that all objects share. */
  readonly statics: Set<string>;
  /** Calls that declare an argument of a method, by `method.argument`: in GraphQL for Ruby. */
  readonly inputs: Map<string, IrCall>;
  /** Its objects are all known. */
  readonly isEnum: boolean;
  /** Its objects are lists: `type List []Item` in Go. */
  isList: boolean;
  /** Annotations and modifiers as written. */
  annotations: string;
}

export interface IrCase {
  /** All labels are literals, so that the subject equals one of them inside. */
  readonly isLiteral: boolean;
  readonly labels: readonly IrNode[];
  /** Continues in the next case unless a jump leaves it. */
  readonly fallsThrough: boolean;
  readonly body: IrNode;
}

export interface IrParameter {
  readonly target: IrNode;
  readonly type: string | null;
  /** The type allows no free text: a number, or one of some literals. */
  readonly isSafeType: boolean;
  /** The value without an argument. */
  readonly defaultValue: IrNode | null;
  /** Takes all further arguments as a list. */
  readonly isRest: boolean;
  /** The parameter as written, with annotations and default: frameworks say there where the value comes from. */
  readonly annotations: string;
}

export interface IrProgram {
  readonly body: IrNode;
  /** How many syntax nodes were lowered. */
  readonly size: number;
  /** All names that the program declares. */
  readonly declared: ReadonlySet<string>;
  /** By name. */
  readonly classes: ReadonlyMap<string, IrClass>;
  /** A field may be written without `this`. */
  readonly implicitThis: boolean;
  /** A method without arguments is called by its name alone. */
  readonly callsByName: boolean;
  /** The name of the current object. */
  readonly selfName: string;
  /** An assignment of a list or record copies it. */
  readonly copiesLists: boolean;
  /** A function may take an argument by reference without a sign of it in the call. */
  readonly passesReferences: boolean;
  /** Types whose values hold no free text. */
  readonly scalarTypes: RegExp;
  /** A variable, parameter or result holds values of its declared type alone. */
  readonly enforcesTypes: boolean;
  /** The quotient of integers is an integer. */
  readonly integerDivision: boolean;
  /** `object[name]` is a member of the object, also a method. */
  readonly indexesMembers: boolean;
  /** What a loop over a record gets. */
  readonly recordsIterate: 'keys' | 'entries' | 'values';
  /** A variable without a value holds an empty object or list of its type. */
  readonly hasZeroValues: boolean;
  /** By name, all functions and methods that have it. */
  readonly functions: ReadonlyMap<string, readonly IrFunction[]>;
  /** All names of variables and members, in the order of the program. */
  readonly usedNames: readonly string[];
  /** Names that are assigned at more than one place. */
  readonly reassigned: ReadonlySet<string>;
  /** Names of variables that a function inside of the one that declares them assigns. */
  readonly assignedInside: ReadonlySet<string>;
  /** Names of functions that a route with schemas or other options has as its handler. */
  readonly checkedHandlers: ReadonlySet<string>;
  /** Syntax nodes that were left out because they are nested too deeply. */
  readonly skippedNodeCount: number;
}

/** The function whose result is the key of a record in a loop over it, or the index of a list. */
export const KEY_OF = '#key';

/** The name of the block that a method of Ruby was passed. */
export const PASSED_BLOCK = '&block';

/** The parameter of a function that a reference to a method is: `Type::method` in Java. */
export const REFERENCE_PARAMETER = '#element';

/** Under this name a class has the method that sets a property. */
export function setterName(property: string): string {
  return `set:${property}`;
}

/** A string or constant, or a list or block of them. */
export function isLiteral(node: IrNode): boolean {
  if (node.op === 'block') return node.statements.length > 0 && node.statements.every(isLiteral);
  if (node.op === 'list') return node.elements.length > 0 && node.elements.every(isLiteral);
  return node.op === 'string' || node.op === 'constant';
}
