import { type IrArgument, type IrCall, type IrNode, PASSED_BLOCK } from '../ir/ir.ts';
import { inField, type SyntaxNode } from '../syntax-tree.ts';
import { elementCalled } from './lower-generic-call.ts';
import { anonymousClassName, type LoweringContext } from './lowering-context.ts';

export function lowerCall(context: LoweringContext, syntax: SyntaxNode): IrCall {
  const callee = inField(syntax, 'function');
  const method = inField(syntax, 'name', 'method');
  const list = inField(syntax, 'arguments') ?? syntax.children.find(({ type }) => type === 'argument_list');
  const block = inField(syntax, 'block');
  const args = list === undefined ? [] : lowerArguments(context, list);
  if (block !== undefined) args.push({ name: null, value: context.lower(block) });
  const types = inField(syntax, 'type_arguments');
  const element = types === undefined || callee === undefined ? null : elementCalled(context, callee, types);
  return {
    op: 'call',
    callee: element ?? (syntax.type === 'yield' ? blockOf(syntax) : lowerCallee(context, syntax, callee, method)),
    args,
    calleeName: method ?? lastName(callee) ?? syntax,
    isTagged: list?.type === 'template_string',
    ...resultTypeOf(context, syntax, callee, list),
    syntax,
  };
}

/** `Deserialize<T>(x)` in C#, `read(x, T.class)` in Java, `read[T](x)` and `new(T)` in Go. */
function resultTypeOf(
  context: LoweringContext,
  syntax: SyntaxNode,
  callee: SyntaxNode | undefined,
  list: SyntaxNode | undefined,
): { resultType?: string } {
  const named = callee === undefined ? undefined : (inField(callee, 'name') ?? callee);
  const generic = named?.type === 'generic_name' ? named.children.at(-1) : inField(syntax, 'type_arguments');
  const isNew = named?.type === 'identifier' && context.text(named) === 'new';
  const types = isNew ? list?.children.filter(({ type }) => type === 'type_identifier') : generic?.children;
  if (types?.length === 1) return { resultType: context.text(types[0]!) };
  const literal = list?.children.find(({ type }) => type === 'class_literal');
  return literal === undefined ? {} : { resultType: context.text(literal).replace(/\.class$/, '') };
}

/** `super(x)`, `this(x)` in Java, `: base(x)` in C#: a call of the constructor of the class above or of another one of this class. */
export function lowerConstructorCall(context: LoweringContext, syntax: SyntaxNode): IrCall {
  const list = syntax.type === 'argument_list' ? syntax : syntax.children.find(({ type }) => type === 'argument_list');
  const isOwn = /^[:\s]*this\b/.test(context.text(syntax));
  const callee: IrNode = { op: 'variable', name: isOwn ? 'this' : 'super', syntax };
  const args = list === undefined ? [] : lowerArguments(context, list);
  return { op: 'call', callee, args, calleeName: syntax, isTagged: false, syntax };
}

/** `yield(value)` in Go, where the parameter `yield` is the body of the loop; null: another call. */
export function lowerYieldCall(context: LoweringContext, syntax: SyntaxNode): IrNode | null {
  const callee = inField(syntax, 'function');
  const list = inField(syntax, 'arguments');
  if (callee?.type !== 'identifier' || list === undefined || context.text(callee) !== 'yield') return null;
  const values = context.lowerAll(list.children);
  const value: IrNode = values.length === 1 ? values[0]! : { op: 'list', elements: values, syntax };
  // Its result says whether the loop goes on.
  return {
    op: 'block',
    statements: [
      { op: 'yield', value, isDelegated: false, isKeyed: false, syntax },
      { op: 'empty', syntax },
    ],
    syntax,
  };
}

/** `yield` in Ruby calls the block that was passed. */
function blockOf(syntax: SyntaxNode): IrNode {
  return { op: 'variable', name: PASSED_BLOCK, syntax };
}

function lowerCallee(
  context: LoweringContext,
  syntax: SyntaxNode,
  callee: SyntaxNode | undefined,
  method: SyntaxNode | undefined,
): IrNode {
  return callee === undefined ? lowerMethod(context, syntax, method) : context.lower(callee);
}

