import type { SyntaxNode } from '../syntax-tree.ts';

/**
 * What a syntax node type means for values. `lower-program.ts` has one function for each role. A type without a role is
 * transparent: its children are lowered in their order.
 */
export type SyntaxRole =
  /** Has no meaning for values: comments, types, modifiers. */
  | 'skip'
  | 'name'
  | 'constant'
  | 'string'
  /** A regular expression, with its flags. */
  | 'pattern'
  /** A literal part of a string. */
  | 'fragment'
  | 'heredoc-start'
  /** `%w[a b]` in Ruby. */
  | 'word-list'
  | 'member'
  | 'index'
  | 'call'
  | 'new'
  | 'shell'
  | 'include'
  | 'binary'
  | 'comparison'
  | 'not'
  | 'unary'
  | 'cast'
  /** Has the value of its first operand: `await x`, `x as T`. */
  | 'wrapper'
  | 'assign'
  | 'declarator'
  /** Declarators with a common type. */
  | 'declaration'
  | 'conditional'
  | 'if'
  | 'unless'
  | 'assert'
  | 'loop'
  | 'for-each'
  | 'range-clause'
  | 'comprehension'
  | 'switch'
  | 'case'
  /** `case value in pattern` in Ruby. */
  | 'case-in'
  /** `value in pattern`, `value => pattern` in Ruby. */
  | 'pattern-match'
  | 'try'
  | 'handler'
  | 'rescue-modifier'
  | 'function'
  | 'decorated'
  | 'class'
  | 'field'
  | 'list'
  | 'record'
  | 'pair'
  | 'composite-literal'
  /** `...list`, `**options` */
  | 'spread'
  /** A declaration of a struct in Go. */
  | 'type-spec'
  /** `from x in xs where f(x) select g(x)` in C#. */
  | 'query'
  /** `x with { A = b }` in C#: a copy with other fields. */
  | 'copy-with'
  /** A part of a list. */
  | 'slice'
  /** A value of which nothing is known. */
  | 'opaque'
  | 'return'
  | 'jump'
  /** `yield value` of a generator: the function goes on. */
  | 'yield'
  | 'channel-send'
  /** `Type::method` */
  | 'method-reference'
  /** `super(x)` in a constructor. */
  | 'constructor-call'
  | 'import'
  /** Names of variables that belong to the code outside of the function. */
  | 'outer-names';

/** What lowering needs to know about a language, in the terms of its tree-sitter grammar. */
export interface Grammar {
  /** For each role the node types that have it, separated by spaces. */
  readonly roles: Partial<Record<SyntaxRole, string>>;
  /** Binary operators that concatenate. */
  readonly concatOperators: readonly string[];
  /** Assignment operators that append. */
  readonly appendOperators: readonly string[];
  /** Binary operators whose value is that of one operand, apart from `||` and `or`. */
  readonly coalesceOperators: readonly string[];
  /** Types whose values hold no free text. */
  readonly scalarTypes: RegExp;
  /** A method without arguments is called by its name alone. */
  readonly callsByName?: true;
  /** Attributes of a field that a framework fills from the request; the field begins as the variable `#request`. */
  readonly boundFields?: RegExp;
  /** Decorators of a field with which a framework lets through nothing that does harm. */
  readonly validatedFields?: RegExp;
  /** A function returns its last value. */
  readonly implicitReturn: boolean;
  /** A field may be written without `this`. */
  readonly implicitThis?: true;
  /** The name of the current object in a method; without it, the first parameter is the object. */
  readonly selfName?: string;
  /** A function may take an argument by reference without a sign of it in the call. */
  readonly passesReferences?: true;
  /** An assignment of a list or record copies it. */
  readonly copiesLists?: true;
  /** A path divided by a name is a path. */
  readonly joinsPaths?: true;
  /** The sum of arrays is an array with the elements of both. */
  readonly addsLists?: true;
  /** A variable, parameter or result holds values of its declared type alone. */
  readonly enforcesTypes?: true;
  /** The quotient of integers is an integer. */
  readonly integerDivision?: true;
  /** `object[name]` is a member of the object, also a method. */
  readonly indexesMembers?: true;
  /** What a loop over a record gets: its keys, pairs of key and value, or else its values. */
  readonly recordsIterate?: 'keys' | 'entries';
  /** A variable without a value holds an empty object or list of its type. */
  readonly hasZeroValues?: true;
  /** The names of functions that other files may call; without it, all of them may be called. `source`: the whole text. */
  exportedNames?(source: string): ReadonlySet<string>;
  /** An assignment declares a variable: of each function, or of functions that are no closures. */
  readonly localByAssignment?: 'functions' | 'closures';
  /** The local names that an import declares, each with the qualified name that it stands for. */
  imports(node: SyntaxNode, text: (node: SyntaxNode) => string): (readonly [local: string, origin: string])[];
}
