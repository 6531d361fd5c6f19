import type { IrNode } from '../ir/ir.ts';
import type { LoweringContext } from './lowering-context.ts';

/** `Point = Struct.new(:x, :y)` in Ruby, `Point = namedtuple('Point', ['x', 'y'])` in Python: a class with these fields. */
export function declareStruct(context: LoweringContext, name: string, value: IrNode): void {
  if (value.op !== 'call' || (value.callee.op !== 'member' && value.callee.op !== 'variable')) return;
  const { callee } = value;
  const object = callee.op === 'member' && callee.object.op === 'variable' ? `${callee.object.name}.` : '';
  const isTuple = /^(collections\.|dataclasses\.)?(namedtuple|make_dataclass)$/.test(object + callee.name);
  if (!isTuple && !/^(Struct\.new|Data\.define)$/.test(object + callee.name)) return;
  const names = value.args.filter((argument) => argument.name === null).map((argument) => argument.value);
  const { fields } = context.classNamed(name);
  for (const field of isTuple ? namesIn(names[1]) : names) {
    if (field.op !== 'string') continue;
    const { syntax } = field;
    for (const text of field.text.split(/[\s,]+/)) {
      const target: IrNode = { op: 'variable', name: text, syntax };
      fields.push({ op: 'assign', target, value: { op: 'empty', syntax }, how: 'set', type: null, syntax });
    }
  }
}

/** The names in a list, or in a text with spaces or commas; a name with its type is a list. */
function namesIn(node: IrNode | undefined): readonly IrNode[] {
  if (node?.op !== 'list') return node === undefined ? [] : [node];
  return node.elements.map((element) => (element.op === 'list' ? (element.elements[0] ?? element) : element));
}
