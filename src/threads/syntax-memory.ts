import type { Language, Tree } from '@vscode/tree-sitter-wasm';
import type { SyntaxNode, SyntaxTree } from '../analysis/injection/syntax-tree.ts';

/** A megabyte of ordinary code has about 300,000. */
const MAX_NODES = 600_000;
const MAX_ERROR_OFFSETS = 5;
/** The parser counts bytes of UTF-16: this many bits more than its units. */
const UNIT_SHIFT = 1;
/** A node in the memory: the address of its data, or the data itself. */
const SUBTREE_BYTES = 8;
const ERROR = 'ERROR';

/**
 * Offsets in the structs of tree-sitter 0.25 (`lib/src/subtree.h`, `lib/src/parser.h`) where pointers have 32 bits. A node is a
 * union: small leaves hold their data inside of it (the lowest bit is 1), others are a pointer, with the children before the data.
 */
const HEAP = { padding: 4, size: 16, childCount: 36, symbol: 40, flags: 44, productionId: 66 } as const;
const HEAP_FLAGS = { visible: 1, named: 2, extra: 4, missing: 512 } as const;
const INLINE = { symbol: 1, padding: 6, size: 7 } as const;
const INLINE_FLAGS = { isInline: 1, visible: 2, named: 4, extra: 8, missing: 32 } as const;
const LANGUAGE = {
  symbolCount: 4,
  aliasCount: 8,
  fieldCount: 32,
  aliasLength: 36,
  fieldSlices: 64,
  fieldEntries: 68,
  metadata: 72,
  publicSymbols: 76,
  aliases: 84,
} as const;
const METADATA_BYTES = 3;
const FIELD_ENTRY_BYTES = 4;

/** What the nodes of a grammar's trees refer to. */
export interface GrammarTables {
  readonly address: number;
  readonly types: readonly (string | undefined)[];
  readonly fields: readonly (string | null)[];
}

/** Throws where the memory does not look as this module expects: another version of tree-sitter. */
export function requireKnownLayout(memory: ArrayBuffer, language: Language): GrammarTables {
  const address = addressOf(language);
  const words = new Uint32Array(memory);
  const symbolCount = words[(address + LANGUAGE.symbolCount) >> 2]! + words[(address + LANGUAGE.aliasCount) >> 2]!;
  const fieldCount = words[(address + LANGUAGE.fieldCount) >> 2];
  if (symbolCount !== language.nodeTypeCount || fieldCount !== language.fieldCount) {
    throw new Error('the memory of this version of tree-sitter is not known');
  }
  const fields = Array.from({ length: language.fieldCount + 1 }, (_, id) => language.fieldNameForId(id));
  return { address, types: language.types, fields };
}

/** The library keeps the address of a struct in the property 0 of its object. */
function addressOf(object: Language | Tree): number {
  return (object as unknown as { 0: number })[0];
}

interface MutableNode {
  type: string;
  field: string | null;
  start: number;
  end: number;
  children: SyntaxNode[];
}

/** Of all leaves. */
const NO_CHILDREN: SyntaxNode[] = [];

/** A node whose children are being read. */
interface Frame {
  /** The visible node that gets the children; of a hidden one, that around it. */
  node: MutableNode;
  /** The address of the next child, and of the end. */
  next: number;
  end: number;
  /** Where the next child begins with the space before it, in bytes. */
  position: number;
  /** The index of the next child among those that are no extras (comments). */
  index: number;
  productionId: number;
  /** Of a hidden node: the field of its children that have none themselves. */
  field: number;
}

/**
 * Reads a tree from the memory of the parser. The library's cursor gives the same (a test compares them) and takes seven times as long,
 * with a call into WebAssembly for each property of each node. Without recursion, because nesting may be as deep as the text is long.
 */
