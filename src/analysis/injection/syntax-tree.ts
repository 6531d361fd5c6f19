/** A place in the source text: offsets in UTF-16 units, the end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A node of a concrete syntax tree: named nodes, and unnamed ones (operators) that are in a field. Types and fields are those of
 * the language's tree-sitter grammar.
 */
export interface SyntaxNode extends Span {
  readonly type: string;
  readonly field: string | null;
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** Places where the text does not follow the grammar. */
  readonly errorCount: number;
  /** Where the first of these places begin. */
  readonly errorOffsets: readonly number[];
  readonly nodeCount: number;
  /** Where reading stopped because there were too many nodes; null: the tree is complete. */
  readonly truncatedAtOffset: number | null;
}

/** Parses text by a tree-sitter grammar (`c-sharp`); null: it takes too much time or memory. */
export type SyntaxParser = (text: string, grammar: string) => Promise<SyntaxTree | null>;

/** The first child in one of these fields. */
export function inField(node: SyntaxNode, ...fields: readonly string[]): SyntaxNode | undefined {
  return node.children.find(({ field }) => field !== null && fields.includes(field));
}

/** All children in these fields. */
export function allInField(node: SyntaxNode, ...fields: readonly string[]): SyntaxNode[] {
  return node.children.filter(({ field }) => field !== null && fields.includes(field));
}
