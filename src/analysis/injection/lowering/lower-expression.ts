import type { IrEntry, IrNode } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';
import { callOf } from './lower-call.ts';
import { lowerGenericCall } from './lower-generic-call.ts';
import { type LoweringContext, withoutSkipped } from './lowering-context.ts';

/** A string literal, or the concatenation of its fragments and interpolated values. */
export function lowerString(context: LoweringContext, syntax: SyntaxNode): IrNode {
  if (syntax.children.length === 0) return { op: 'string', text: unquoted(context.text(syntax)), syntax };
  const parts: IrNode[] = [];
  let literal = '';
  for (const child of syntax.children) {
    const role = context.role(child);
    if (role === 'skip') continue;
    const part: IrNode =
      role === 'fragment' ? { op: 'string', text: context.text(child), syntax: child } : context.lower(child);
    if (part.op !== 'string') parts.push({ op: 'string', text: literal, syntax }, part);
    literal = part.op === 'string' ? literal + part.text : '';
  }
  if (parts.length === 0) return { op: 'string', text: literal, syntax };
  parts.push({ op: 'string', text: literal, syntax });
  return {
    op: 'concat',
    parts: parts.filter((part) => part.op !== 'string' || part.text !== ''),
    isFormat: false,
    syntax,
  };
}

