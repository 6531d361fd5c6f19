import type { IrClass, IrFunction, IrNode, IrNodeOf, IrParameter } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import { lowerAnnotationSql } from './lower-annotation-sql.ts';
import { lowerTarget } from './lower-assignment.ts';
import { lowerBody } from './lower-body.ts';
import { lowerConstructorCall, typeName } from './lower-call.ts';
import type { LoweringContext } from './lowering-context.ts';

const MAX_ANNOTATIONS_LENGTH = 1000;
/** Functions that see the variables of the code around them. */
const CLOSURES = /^(block|do_block|lambda|lambda_expression|arrow_function|anonymous_function)$/;

/** A function, method, closure or block. `decorators` are written outside of its syntax node. */
export function lowerFunction(
  context: LoweringContext,
  syntax: SyntaxNode,
  decoratorText: string,
  decorators: readonly IrNode[] = [],
): IrFunction {
  const name = inField(syntax, 'name');
  if (name !== undefined) context.names.declare(context.nameOf(name));
  const receiver = inField(syntax, 'receiver');
  const isClosure = CLOSURES.test(syntax.type);
  const owner = receiver === undefined ? (isClosure ? null : context.owner) : receiverClass(context, receiver);
  const modifiers = syntax.children
    .filter(({ type }) => type === 'modifiers' || type === 'attribute_list')
    .map((node) => context.text(node));
  // Frameworks know a handler by its result as well: `IActionResult`.
  const resultType = context.optionalText(inField(syntax, 'returns', 'type', 'result')) ?? '';
  // `get` of a property in JavaScript.
  const before = name === undefined ? '' : context.text({ ...syntax, end: name.start });
  const keywords = syntax.type === 'method_definition' || syntax.type === 'method_declaration' ? before : '';
  const decorated = syntax.type === 'method_definition' ? decoratorsBefore(context, syntax) : decoratorText;
  const constraints = isClosure && context.grammar.selfName === '$this' ? constraintsBehind(context, syntax) : '';
  const annotations = [decorated, ...modifiers, resultType, keywords, constraints]
    .join('\n')
    .slice(0, MAX_ANNOTATIONS_LENGTH);
  const firstName = context.names.used.length;
  const { hasStatement, ...lowered } = context.inClass(null, () =>
    context.names.inFunction(isClosure, (locals) => {
      const list = inField(syntax, 'parameters', 'parameter');
      const parameters = list === undefined ? [] : lowerParameters(context, list);
      const selfName = selfNameOf(context, syntax, owner, parameters, annotations);
      let lowerings: Pick<IrFunction, 'body' | 'isAbstract'> | null = null;
      const assigned = context.names.assignedIn(() => {
        lowerings = context.expecting(awaited(resultType), () => lowerBody(context, syntax));
      });
      const statement = lowerings!.isAbstract ? lowerAnnotationSql(context, syntax, parameters) : null;
      const { body, isAbstract } = statement === null ? lowerings! : { body: statement, isAbstract: false };
      const promoted =
        owner === null ? [] : parameters.filter(isPromoted).map((parameter) => promote(owner, parameter, selfName));
      const whole: IrNode = promoted.length === 0 ? body : { op: 'block', statements: [...promoted, body], syntax };
      return { parameters, selfName, body: whole, isAbstract, hasStatement: statement !== null, assigned, locals };
    }),
  );
  const fn: IrFunction = {
    op: 'function',
    name: name === undefined ? null : context.nameOf(name),
    annotations,
    decorators,
    owner,
    // What the calls in the text give to an annotated statement counts rather than what others may.
    isPrivate:
      context.privateMethods.has(syntax) ||
      hasStatement ||
      /\bprivate\b/.test(`${keywords}\n${modifiers.join('\n')}`) ||
      (owner === null && (!context.names.isAtTop || context.grammar.callsByName === true)) ||
      isUnexported(context, syntax, name, owner),
    ...lowered,
    isSafeResult:
      context.grammar.enforcesTypes === true &&
      resultType !== '' &&
      isSafeType(awaited(resultType), context.grammar.scalarTypes),
    names: { first: firstName, end: context.names.used.length },
    syntax,
  };
  if (fn.name !== null) {
    context.addFunction(fn.name, fn);
    if (owner !== null) addMethod(owner, fn.name, fn);
  }
  return fn;
}

