import type { Grammar, Role } from './grammar.ts';
import { lowerCall, lowerInclude, lowerNew, lowerSend, lowerShell } from './lower-call.ts';
import { lowerRoutine } from './lower-function.ts';
import {
  lowerComprehension,
  lowerConditional,
  lowerDefault,
  lowerEach,
  lowerIf,
  lowerLeave,
  lowerLoop,
  lowerSwitch,
  lowerTry,
} from './lower-statement.ts';
import {
  lowerAssign,
  lowerBinary,
  lowerCast,
  lowerComparison,
  lowerDeclarator,
  lowerIndex,
  lowerList,
  lowerMember,
  lowerRecord,
  lowerString,
  lowerUnary,
} from './lower-expression.ts';
import type { Lowering } from './lowering-context.ts';
import type { Routine, Step } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';

/** Nesting beyond this is left out, so that no program can exhaust the stack. */
const MAX_DEPTH = 300;

export interface Program {
  readonly body: Step;
  /** Every name that the program itself gives a meaning. */
  readonly declared: ReadonlySet<string>;
  /** Names of its classes. */
  readonly classes: ReadonlySet<string>;
  /** Fields go by their name alone. */
  readonly implicitThis: boolean;
  /** By name, where the name is that of one alone. */
  readonly routines: ReadonlyMap<string, Routine | null>;
  /** Nodes that were left out because they are nested too deeply. */
  readonly tooDeep: number;
}

/** Reads a syntax tree as steps: the one place where node types meet their roles. */
export function lowerProgram(root: SyntaxNode, source: string, grammar: Grammar): Program {
  const lowering = new TreeLowering(source, grammar);
  lowering.pairHeredocs(root);
  const body = lowering.lower(root);
  const { declared, classes, routines, tooDeep } = lowering;
  return { body, declared, classes, implicitThis: grammar.implicitThis === true, routines, tooDeep };
}

type Lower = (lowering: Lowering, node: SyntaxNode) => Step;

const BY_ROLE: Record<Role, Lower> = {
  skip: (_, at) => ({ op: 'none', at }),
  name: (lowering, at) => ({ op: 'name', name: lowering.nameOf(at), at }),
  constant: (lowering, at) => ({ op: 'constant', text: lowering.text(at), at }),
  string: lowerString,
  fragment: lowerString,
  interpolation: (lowering, at) => lowerDefault(lowering, at),
  'heredoc-start': (lowering, at) => {
    const body = lowering.heredocs.get(at);
    return body === undefined ? { op: 'text', text: '', at } : lowerString(lowering, body);
  },
  words: (lowering, at) => ({ op: 'list', items: at.children.map((child) => lowering.lower(child)), at }),
  member: lowerMember,
  index: lowerIndex,
  call: lowerCall,
  new: lowerNew,
  shell: lowerShell,
  include: lowerInclude,
  binary: lowerBinary,
  comparison: lowerComparison,
  not: (lowering, at) => ({ op: 'not', value: lowering.lowerFirst(at), at }),
  unary: lowerUnary,
  cast: lowerCast,
  first: (lowering, at) => lowering.lowerFirst(at),
  assign: lowerAssign,
  declare: (lowering, at) => lowerDeclarator(lowering, at, null),
  declaration: (lowering, at) => {
    const type = inField(at, 'type');
    const declared = type === undefined ? null : lowering.text(type);
    const steps = at.children
      .filter((child) => lowering.role(child) === 'declare' || lowering.role(child) === undefined)
      .map((child) =>
        lowering.role(child) === 'declare' ? lowerDeclarator(lowering, child, declared) : lowering.lower(child),
      );
    return { op: 'block', steps, at };
  },
  choice: lowerConditional,
  if: (lowering, at) => lowerIf(lowering, at, false),
  unless: (lowering, at) => lowerIf(lowering, at, true),
  'modifier-if': (lowering, at) => lowerIf(lowering, at, false),
  'modifier-unless': (lowering, at) => lowerIf(lowering, at, true),
  loop: lowerLoop,
  each: lowerEach,
  'each-php': lowerEach,
  range: lowerEach,
  comprehension: lowerComprehension,
  switch: lowerSwitch,
  case: lowerDefault,
  try: lowerTry,
  fallback: (lowering, at) => ({ op: 'either', parts: at.children.map((child) => lowering.lower(child)), at }),
  maybe: (lowering, at) => {
    for (const name of allInField(at, 'parameter', 'name', 'variable')) lowering.declare(name);
    const steps = at.children.filter(({ field }) => field !== 'parameter').map((child) => lowering.lower(child));
    return { op: 'maybe', body: { op: 'block', steps, at }, at };
  },
  routine: (lowering, at) => lowerRoutine(lowering, at, ''),
  decorated: (lowering, at) => {
    const notes = at.children.filter(({ field }) => field === null).map((child) => lowering.text(child));
    const definition = inField(at, 'definition') ?? at;
    return lowering.role(definition) === 'routine'
      ? lowerRoutine(lowering, definition, notes.join('\n'))
      : lowerDefault(lowering, at);
  },
  class: (lowering, at) => {
    const name = inField(at, 'name');
    if (name !== undefined) {
      lowering.declare(name);
      lowering.classes.add(lowering.nameOf(name));
    }
    return { op: 'scope', body: lowerDefault(lowering, inField(at, 'body') ?? at), at };
  },
  field: (lowering, at) => {
    const name = inField(at, 'name');
    const value = inField(at, 'value');
    if (name === undefined || value === undefined) return { op: 'none', at };
    const self: Step = { op: 'name', name: 'this', at };
    const target: Step = { op: 'member', object: self, name: lowering.text(name), at };
    return { op: 'assign', target, value: lowering.lower(value), how: 'set', type: null, at };
  },
  list: lowerList,
  record: lowerRecord,
  pair: (lowering, at) => {
    const value = inField(at, 'value') ?? at.children.at(-1);
    return value === undefined ? { op: 'none', at } : lowering.lower(value);
  },
  composite: (lowering, at) => {
    const body = inField(at, 'body');
    if (body === undefined) return { op: 'none', at };
    return body.children.some(({ type }) => type === 'keyed_element')
      ? lowerRecord(lowering, body)
      : lowerList(lowering, body);
  },
  'anonymous-object': (_, at) => ({ op: 'none', at }),
  return: (lowering, at) => ({ op: 'exit', value: lowering.lowerFirst(at), leaves: 'routine', far: false, at }),
  leave: lowerLeave,
  labelled: lowerLoop,
  send: lowerSend,
  import: (lowering, at) => {
    const names = lowering.grammar.imports(at, (node) => lowering.text(node));
    for (const [local] of names) lowering.declared.add(local);
    return { op: 'import', names, at };
  },
};

