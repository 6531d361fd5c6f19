import type { IrCall, IrFunction, IrNode } from '../ir/ir.ts';
import type { Scope } from './scope.ts';
import type { Value } from './value.ts';

export interface CallArgument {
  /** Of a named argument. */
  readonly name: string | null;
  readonly node: IrNode;
  readonly value: Value;
  /** Of a callback: what it returns. */
  readonly result: Value | null;
  /** The variable that the function gives another value. */
  readonly out?: IrNode;
}

/** A call of which the callee, the receiver and the arguments are evaluated. */
export interface EvaluatedCall {
  readonly node: IrCall;
  readonly callee: Value;
  /** The object whose method is called. */
  readonly receiver: Value | null;
  readonly args: readonly CallArgument[];
  readonly scope: Scope;
}

/** Where the values of parameters come from: an unknown caller, a request, or a call with these arguments. */
export type ParameterSource = 'parameter' | 'request' | readonly CallArgument[];

/** By part of the request, the schema that a route has for it. */
export type RouteSchemas = ReadonlyMap<string, Value>;

/** A function of this code that a call may reach. */
export interface CallTarget {
  readonly fn: IrFunction;
  /** Where it was defined. */
  readonly outside: Scope | null;
  /** The object whose method it is; null: none, or not known. */
  readonly self: Value | null;
  /** Where they are not those of the call: a method that is called like a function gets its object as the first one. */
  readonly args?: readonly CallArgument[];
}