function lowerMethod(context: LoweringContext, syntax: SyntaxNode, method: SyntaxNode | undefined): IrNode {
  const receiver = inField(syntax, 'object', 'receiver', 'scope');
  if (method === undefined) return context.lowerOptional(receiver, syntax);
  context.names.used.push(context.nameOf(method));
  if (receiver === undefined) {
    const name: IrNode = { op: 'variable', name: context.nameOf(method), syntax: method };
    return context.grammar.callsByName === true ? { ...name, isCallee: true } : name;
  }
  // `$this->$name()` and `$this->{'do' . $name}()` in PHP.
  if (DYNAMIC_NAME.test(method.type))
    return { op: 'index', object: context.lower(receiver), index: context.lower(method), syntax };
  return { op: 'member', object: context.lower(receiver), name: context.nameOf(method), syntax };
}

const DYNAMIC_NAME = /^(?:variable_name|binary_expression|encapsed_string)$/;

function lastName(callee: SyntaxNode | undefined): SyntaxNode | undefined {
  return callee === undefined ? undefined : (inField(callee, 'property', 'attribute', 'field', 'name') ?? callee);
}

function lowerArguments(context: LoweringContext, list: SyntaxNode): IrArgument[] {
  return context.expecting(null, () => lowerAllArguments(context, list));
}