/** The decorators of a method of TypeScript, which stand beside it in its class. */
function decoratorsBefore(context: LoweringContext, syntax: SyntaxNode): string {
  const before = context.textBefore(syntax, MAX_ANNOTATIONS_LENGTH);
  return /(?:@[\w.]+(?:\((?:[^()]|\([^()]*\)){0,300}\))?\s*)+$/.exec(before)?.[0] ?? '';
}

/** What a route of Laravel demands of its parameters: `Route::get('/{id}', fn ($id) => ...)->whereNumber('id')`. */
function constraintsBehind(context: LoweringContext, { end, ...syntax }: SyntaxNode): string {
  const behind = context.text({ ...syntax, start: end, end: end + MAX_ANNOTATIONS_LENGTH });
  return /^\s*,?\s*\)\s*(->[^;]*)/.exec(behind)?.[1] ?? '';
}

/** The type in a `Task`. */
function awaited(type: string): string {
  return /^(?:Value)?Task<(.*)>$/.exec(type)?.[1] ?? type;
}

/** Whether only this file can call a function, by its name or that of its variable, or a method of a class. */
function isUnexported(
  context: LoweringContext,
  syntax: SyntaxNode,
  named: SyntaxNode | undefined,
  owner: IrClass | null,
): boolean {
  if (context.exportedNames === null) return false;
  if (owner !== null) return !context.exportedNames.has(owner.name);
  const variable = /(?:const|let|var)\s+(\w+)\s*(?::[^=]*)?=\s*$/.exec(context.textBefore(syntax, 100))?.[1];
  const name = named === undefined ? variable : context.nameOf(named);
  return name === undefined ? context.exportedNames.size === 0 : !context.exportedNames.has(name);
}

/** The name of the current object; where it is the first parameter, that is taken out of the parameters. */
function selfNameOf(
  context: LoweringContext,
  syntax: SyntaxNode,
  owner: IrClass | null,
  parameters: IrParameter[],
  annotations: string,
): string | null {
  const receiver = inField(syntax, 'receiver');
  if (receiver !== undefined) {
    const [parameter] = lowerParameters(context, receiver);
    return parameter?.target.op === 'variable' ? parameter.target.name : null;
  }
  if (owner === null) return null;
  const { selfName } = context.grammar;
  if (selfName !== undefined) return selfName;
  const [first] = parameters;
  if (first?.target.op !== 'variable' || annotations.includes('staticmethod')) return null;
  parameters.shift();
  return first.target.name;
}

/** `(s *Server)` in Go. */
function receiverClass(context: LoweringContext, receiver: SyntaxNode): IrClass {
  const type = receiver.children.map((child) => inField(child, 'type')).find((child) => child !== undefined);
  return context.classNamed(typeName(context.optionalText(type) ?? ''));
}

/** Adds a method to a class, beside others with its name. */
export function addMethod({ methods }: IrClass, name: string, fn: IrFunction): void {
  const known = methods.get(name);
  if (known === undefined) methods.set(name, [fn]);
  else known.push(fn);
}

/** `constructor(private readonly db: Db)`: a parameter that is a field as well. */
function isPromoted({ target, annotations }: IrParameter): boolean {
  return target.op === 'variable' && /^(public|private|protected|readonly)\s/.test(annotations);
}

/** The assignment that sets the field of such a parameter. */
function promote({ fields }: IrClass, { target, type }: IrParameter, selfName: string | null): IrNode {
  const { syntax } = target;
  fields.push({ op: 'assign', target, value: { op: 'empty', syntax }, how: 'set', type, syntax });
  const name = target.op === 'variable' ? target.name.replace(/^\$/, '') : '';
  const object: IrNode = { op: 'variable', name: selfName ?? 'this', syntax };
  return { op: 'assign', target: { op: 'member', object, name, syntax }, value: target, how: 'set', type, syntax };
}

