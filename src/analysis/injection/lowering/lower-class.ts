import type { IrCall, IrNode, IrNodeOf } from '../ir/ir.ts';
import { allInField, inField, type SyntaxNode } from '../syntax-tree.ts';
import { noteInputs } from './declared-inputs.ts';
import { typeName } from './lower-call.ts';
import { lowerList, lowerRecord } from './lower-expression.ts';
import { lowerParameterFields } from './lower-function.ts';
import { lowerAccessors } from './lower-property.ts';
import { lowerDefault } from './lower-statement.ts';
import { anonymousClassName, type LoweringContext } from './lowering-context.ts';

const SUPER_TYPES =
  /^(superclass|super_interfaces|extends_interfaces|class_heritage|base_list|base_clause|class_interface_clause|extends_type_clause)$/;

/** A class, interface or module. */
export function lowerClass(context: LoweringContext, syntax: SyntaxNode): IrNodeOf<'class'> {
  const named = inField(syntax, 'name');
  if (named !== undefined) context.names.declare(context.nameOf(named));
  const supers = syntax.children
    .filter(({ type, field }) => SUPER_TYPES.test(type) || field === 'superclasses')
    .flatMap((node) => context.text(node).match(/[\w$]+/g) ?? [])
    .filter((name) => name !== 'extends' && name !== 'implements');
  for (const part of inField(syntax, 'body')?.children ?? []) {
    // Traits of PHP, modules of Ruby.
    const mixed = /^\s*(?:use|include|prepend)\s+([\w\\:, ]+)/.exec(context.text(part))?.[1];
    if (mixed !== undefined) supers.push(...mixed.split(',').map((name) => name.trim().replace(/^.*[\\:]/, '')));
  }
  notePrivateMethods(context, inField(syntax, 'body')?.children ?? []);
  const ownName = named === undefined ? anonymousClassName(syntax) : context.nameOf(named);
  const isEnum = syntax.type.startsWith('enum') || supers.some((one) => one.endsWith('Enum'));
  const description = context.classNamed(ownName, supers, isEnum);
  description.annotations += annotationsOf(context, syntax);
  const body = context.inClass(description, () => {
    const parameters = inField(syntax, 'parameters') ?? syntax.children.find(({ type }) => type === 'parameter_list');
    const above = syntax.children
      .find(({ type }) => type === 'base_list')
      ?.children.find(({ type }) => type === 'argument_list' || type === 'primary_constructor_base_type');
    if (parameters !== undefined) lowerParameterFields(context, parameters, description, above);
    return lowerDefault(context, inField(syntax, 'body') ?? syntax);
  });
  if (context.grammar.callsByName === true) noteInputs(description, body);
  return { op: 'class', body, description, syntax };
}

/** In Ruby: the methods behind `private`, and `private def name`. */
function notePrivateMethods(context: LoweringContext, members: readonly SyntaxNode[]): void {
  if (context.grammar.callsByName !== true) return;
  let isPrivate = false;
  for (const member of members) {
    const text = member.type === 'identifier' ? context.text(member) : '';
    if (/^(?:private|public|protected)$/.test(text)) isPrivate = text !== 'public';
    if (member.type === 'method' && isPrivate) context.privateMethods.add(member);
    if (member.type !== 'call' || !/^private\b/.test(context.text(member))) continue;
    for (const method of inField(member, 'arguments')?.children ?? []) context.privateMethods.add(method);
  }
}

const MAX_ANNOTATIONS_LENGTH = 1000;

function annotationsOf(context: LoweringContext, { children }: SyntaxNode): string {
  const written = children.filter(({ type }) => /^(modifiers|attribute_list)$/.test(type));
  return written.map((node) => context.text(node).slice(0, MAX_ANNOTATIONS_LENGTH)).join('\n');
}

