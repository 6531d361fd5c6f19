/**
 * A node of a concrete syntax tree, as the reader of trees hands it over: named nodes, and unnamed ones (operators) that stand in
 * a field. Offsets are UTF-16 units of the source. The names of types and fields are those of the language's tree-sitter grammar.
 */
export interface SyntaxNode {
  readonly type: string;
  readonly field: string | null;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/** The first child in one of these fields. */
export function inField(node: SyntaxNode, ...fields: readonly string[]): SyntaxNode | undefined {
  return node.children.find(({ field }) => field !== null && fields.includes(field));
}

/** All children in these fields. */
export function allInField(node: SyntaxNode, ...fields: readonly string[]): SyntaxNode[] {
  return node.children.filter(({ field }) => field !== null && fields.includes(field));
}
