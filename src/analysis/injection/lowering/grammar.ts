import type { SyntaxNode } from '../syntax-tree.ts';

/** What a node type is to the flow of values. A type without a role is transparent: its parts run in order. */
export type Role =
  | 'skip'
  | 'name'
  | 'constant'
  | 'string'
  | 'fragment'
  | 'interpolation'
  | 'heredoc-start'
  | 'words'
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
  | 'first'
  | 'assign'
  | 'declare'
  | 'declaration'
  | 'choice'
  | 'if'
  | 'unless'
  | 'modifier-if'
  | 'modifier-unless'
  | 'loop'
  | 'each'
  | 'each-php'
  | 'range'
  | 'comprehension'
  | 'switch'
  | 'case'
  | 'try'
  | 'maybe'
  | 'fallback'
  | 'routine'
  | 'decorated'
  | 'class'
  | 'field'
  | 'list'
  | 'record'
  | 'pair'
  | 'composite'
  | 'anonymous-object'
  | 'return'
  | 'leave'
  | 'labelled'
  | 'send'
  | 'import';

export interface Grammar {
  /** Node types, in words, of each role. */
  readonly roles: Partial<Record<Role, string>>;
  /** Binary operators that join texts. */
  readonly joins: readonly string[];
  /** Assignment operators that join to what is there. */
  readonly appends: readonly string[];
  /** Binary operators that give one of their sides. */
  readonly eithers: readonly string[];
  /** Casts to these leave no text. */
  readonly numeric: RegExp;
  /** The last value of a routine is what it returns. */
  readonly lastIsResult: boolean;
  /** A name that a method does not declare may be a field. */
  readonly implicitThis?: true;
  /** What an import brings: local names, and what they stand for. */
  imports(node: SyntaxNode, text: (node: SyntaxNode) => string): (readonly [string, string])[];
}
