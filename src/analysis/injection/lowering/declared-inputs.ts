import { calledName, callsIn } from '../ir/calls.ts';
import type { IrCall, IrClass, IrNode } from '../ir/ir.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import type { LoweringContext } from './lowering-context.ts';

/** Whether a declaration is of a public property of a component of Livewire, which the client sets to any text. */
export function isSetByClient(context: LoweringContext, syntax: SyntaxNode): boolean {
  if (syntax.type !== 'property_element' || context.owner?.supers.includes('Component') !== true) return false;
  const before = context.textBefore(syntax, 200);
  return /\bpublic\s+(?:\??(?:string|array|mixed)\s+)?$/.test(before) && !/#\[\s*Locked\b[^;{}]*$/.test(before);
}

/** The calls of `argument :name, Type` in a class of GraphQL for Ruby, by the method that gets the argument. */
export function noteInputs({ inputs }: IrClass, body: IrNode): void {
  for (const call of callsIn(body)) {
    const name = calledName(call);
    if (name === 'argument') note(inputs, 'resolve', call);
    const block = call.args.at(-1)?.value;
    const field = call.args[0]?.value;
    if (name !== 'field' || field?.op !== 'string' || block?.op !== 'function') continue;
    for (const inner of callsIn(block.body)) if (calledName(inner) === 'argument') note(inputs, field.text, inner);
  }
}

function note(inputs: Map<string, IrCall>, method: string, call: IrCall): void {
  const name = call.args[0]?.value;
  if (name?.op === 'string') inputs.set(`${method}.${name.text}`, call);
}