/** The literal without its quotes and their prefix, or without the colon of a Ruby symbol. */
function unquoted(text: string): string {
  const open = /^[A-Za-z@$]{0,2}(?:"""|'''|["'`])|^:"?/.exec(text)?.[0] ?? '';
  if (open === '') return text;
  return text.slice(open.length).replace(/["'`]{1,3}$/, '');
}

const OBJECT_FIELDS = ['object', 'expression', 'operand', 'receiver', 'scope', 'condition'];
const NAME_FIELDS = ['property', 'attribute', 'field', 'name', 'method'];

/** A variable; in Ruby `@name` is a field of the current object. */
export function lowerName(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const name = context.nameOf(syntax);
  context.names.used.push(name.replace(/^[@$]+/, ''));
  if (syntax.type !== 'instance_variable') return { op: 'variable', name, syntax };
  return { op: 'member', object: { op: 'variable', name: 'self', syntax }, name: name.slice(1), syntax };
}

export function lowerMember(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const object = inField(syntax, ...OBJECT_FIELDS) ?? syntax.children[0];
  const named = inField(syntax, ...NAME_FIELDS) ?? syntax.children[1];
  if (object === undefined || named === undefined) return { op: 'empty', syntax };
  const from = context.lower(object);
  if (named.type === 'element_binding_expression') {
    return { op: 'index', object: from, index: context.lowerOptional(named.children[0], named), syntax };
  }
  const name = named.type === 'member_binding_expression' ? (inField(named, 'name') ?? named) : named;
  const plain = context.nameOf(name);
  context.names.used.push(plain.replace(/^[@$]+/, ''));
  // `self::$name` in PHP.
  const isShared = syntax.type === 'scoped_property_access_expression';
  return { op: 'member', object: from, name: isShared ? plain.replace(/^\$/, '') : plain, syntax };
}

export function lowerIndex(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const object = inField(syntax, 'object', 'value', 'operand', 'array', 'expression') ?? syntax.children[0];
  const index = inField(syntax, 'index', 'subscript') ?? syntax.children.find((child) => child !== object);
  if (object === undefined) return { op: 'empty', syntax };
  return { op: 'index', object: context.lower(object), index: context.lowerOptional(index, syntax), syntax };
}

/** A chain of concatenations nests to the left as deeply as it is long, so it is lowered in a loop, without recursion. */
export function lowerBinary(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const { concatOperators, coalesceOperators } = context.grammar;
  const operator = operatorOf(syntax);
  const isConcat = (node: SyntaxNode): boolean =>
    context.role(node) === 'binary' && operatorOf(node) === operator && operator !== '<<';
  if (concatOperators.includes(operator) && isConcat(syntax) && !isArithmetic(context, syntax)) {
    const parts: IrNode[] = [];
    let node = syntax;
    while (isConcat(node)) {
      const right = inField(node, 'right');
      const left = inField(node, 'left');
      if (left === undefined || right === undefined) break;
      parts.push(context.lower(right));
      node = left;
      // `a % b % c` is a format of a format.
      if (operator === '%') break;
    }
    parts.push(context.lower(node));
    return { op: 'concat', parts: parts.toReversed(), isFormat: operator === '%', syntax };
  }
  const left = context.lowerOptional(inField(syntax, 'left'), syntax);
  const right = context.lowerOptional(inField(syntax, 'right'), syntax);
  if (operator === '<<' && concatOperators.includes('<<')) {
    return { op: 'assign', target: left, value: right, how: 'append', type: null, syntax };
  }
  if (operator === '&&' || operator === 'and') return { op: 'logical', operator: 'and', left, right, syntax };
  if (operator === '||' || operator === 'or') return { op: 'logical', operator: 'or', left, right, syntax };
  if (operator === '+' && context.grammar.addsLists === true && (isLiteralList(left) || isLiteralList(right)))
    return unionOf(left, right, syntax);
  if (operator === '/' && context.grammar.joinsPaths === true && !isNumber(left) && !isNumber(right))
    return joinOf(left, right, syntax);
  if (coalesceOperators.includes(operator)) return { op: 'coalesce', parts: [left, right], syntax };
  return { op: 'compare', operator, left, right, syntax };
}

function isNumber(node: IrNode): boolean {
  return node.op === 'constant' || node.op === 'compare' || (node.op === 'block' && node.statements.some(isNumber));
}

/** `root / name` in Ruby: a path. */
function joinOf(left: IrNode, right: IrNode, syntax: SyntaxNode): IrNode {
  const callee: IrNode = { op: 'member', object: left, name: 'join', syntax };
  return { op: 'call', callee, args: [{ name: null, value: right }], calleeName: syntax, isTagged: false, syntax };
}

function isLiteralList({ op }: IrNode): boolean {
  return op === 'list' || op === 'record';
}

/** `$given + ['page' => 1]` in PHP: the right array, in which the left one replaces what it has. */
function unionOf(left: IrNode, right: IrNode, syntax: SyntaxNode): IrNode {
  const callee: IrNode = { op: 'variable', name: 'array_replace', syntax };
  const args = [right, left].map((value) => ({ name: null, value }));
  return { op: 'call', callee, args, calleeName: syntax, isTagged: false, syntax };
}

/** `100 % x`, `10 / 3`: what begins with a number is no format and no path. */
function isArithmetic(context: LoweringContext, syntax: SyntaxNode): boolean {
  const left = inField(syntax, 'left');
  return operatorOf(syntax) !== '+' && left !== undefined && /^-?\d/.test(context.text(left));
}

export function lowerUnary(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const text = context.text(syntax);
  const operator = inField(syntax, 'operator')?.type ?? text.slice(0, 1);
  const value = context.lowerFirst(syntax);
  if (/^(\+\+|--)|(\+\+|--)$/.test(text.slice(0, 2) + text.slice(-2))) return lowerIncrement(context, value, syntax);
  if (operator === '!' || operator === 'not') return { op: 'not', value, syntax };
  // What has the address of a variable can change it.
  if (operator === '&' && value.op === 'variable') context.names.assignedInside.add(value.name);
  // What is received from a channel is an element of it.
  if (operator === '<-') return { op: 'index', object: value, index: { op: 'empty', syntax }, syntax };
  if (operator === 'typeof') return callOf('typeof', value, syntax);
  if (!'+-~'.includes(operator.slice(0, 1))) return value;
  // `+'text'` in Ruby: a text that may be changed.
  if (value.op === 'string' || value.op === 'concat') return value;
  return { op: 'compare', operator, left: value, right: { op: 'empty', syntax }, syntax };
}

/** `i++`: the variable has another number than before. */
function lowerIncrement(context: LoweringContext, target: IrNode, syntax: SyntaxNode): IrNode {
  if (target.op === 'variable' || target.op === 'member') context.names.assign(target.name, target.op === 'variable');
  const one: IrNode = { op: 'constant', text: '1', syntax };
  const value: IrNode = { op: 'compare', operator: '+', left: target, right: one, syntax };
  return { op: 'assign', target, value, how: 'set', type: null, syntax };
}

export function lowerCast(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const type = inField(syntax, 'type');
  const value = inField(syntax, 'value', 'operand') ?? syntax.children.at(-1);
  if (type?.type === 'generic_type' && value !== undefined) return lowerGenericCall(context, syntax, type, value);
  if (type !== undefined && context.grammar.scalarTypes.test(context.text(type))) {
    return {
      op: 'compare',
      operator: 'cast',
      left: context.lowerOptional(value, syntax),
      right: { op: 'empty', syntax },
      syntax,
    };
  }
  return context.lowerOptional(value, syntax);
}

export function lowerList(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const only = onlyExpression(syntax);
  if (only !== undefined) return context.lower(only);
  if (syntax.children.some(isPhpPair)) return lowerRecord(context, syntax);
  return { op: 'list', elements: context.lowerAll(withoutSkipped(context, syntax)), syntax };
}

/** The expression of a list of expressions that has one alone: Go and Python wrap single values. */
export function onlyExpression({ type, children }: SyntaxNode): SyntaxNode | undefined {
  return type === 'expression_list' && children.length === 1 ? children[0] : undefined;
}

/** `key => value` in a PHP array. */
function isPhpPair({ type, children }: SyntaxNode): boolean {
  return type === 'array_element_initializer' && children.length > 1;
}

/** `hasNames`: a name as a key is a text, not a variable. */
export function lowerRecord(context: LoweringContext, syntax: SyntaxNode, hasNames = true): IrNode {
  let position = 0;
  const entries = syntax.children.map((child): IrEntry => {
    if (context.role(child) === 'pair' || isPhpPair(child)) {
      const key = inField(child, 'key') ?? child.children[0];
      const value = context.lower(child.children.at(-1)!);
      return key === undefined ? { key: null, value } : { ...lowerKey(context, key, hasNames), value };
    }
    // Beside `key => value` in PHP, other elements are counted.
    if (child.type === 'array_element_initializer' && context.role(child.children[0]!) !== 'spread')
      return { key: String(position++), value: context.lower(child) };
    if (child.type === 'method_definition') return methodEntry(context, child);
    return { key: context.role(child) === 'name' ? context.text(child) : null, value: context.lower(child) };
  });
  noteCheckedHandler(context, entries);
  return { op: 'record', entries, syntax };
}

/** `{ run() {} }`; the field of a getter has what that returns. */
function methodEntry(context: LoweringContext, syntax: SyntaxNode): IrEntry {
  const name = inField(syntax, 'name');
  const key = name?.type === 'property_identifier' ? context.text(name) : null;
  const method = context.lower(syntax);
  if (!/^get\s/.test(context.text(syntax))) return { key, value: method };
  const call: IrNode = { op: 'call', callee: method, args: [], calleeName: name ?? syntax, isTagged: false, syntax };
  return { key, value: call };
}

/** `{ options: { validate }, handler: name }`: a route that checks what it lets through to a function of another place. */
function noteCheckedHandler({ checkedHandlers }: LoweringContext, entries: readonly IrEntry[]): void {
  const handler = entries.find(({ key }) => key === 'handler')?.value;
  if (handler?.op !== 'variable') return;
  if (entries.some(({ key }) => key !== null && /^(?:schema|validate|options|config)$/.test(key)))
    checkedHandlers.add(handler.name);
}

/** Names that are keys as they stand: of a field, a symbol. */
const KEY_NAMES = /^(?:property_identifier|hash_key_symbol|simple_symbol|literal_element|field_identifier)$/;

/** The key of an entry: a text, a number or a name, or an expression. */
function lowerKey(
  context: LoweringContext,
  syntax: SyntaxNode,
  hasNames: boolean,
): { key: string | null; computed?: IrNode } {
  const key = context.lower(syntax);
  if (key.op === 'string' || key.op === 'constant') return { key: key.text };
  if (key.op === 'variable' && hasNames && KEY_NAMES.test(syntax.type)) return { key: key.name };
  return { key: null, computed: key };
}

function operatorOf(node: SyntaxNode): string {
  return inField(node, 'operator')?.type ?? '';
}