export function readSyntaxTree(memory: ArrayBuffer, tree: Tree, tables: GrammarTables): SyntaxTree {
  const bytes = new Uint8Array(memory);
  const halves = new Uint16Array(memory);
  const words = new Uint32Array(memory);
  const { types, fields } = tables;
  const pointer = (offset: number): number => words[(tables.address + offset) >> 2]!;
  const fieldSlices = pointer(LANGUAGE.fieldSlices);
  const fieldEntries = pointer(LANGUAGE.fieldEntries);
  const metadata = pointer(LANGUAGE.metadata);
  const publicSymbols = pointer(LANGUAGE.publicSymbols);
  const aliases = pointer(LANGUAGE.aliases);
  const aliasLength = halves[(tables.address + LANGUAGE.aliasLength) >> 1]!;
  const hasFields = fields.length > 1;

  const typeOf = (symbol: number): string =>
    (symbol >= types.length ? undefined : types[halves[(publicSymbols >> 1) + symbol]!]) ?? ERROR;
  const fieldAt = (productionId: number, index: number): number => {
    if (!hasFields) return 0;
    const slice = (fieldSlices >> 1) + 2 * productionId;
    let entry = fieldEntries + FIELD_ENTRY_BYTES * halves[slice]!;
    for (const end = entry + FIELD_ENTRY_BYTES * halves[slice + 1]!; entry < end; entry += FIELD_ENTRY_BYTES) {
      if (bytes[entry + 2] === index && bytes[entry + 3] === 0) return halves[entry >> 1]!;
    }
    return 0;
  };

  const rootData = words[addressOf(tree) >> 2]!;
  const rootStart = words[(rootData + HEAP.padding) >> 2]!;
  const root: MutableNode = {
    type: typeOf(halves[(rootData + HEAP.symbol) >> 1]!),
    field: null,
    start: rootStart >> UNIT_SHIFT,
    end: (rootStart + words[(rootData + HEAP.size) >> 2]!) >> UNIT_SHIFT,
    children: NO_CHILDREN,
  };
  const frameOf = (node: MutableNode, data: number, start: number, field: number): Frame => {
    const childCount = words[(data + HEAP.childCount) >> 2]!;
    return {
      node,
      next: data - SUBTREE_BYTES * childCount,
      end: data,
      position: start,
      index: 0,
      productionId: childCount === 0 ? 0 : halves[(data + HEAP.productionId) >> 1]!,
      field,
    };
  };

  let nodeCount = 0;
  let errorCount = 0;
  const errorOffsets: number[] = [];
  const recordError = (offset: number): void => {
    errorCount += 1;
    if (errorOffsets.length < MAX_ERROR_OFFSETS) errorOffsets.push(offset);
  };
  let truncatedAtOffset: number | null = null;
  // The first child begins where its parent begins: the space before it is that before the parent.
  const open: Frame[] = [frameOf(root, rootData, rootStart, 0)];
  let frame = open[0]!;
  let isFirst = true;
  for (;;) {
    if (frame.next === frame.end) {
      open.pop();
      if (open.length === 0) break;
      frame = open[open.length - 1]!;
      isFirst = false;
      continue;
    }
    const data = words[frame.next >> 2]!;
    const inline = (data & INLINE_FLAGS.isInline) !== 0;
    let symbol: number;
    let padding: number;
    let size: number;
    let isVisible: boolean;
    let isNamed: boolean;
    let isExtra: boolean;
    let isMissing: boolean;
    if (inline) {
      symbol = bytes[frame.next + INLINE.symbol]!;
      padding = bytes[frame.next + INLINE.padding]!;
      size = bytes[frame.next + INLINE.size]!;
      isVisible = (data & INLINE_FLAGS.visible) !== 0;
      isNamed = (data & INLINE_FLAGS.named) !== 0;
      isExtra = (data & INLINE_FLAGS.extra) !== 0;
      isMissing = (data & INLINE_FLAGS.missing) !== 0;
    } else {
      symbol = halves[(data + HEAP.symbol) >> 1]!;
      padding = words[(data + HEAP.padding) >> 2]!;
      size = words[(data + HEAP.size) >> 2]!;
      const flags = halves[(data + HEAP.flags) >> 1]!;
      isVisible = (flags & HEAP_FLAGS.visible) !== 0;
      isNamed = (flags & HEAP_FLAGS.named) !== 0;
      isExtra = (flags & HEAP_FLAGS.extra) !== 0;
      isMissing = (flags & HEAP_FLAGS.missing) !== 0;
    }
    if (isFirst) padding = 0;
    isFirst = false;
    const { productionId } = frame;
    const start = frame.position + padding;
    frame.next += SUBTREE_BYTES;
    frame.position = start + size;
    let field = 0;
    if (!isExtra) {
      const alias = productionId === 0 ? 0 : halves[(aliases >> 1) + productionId * aliasLength + frame.index]!;
      if (alias !== 0) {
        isVisible = true;
        symbol = alias;
        isNamed = bytes[metadata + METADATA_BYTES * alias + 1] !== 0;
      }
      field = fieldAt(productionId, frame.index) || frame.field;
      frame.index += 1;
    }
    let parent = frame.node;
    if (isVisible) {
      if (isMissing) {
        recordError(start >> UNIT_SHIFT);
        continue;
      }
      if (!isNamed && field === 0) continue;
      parent = {
        type: typeOf(symbol),
        field: fields[field] ?? null,
        start: start >> UNIT_SHIFT,
        end: (start + size) >> UNIT_SHIFT,
        children: NO_CHILDREN,
      };
      field = 0;
      nodeCount += 1;
      if (parent.type === ERROR) recordError(parent.start);
      if (frame.node.children === NO_CHILDREN) frame.node.children = [parent];
      else frame.node.children.push(parent);
      if (nodeCount >= MAX_NODES) {
        truncatedAtOffset = parent.start;
        break;
      }
    }
    if (!inline) {
      frame = frameOf(parent, data, start, field);
      open.push(frame);
      isFirst = true;
    }
  }
  if (root.type === ERROR) recordError(root.start);
  return { root, errorCount, errorOffsets, nodeCount, truncatedAtOffset };
}