/** The parameters of a record or primary constructor: fields that the constructor sets. */
export function lowerParameterFields(
  context: LoweringContext,
  list: SyntaxNode,
  owner: IrClass,
  above: SyntaxNode | undefined,
): void {
  context.names.inFunction(false, (locals) => {
    const parameters = lowerParameters(context, list);
    const set = parameters.map(({ target, type }): IrNodeOf<'assign'> => {
      const { syntax } = target;
      const name = target.op === 'variable' ? target.name : '';
      const self: IrNode = { op: 'variable', name: 'this', syntax };
      const field: IrNode = { op: 'member', object: self, name, syntax };
      return { op: 'assign', target: field, value: target, how: 'set', type, syntax };
    });
    for (const { target, type, syntax } of set) {
      owner.fields.push({ op: 'assign', target, value: { op: 'empty', syntax }, how: 'set', type, syntax });
    }
    const constructor: IrFunction = {
      op: 'function',
      name: owner.name,
      parameters,
      body: {
        op: 'block',
        statements: above === undefined ? set : [...set, lowerConstructorCall(context, above)],
        syntax: list,
      },
      annotations: '',
      decorators: [],
      owner,
      selfName: context.grammar.selfName ?? 'this',
      isAbstract: false,
      isSafeResult: false,
      isPrivate: false,
      names: { first: 0, end: 0 },
      assigned: new Set(),
      locals,
      syntax: list,
    };
    addMethod(owner, owner.name, constructor);
  });
}

function lowerParameters(context: LoweringContext, list: SyntaxNode): IrParameter[] {
  const isName = list.children.length === 0 && !/parameter(s|_list)$/.test(list.type);
  if (isName || context.role(list) === 'name') return [lowerParameter(context, list, list, undefined)];
  return list.children.flatMap((child) => {
    if (child.field === 'type') return [];
    const names = allInField(child, 'name', 'pattern', 'left');
    const type = inField(child, 'type') ?? child.children.find((part) => /_type$|^type_identifier$/.test(part.type));
    const declarator = child.children.find((part) => part.type === 'variable_declarator');
    if (declarator !== undefined) names.push(...allInField(declarator, 'name'));
    if (names.length === 0) names.push(unmarkedName(context, child));
    return names.map((name) => lowerParameter(context, child, unmarkedRest(name), type));
  });
}

/** `rest` of `...rest`. */
function unmarkedRest(name: SyntaxNode): SyntaxNode {
  return name.type === 'rest_pattern' ? (name.children[0] ?? name) : name;
}

/** The name of a parameter that has no field for it: the node itself or its first part. */
function unmarkedName(context: LoweringContext, syntax: SyntaxNode): SyntaxNode {
  if (context.role(syntax) !== undefined) return syntax;
  return syntax.children.find((child) => ![undefined, 'skip'].includes(context.role(child))) ?? syntax;
}

function lowerParameter(
  context: LoweringContext,
  syntax: SyntaxNode,
  name: SyntaxNode,
  type: SyntaxNode | undefined,
): IrParameter {
  context.names.declare(context.nameOf(name));
  const role = context.role(name);
  const target: IrNode =
    role === undefined || role === 'name'
      ? { op: 'variable', name: context.nameOf(name), syntax: name }
      : lowerTarget(context, name, true);
  const defaultValue = inField(syntax, 'value', 'default_value', 'right') ?? equalsValue(syntax);
  const typeText = context.optionalText(type)?.replace(/^:\s*/, '') ?? '';
  return {
    target,
    type: typeName(typeText) || null,
    isSafeType: typeText !== '' && isSafeType(typeText, context.grammar.scalarTypes),
    defaultValue: defaultValue === undefined ? null : context.lower(defaultValue),
    isRest: REST.test(syntax.type) || REST.test(name.type) || /^(params\s|\.\.\.)/.test(context.text(syntax)),
    annotations: context.text(syntax).slice(0, MAX_ANNOTATIONS_LENGTH),
  };
}

const REST =
  /^(rest_pattern|list_splat_pattern|spread_parameter|variadic_parameter|variadic_parameter_declaration|splat_parameter)$/;

/** The default of a parameter in C#, which has no field. */
function equalsValue({ type, children }: SyntaxNode): SyntaxNode | undefined {
  if (type !== 'parameter') return undefined;
  const last = children.at(-1);
  return last?.field === null && children.length > 1 && !/_list$|modifier/.test(last.type) ? last : undefined;
}

/** Whether values of the type hold no free text: scalars, optional scalars, lists of them, and literals (`'asc' | 'desc'`). */
function isSafeType(type: string, scalarTypes: RegExp): boolean {
  if (/^['"]/.test(type)) return true;
  const inner = /^[\w.]+\s?[<[]\s?([\w.]+)\s?[>\]]$/.exec(type)?.[1] ?? type.replace(/\[\]$/, '');
  const required = inner.replace(/\s*\|\s*(None|null|undefined)$/, '');
  return scalarTypes.test(type) || scalarTypes.test(required);
}