function lowerAllArguments(context: LoweringContext, list: SyntaxNode): IrArgument[] {
  const role = context.role(list);
  if (role === 'string' || role === 'comprehension') return [{ name: null, value: context.lower(list) }];
  return list.children
    .filter((child) => context.role(child) !== 'skip' || child.type.endsWith('_type'))
    .map((child) => {
      const value = child.children.at(-1);
      const name = inField(child, 'name', 'key');
      if (name !== undefined && value !== undefined && (child.type === 'argument' || context.role(child) === 'pair')) {
        return { name: context.text(name).replace(/^["':]|["':]$/g, ''), value: context.lower(value) };
      }
      const lowered = context.lower(child);
      // `out x`, `ref x` in C#: the function may change the variable.
      const isOut = /^(out|ref)\s/.test(context.text(child));
      if (isOut && lowered.op === 'variable') context.names.assignedInside.add(lowered.name);
      return { name: null, value: lowered, ...(isOut ? { isOut } : {}) };
    });
}

/** A value that is a class, in PHP. */
const CLASS_EXPRESSION = /^(variable_name|subscript_expression|member_access_expression|parenthesized_expression)$/;

/** `new T(...)`: a call of `new:T`. Initializers, as in C#, are named arguments; a class body is the argument `body`. */
export function lowerNew(context: LoweringContext, syntax: SyntaxNode): IrCall {
  const child = (pattern: RegExp): SyntaxNode | undefined => syntax.children.find(({ type }) => pattern.test(type));
  const type = syntax.type.startsWith('implicit')
    ? undefined
    : (inField(syntax, 'type', 'constructor') ?? child(/name$/));
  const list = inField(syntax, 'arguments') ?? child(/^argument(s|_list)$/);
  const initializer = inField(syntax, 'initializer') ?? child(/^initializer_expression$/);
  const body = child(/^(class_body|anonymous_class)$/);
  const args = list === undefined ? [] : lowerArguments(context, list);
  if (initializer !== undefined) args.push(...lowerInitializer(context, initializer));
  const plainType = typeName(context.optionalText(type) ?? context.expectedType ?? '');
  if (body !== undefined) {
    // The class body of `new T() { ... }` is a class that extends `T`.
    context.classNamed(anonymousClassName(body), [plainType]);
    args.push({ name: 'body', value: context.lower(body) });
  }
  const name = `new:${plainType}`;
  const calleeName = type ?? syntax;
  const callee: IrNode = { op: 'variable', name, syntax: calleeName };
  const expression = inField(syntax, 'constructor') ?? child(CLASS_EXPRESSION);
  const madeOf = expression === undefined ? {} : { madeOf: context.lower(expression) };
  const call: IrCall = { op: 'call', callee, args, calleeName, isTagged: false, syntax, ...madeOf };
  // An object with nothing but an initializer holds what is written there.
  return initializer !== undefined && (list === undefined || list.children.length === 0)
    ? { ...call, isLiteral: true }
    : call;
}

function lowerInitializer(context: LoweringContext, { children }: SyntaxNode): IrArgument[] {
  return children.map((child) => {
    const left = inField(child, 'left');
    const right = inField(child, 'right');
    return left !== undefined && right !== undefined
      ? { name: keyOfInitializer(context, left), value: context.lower(right) }
      : { name: null, value: context.lower(child) };
  });
}

/** `A` of `{ A = x }`, `a` of `{ ["a"] = x }`. */
function keyOfInitializer(context: LoweringContext, left: SyntaxNode): string {
  return context.text(left).replace(/^\["?|"?\]$/g, '');
}

/** The plain name of a type: `List` of `java.util.List<String>`. */
export function typeName(text: string): string {
  const plain = /^[^<[(\s]*/.exec(text.replace(/^[:*&?\s]+/, ''))?.[0] ?? '';
  return plain.slice(Math.max(plain.lastIndexOf('.'), plain.lastIndexOf('\\')) + 1).replace(/\?$/, '');
}

/** A command in backticks: a call of `` ` `` with the command. */
export function lowerShell(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const parts = syntax.children.map(
    (child): IrNode =>
      context.role(child) === 'fragment'
        ? { op: 'string', text: context.text(child), syntax: child }
        : context.lower(child),
  );
  return callOf('`', { op: 'concat', parts, isFormat: false, syntax }, syntax);
}

/** `include`, `require` and their variants: a call of `include`. */
export function lowerInclude(context: LoweringContext, syntax: SyntaxNode): IrNode {
  return callOf('include', context.lowerFirst(syntax), syntax);
}

/** `channel <- value` in Go: a call of the channel's method `<-`, which no rule knows. */
export function lowerSend(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const channel = inField(syntax, 'channel') ?? syntax;
  const value = inField(syntax, 'value');
  if (value === undefined) return { op: 'empty', syntax };
  const callee: IrNode = { op: 'member', object: context.lower(channel), name: '<-', syntax: channel };
  const args = [{ name: null, value: context.lower(value) }];
  return { op: 'call', callee, args, calleeName: channel, isTagged: false, syntax };
}

/** A call of what the language writes as an operator or a keyword. */
export function callOf(name: string, value: IrNode, syntax: SyntaxNode): IrNode {
  const callee: IrNode = { op: 'variable', name, syntax };
  return { op: 'call', callee, args: [{ name: null, value }], calleeName: syntax, isTagged: false, syntax };
}

/** A copy of an object with other fields: a call of its method `with` with named arguments. */
export function lowerCopyWith(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const [object, ...initializers] = syntax.children;
  if (object === undefined) return { op: 'empty', syntax };
  const callee: IrNode = { op: 'member', object: context.lower(object), name: 'with', syntax: object };
  const args = initializers.flatMap(({ children: [name, value] }): IrArgument[] =>
    name === undefined || value === undefined ? [] : [{ name: context.text(name), value: context.lower(value) }],
  );
  return { op: 'call', callee, args, calleeName: object, isTagged: false, syntax };
}

/** `list[1:2]` in Go: a call of its method `slice`. */
export function lowerSlice(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const [object] = syntax.children;
  if (object === undefined) return { op: 'empty', syntax };
  const callee: IrNode = { op: 'member', object: context.lower(object), name: 'slice', syntax: object };
  const start: IrNode = { op: 'constant', text: '0', syntax };
  const bounds = [inField(syntax, 'start'), inField(syntax, 'end')];
  const args = bounds.flatMap((bound, index): IrArgument[] =>
    bound === undefined && index === 1
      ? []
      : [{ name: null, value: bound === undefined ? start : context.lower(bound) }],
  );
  return { op: 'call', callee, args, calleeName: object, isTagged: false, syntax };
}
