import type { IrNode } from '../ir/ir.ts';
import type { LoweringContext } from './lowering-context.ts';

/** `Point = Struct.new(:x, :y)` in Ruby: a class with these fields. */
export function declareStruct(context: LoweringContext, name: string, value: IrNode): void {
  if (value.op !== 'call' || value.callee.op !== 'member' || value.callee.object.op !== 'variable') return;
  const { object, name: method } = value.callee;
  if (!/^(Struct\.new|Data\.define)$/.test(`${object.name}.${method}`)) return;
  const { fields } = context.classNamed(name);
  for (const { name: option, value: field } of value.args) {
    if (option !== null || field.op !== 'string') continue;
    const target: IrNode = { op: 'variable', name: field.text, syntax: field.syntax };
    const { syntax } = field;
    fields.push({ op: 'assign', target, value: { op: 'empty', syntax }, how: 'set', type: null, syntax });
  }
}
