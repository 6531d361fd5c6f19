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

/**
 * The calls of `argument :name, Type` in a class of GraphQL for Ruby, by the method that gets the argument; those of
 * `params do required(:name).filled(:integer) end` of Hanami as of a method `params`.
 */
export function noteInputs({ inputs }: IrClass, body: IrNode): void {
  for (const call of callsIn(body)) {
    const name = calledName(call);
    const declarations = call.args.at(-1)?.value;
    if (name === 'params' && declarations?.op === 'function') {
      for (const inner of callsIn(declarations.body)) {
        const { callee } = inner;
        const key = callee.op === 'member' && callee.object.op === 'call' ? callee.object : null;
        const input = key !== null && /^(?:required|optional)$/.test(calledName(key)) ? key.args[0]?.value : undefined;
        if (input?.op === 'string') inputs.set(`params.${input.text}`, inner);
      }
    }
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
