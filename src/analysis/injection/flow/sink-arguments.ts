import type { Sink } from '../rules/rules.ts';
import type { CallArgument } from './call-types.ts';
import type { Value } from './value.ts';

/** The arguments without names and without callbacks. */
export function positionalArguments(args: readonly CallArgument[]): CallArgument[] {
  return args.filter(({ name, result }) => name === null && result === null);
}

/** The values of these. */
export function positionalValues(args: readonly CallArgument[]): Value[] {
  return positionalArguments(args).map(({ value }) => value);
}

/** The argument with the name that the sink gives. */
export function namedArgument(sink: Sink, args: readonly CallArgument[]): CallArgument | undefined {
  return args.find(({ name }) => name !== null && name === sink.argumentName);
}

/** The value of it. */
export function namedValue(sink: Sink, args: readonly CallArgument[]): Value | undefined {
  return namedArgument(sink, args)?.value;
}
