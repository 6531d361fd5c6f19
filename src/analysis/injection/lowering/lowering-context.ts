import type { Grammar, Role } from './grammar.ts';
import type { Routine, Step } from '../ir/ir.ts';
import type { SyntaxNode } from '../syntax-tree.ts';

/** What the readers of single nodes may ask of the reading of the whole tree. */
export interface Lowering {
  readonly grammar: Grammar;
  readonly declared: Set<string>;
  readonly classes: Set<string>;
  readonly routines: Map<string, Routine | null>;
  /** The text of each heredoc, by the node that names it. */
  readonly heredocs: ReadonlyMap<SyntaxNode, SyntaxNode>;
  lower(node: SyntaxNode): Step;
  role(node: SyntaxNode): Role | undefined;
  text(node: SyntaxNode): string;
  /** A name without its namespace and type arguments. */
  nameOf(node: SyntaxNode): string;
  /** The first part that is no type, operator or comment. */
  lowerFirst(node: SyntaxNode): Step;
  declare(node: SyntaxNode): void;
}
