import { calledName, callsIn } from '../ir/calls.ts';
import type { IrCall, IrClass, IrNode } from '../ir/ir.ts';

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