class TreeLowering implements Lowering {
  readonly grammar: Grammar;
  readonly declared = new Set<string>();
  readonly classes = new Set<string>();
  readonly routines = new Map<string, Routine | null>();
  readonly heredocs = new Map<SyntaxNode, SyntaxNode>();
  tooDeep = 0;
  readonly #source: string;
  readonly #roles: ReadonlyMap<string, Role>;
  #depth = 0;

  constructor(source: string, grammar: Grammar) {
    this.#source = source;
    this.grammar = grammar;
    this.#roles = rolesOf(grammar);
  }

  lower(node: SyntaxNode): Step {
    if (this.#depth >= MAX_DEPTH) {
      this.tooDeep += 1;
      return { op: 'none', at: node };
    }
    this.#depth += 1;
    const role = this.role(node);
    const step = role === undefined ? lowerDefault(this, node) : BY_ROLE[role](this, node);
    this.#depth -= 1;
    return step;
  }

  role(node: SyntaxNode): Role | undefined {
    return this.#roles.get(node.type);
  }

  text(node: SyntaxNode): string {
    return this.#source.slice(node.start, node.end);
  }

  /** A name without its namespace and type arguments. */
  nameOf(node: SyntaxNode): string {
    const text = this.text(node);
    const plain = node.type === 'generic_name' ? text.slice(0, text.indexOf('<')) : text;
    return plain.slice(plain.lastIndexOf('\\') + 1).trim();
  }

  /** The first part that is no type, operator or comment. */
  lowerFirst(node: SyntaxNode): Step {
    const first = node.children.find((child) => this.role(child) !== 'skip' && child.field !== 'operator');
    return first === undefined ? { op: 'none', at: node } : this.lower(first);
  }

  declare(node: SyntaxNode): void {
    this.declared.add(this.nameOf(node));
  }

  /** A heredoc's text comes after the line that names it: the n-th name has the n-th text. */
  pairHeredocs(root: SyntaxNode): void {
    if (this.grammar.roles['heredoc-start'] === undefined) return;
    const starts: SyntaxNode[] = [];
    const open: SyntaxNode[] = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.type === 'heredoc_beginning') starts.push(node);
      if (node.type === 'heredoc_body') {
        const start = starts.shift();
        if (start !== undefined) this.heredocs.set(start, node);
      }
      for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at]!);
    }
  }
}

const roleTables = new WeakMap<Grammar, ReadonlyMap<string, Role>>();

function rolesOf(grammar: Grammar): ReadonlyMap<string, Role> {
  let table = roleTables.get(grammar);
  if (table === undefined) {
    const rows = Object.entries(grammar.roles) as [Role, string][];
    table = new Map(rows.flatMap(([role, types]) => types.split(' ').map((type) => [type, role] as const)));
    roleTables.set(grammar, table);
  }
  return table;
}
