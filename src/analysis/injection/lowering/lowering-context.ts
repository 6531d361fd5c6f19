import type { IrClass, IrFunction, IrNode } from '../ir/ir.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { DeclaredNames } from './declared-names.ts';
import type { Grammar, SyntaxRole } from './grammar.ts';

/** Deeper nodes are left out, so that no program can exhaust the stack. */
const MAX_DEPTH = 300;

export type LowerNode = (context: LoweringContext, syntax: SyntaxNode) => IrNode;

/** The state of lowering one program, and what the functions for single nodes need of it. */
export class LoweringContext {
  readonly grammar: Grammar;
  readonly root: SyntaxNode;
  readonly names: DeclaredNames;
  readonly classes = new Map<string, IrClass>();
  readonly functions = new Map<string, IrFunction[]>();
  readonly checkedHandlers = new Set<string>();
  /** The class whose members are being lowered; null: other code. */
  owner: IrClass | null = null;
  /** Within a declaration of fields that all objects of the class share. */
  isStatic = false;
  /** Methods that are private by what stands outside of them. */
  readonly privateMethods = new Set<SyntaxNode>();
  /** The text of each heredoc, by the node that begins it. */
  readonly heredocs: ReadonlyMap<SyntaxNode, SyntaxNode>;
  /** The declared type of the value that is being lowered: that of `new()` in C#. */
  expectedType: string | null = null;
  /** The names of functions that other files may call; null: of all. */
  readonly exportedNames: ReadonlySet<string> | null;
  skippedNodeCount = 0;
  nodeCount = 0;
  readonly #source: string;
  readonly #lowerNode: LowerNode;
  readonly #roles: ReadonlyMap<string, SyntaxRole>;
  #depth = 0;

  constructor(root: SyntaxNode, source: string, grammar: Grammar, lowerNode: LowerNode) {
    this.grammar = grammar;
    this.root = root;
    this.names = new DeclaredNames(grammar.localByAssignment ?? null);
    this.#source = source;
    this.#lowerNode = lowerNode;
    this.#roles = rolesOf(grammar);
    this.exportedNames = grammar.exportedNames?.(source) ?? null;
    this.heredocs = grammar.roles['heredoc-start'] === undefined ? new Map() : pairHeredocs(root);
  }

  lower(syntax: SyntaxNode): IrNode {
    if (this.#depth >= MAX_DEPTH) {
      this.skippedNodeCount += 1;
      return { op: 'empty', syntax };
    }
    this.#depth += 1;
    this.nodeCount += 1;
    const node = this.#lowerNode(this, syntax);
    this.#depth -= 1;
    return node;
  }

  lowerAll(nodes: readonly SyntaxNode[]): IrNode[] {
    return nodes.map((node) => this.lower(node));
  }

  /** An empty node at `parent` where the syntax node is missing. */
  lowerOptional(syntax: SyntaxNode | undefined, parent: SyntaxNode): IrNode {
    return syntax === undefined ? { op: 'empty', syntax: parent } : this.lower(syntax);
  }

  /** The first child that is no type, operator or comment. */
  lowerFirst(parent: SyntaxNode): IrNode {
    for (const child of parent.children) {
      if (this.role(child) !== 'skip' && child.field !== 'operator') return this.lower(child);
    }
    return { op: 'empty', syntax: parent };
  }

  role(syntax: SyntaxNode): SyntaxRole | undefined {
    return this.#roles.get(syntax.type);
  }

  text(syntax: SyntaxNode): string {
    return this.#source.slice(syntax.start, syntax.end);
  }

  /** What stands before the node, at most so many characters. */
  textBefore({ start }: SyntaxNode, length: number): string {
    return this.#source.slice(Math.max(0, start - length), start);
  }

  /** Null where the syntax node is missing. */
  optionalText(syntax: SyntaxNode | undefined): string | null {
    return syntax === undefined ? null : this.text(syntax);
  }

  /** A name without its namespace and type arguments. */
  nameOf(syntax: SyntaxNode): string {
    const text = this.text(syntax);
    const plain = syntax.type === 'generic_name' ? text.slice(0, text.indexOf('<')) : text;
    return plain.slice(plain.lastIndexOf('\\') + 1).trim();
  }

  /** The class with this name; its parts may stand at several places. */
  classNamed(name: string, supers: readonly string[] = [], isEnum = false): IrClass {
    const known = this.classes.get(name);
    if (known !== undefined) {
      known.supers.push(...supers);
      return known;
    }
    const description: IrClass = {
      name,
      supers: [...supers],
      methods: new Map(),
      fields: [],
      statics: new Set(),
      inputs: new Map(),
      isEnum,
      isList: false,
      annotations: '',
    };
    this.classes.set(name, description);
    return description;
  }

  /** Lowers with these members' class; null: what is inside belongs to no class. */
  inClass<Result>(owner: IrClass | null, lower: () => Result): Result {
    const before = this.owner;
    this.owner = owner;
    const result = lower();
    this.owner = before;
    return result;
  }

  /** Lowers a value of this type. */
  expecting<Result>(type: string | null, lower: () => Result): Result {
    const before = this.expectedType;
    this.expectedType = type;
    const result = lower();
    this.expectedType = before;
    return result;
  }

  addFunction(name: string, fn: IrFunction): void {
    const known = this.functions.get(name);
    if (known === undefined) this.functions.set(name, [fn]);
    else known.push(fn);
  }
}

const roleTables = new WeakMap<Grammar, ReadonlyMap<string, SyntaxRole>>();

function rolesOf(grammar: Grammar): ReadonlyMap<string, SyntaxRole> {
  let table = roleTables.get(grammar);
  if (table === undefined) {
    const rows = Object.entries(grammar.roles) as [SyntaxRole, string][];
    table = new Map(rows.flatMap(([role, types]) => types.split(' ').map((type) => [type, role] as const)));
    roleTables.set(grammar, table);
  }
  return table;
}

/** The text of a heredoc follows the line that begins it: the n-th beginning has the n-th text. */
function pairHeredocs(root: SyntaxNode): Map<SyntaxNode, SyntaxNode> {
  const pairs = new Map<SyntaxNode, SyntaxNode>();
  const starts: SyntaxNode[] = [];
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'heredoc_beginning') starts.push(node);
    if (node.type === 'heredoc_body') {
      const start = starts.shift();
      if (start !== undefined) pairs.set(start, node);
    }
    for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index]!);
  }
  return pairs;
}

/** The children that have a meaning for values. */
export function withoutSkipped(context: LoweringContext, { children }: SyntaxNode): SyntaxNode[] {
  return children.filter((child) => context.role(child) !== 'skip');
}

/** The name under which a class without a name is kept. */
export function anonymousClassName({ start }: SyntaxNode): string {
  return `class:${start}`;
}
