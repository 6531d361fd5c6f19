import type { Sink } from '../rules/rules.ts';
import type { CallArgument } from './call-types.ts';
import type { Value } from './value.ts';

/** The arguments without names and without callbacks. */
export function positionalValues(args: readonly CallArgument[]): Value[] {
  return args.filter(({ name, result }) => name === null && result === null).map(({ value }) => value);
}

/** The argument with the name that the sink gives. */
export function namedValue(sink: Sink, args: readonly CallArgument[]): Value | undefined {
  return args.find(({ name }) => name !== null && name === sink.argumentName)?.value;
}