/** A field with its value, which may be missing. */
export function lowerField(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const name = inField(syntax, 'name', 'property');
  const value = inField(syntax, 'value');
  if (name === undefined) return { op: 'empty', syntax };
  const accessors = lowerAccessors(context, syntax, context.text(name));
  if (accessors.length > 0) return { op: 'block', statements: accessors, syntax };
  const type = fieldType(context, syntax);
  const self: IrNode = { op: 'variable', name: 'this', syntax };
  const target: IrNode = { op: 'member', object: self, name: context.text(name), syntax };
  const assign: IrNodeOf<'assign'> = {
    op: 'assign',
    target,
    value: isBoundField(context, syntax, type)
      ? { op: 'variable', name: '#request', syntax: name }
      : context.expecting(type, () => context.lowerOptional(value, syntax)),
    how: 'set',
    type,
    syntax,
  };
  if (context.isStatic) context.owner?.statics.add(context.text(name));
  context.owner?.fields.push(assign);
  if (value === undefined) return { op: 'empty', syntax };
  context.names.assign(context.text(name), false);
  return assign;
}

/** The declared type; that of a number where decorators let through nothing that does harm. */
function fieldType(context: LoweringContext, syntax: SyntaxNode): string | null {
  const { validatedFields } = context.grammar;
  const isValidated =
    validatedFields !== undefined &&
    syntax.children.some((child) => child.type === 'decorator' && validatedFields.test(context.text(child)));
  return isValidated ? 'number' : (context.optionalText(inField(syntax, 'type'))?.replace(/^:\s*/, '') ?? null);
}

function isBoundField(context: LoweringContext, syntax: SyntaxNode, type: string | null): boolean {
  const { boundFields, scalarTypes } = context.grammar;
  if (boundFields === undefined || (type !== null && scalarTypes.test(type))) return false;
  const attributes = syntax.children.filter(({ type }) => type === 'attribute_list').map((node) => context.text(node));
  return boundFields.test(`${context.owner?.annotations ?? ''} ${attributes.join(' ')}`);
}

/** A literal of a struct, list or map in Go. That of a named type is a call of its constructor with named arguments. */
export function lowerCompositeLiteral(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const body = inField(syntax, 'body');
  const type = inField(syntax, 'type');
  if (body === undefined) return { op: 'empty', syntax };
  const isMap = type?.type === 'map_type';
  const literal =
    isMap || body.children.some(({ type: part }) => part === 'keyed_element')
      ? lowerRecord(context, body, !isMap)
      : lowerList(context, body);
  if (type?.type === 'qualified_type' && literal.op === 'record')
    return { ...literal, typeName: typeName(context.text(type)) };
  if (type?.type !== 'type_identifier') return literal;
  const callee: IrNode = { op: 'variable', name: `new:${typeName(context.text(type))}`, syntax: type };
  const args =
    literal.op === 'record'
      ? literal.entries.map(({ key, value }) => ({ name: key, value }))
      : literal.op === 'list'
        ? literal.elements.map((value) => ({ name: null, value }))
        : [];
  const call: IrCall = { op: 'call', callee, args, calleeName: type, isTagged: false, isLiteral: true, syntax };
  return call;
}

/** `type T struct { ... }` or `type T []Item` in Go. */
export function lowerTypeSpec(context: LoweringContext, syntax: SyntaxNode): IrNode {
  const name = inField(syntax, 'name');
  const struct = inField(syntax, 'type');
  if (name !== undefined && struct?.type === 'slice_type') context.classNamed(context.text(name)).isList = true;
  if (name === undefined || struct?.type !== 'struct_type') return { op: 'empty', syntax };
  const declared = (struct.children[0]?.children ?? []).filter(({ type }) => type === 'field_declaration');
  const embedded = declared.filter((field) => inField(field, 'name') === undefined);
  const supers = embedded.map((field) => typeName(context.optionalText(inField(field, 'type')) ?? ''));
  const { fields } = context.classNamed(context.text(name), supers);
  for (const field of declared) {
    const type = context.optionalText(inField(field, 'type'));
    for (const named of allInField(field, 'name')) {
      const target: IrNode = { op: 'variable', name: context.text(named), syntax: named };
      fields.push({ op: 'assign', target, value: { op: 'empty', syntax }, how: 'set', type, syntax });
    }
  }
  return { op: 'empty', syntax };
}
