import type { InjectionKind, SourceLevel } from '../taint.ts';

/** Patterns of names in words, as `Names` reads them. */
export type Patterns = string;

export interface Sink {
  readonly kind: InjectionKind;
  /** Which positional argument holds the statement, command or path; `all`: every one; `receiver`: none of
   * them, but what the method is called on. */
  readonly argument: number | 'all' | 'receiver' | 'named';
  /** The argument by its name, where it may be named. */
  readonly argumentName?: string;
  /**
   * How a command is run: `shell` interprets its text; `program` is handed arguments; `optional` depends on the option `shell`;
   * `single`: one argument is for the shell, several are a program with arguments.
   */
  readonly execution?: 'shell' | 'program' | 'optional' | 'single';
  /** Arguments that are set by name after the positional ones: `new ProcessStartInfo { FileName = x }`. */
  readonly extraArguments?: readonly string[];
  /** The arguments are one text that is split into several again. */
  readonly splitsArguments?: boolean;
  /** For SQL: called so by others too; counts where the receiver's name or the text says that it is SQL. */
  readonly needsSqlEvidence?: boolean;
  /** Counts where the first argument is a context, and the statement comes after it. */
  readonly afterContext?: boolean;
  /** Harmless with this option: a root that the path cannot leave. */
  readonly safeOption?: string;
  /** What to do instead. */
  readonly remediation: string;
}

export interface Rules {
  readonly sources: readonly (readonly [Patterns, SourceLevel])[];
  readonly sinks: readonly (readonly [Patterns, Sink])[];
  /** Members whose assignment is a sink: `cmd.CommandText = x`. */
  readonly assignmentSinks: readonly (readonly [Patterns, Sink])[];
  /** Calls whose result is harmless for these kinds. */
  readonly sanitizers: readonly (readonly [Patterns, readonly InjectionKind[]])[];
  /** Calls whose result is harmless in a statement only where it stands in quotes. */
  readonly quoteEscapers: Patterns;
  /** Calls and members whose result is a number or a truth value. */
  readonly scalarResults: Patterns;
  /** Calls whose result holds their receiver and their arguments. */
  readonly propagators: Patterns;
  /** Carriers whose result is one text out of the parts. */
  readonly concatenators: Patterns;
  /** Calls that join their arguments to the receiver. */
  readonly appenders: Patterns;
  /** Calls whose result is the list of their arguments. */
  readonly listConstructors: Patterns;
  /** Calls whose result is a path without `..` in it. */
  readonly pathNormalizers: Patterns;
  /** `relative(from, to)`: a test of the result is a test of its last argument. */
  readonly relativePaths: Patterns;
  /** Calls that put what they read into their arguments: from the others and the receiver, or (a level) from a source. */
  readonly outputArguments: readonly (readonly [Patterns, SourceLevel | 'arguments'])[];
  /** A name among the arguments by which the result is a number or the like. */
  readonly numericOption: RegExp | null;
  /** Calls that end the routine. */
  readonly terminators: Patterns;
  /** Calls whose callback is given what others send. */
  readonly requestHandlers: Patterns;
  /** Calls that make a routine of their callback, to be called from anywhere. */
  readonly functionDefiners: Patterns;
  /** Tests that the argument is one of the receiver's elements; functions: that one argument is in the other. */
  readonly membershipMethods: Patterns;
  readonly membershipFunctions: Patterns;
  /** Tests that the receiver, or the first argument, begins with the (other) argument. */
  readonly prefixTests: Patterns;
  /** Tests of a pattern of characters; `whole`: they match from end to end by themselves. */
  readonly patternTests: Patterns;
  readonly fullMatchTests: Patterns;
  /** Replacements by a pattern: what it leaves over is harmless where it takes away all but letters and digits. */
  readonly patternReplacers: Patterns;
  /** Tests that the receiver or first argument is a number or the like. */
  readonly typeTests: Patterns;
  /** Tests for a path that stays inside. */
  readonly pathTests: Patterns;
  /** Other names of modules: `fs-extra` for `fs`. */
  readonly moduleAliases: Readonly<Record<string, string>>;
  /** Names of receivers that run SQL. */
  readonly databaseNames: RegExp;
  /** Names, types and origins of statements that were prepared: what they are called with are values, not a statement. */
  readonly preparedStatements: RegExp;
  /** Members, by path, that a framework fills from the request, whatever their name. */
  readonly requestMembers: RegExp | null;
  /** Annotations of a parameter, and of its routine, by which a framework fills it from the request. */
  readonly requestParameterAnnotation: RegExp | null;
  readonly requestFunctionAnnotation: RegExp | null;
  /** A first parameter of this name: the framework fills those beside it from the request's address. */
  readonly requestParameterName: RegExp | null;
  /** In a routine's annotations: the parameter (first group) that the framework lets be nothing but a number. Global. */
  readonly numericRouteParameter: RegExp | null;
  /** Parameters that are services, not data: by name and by type. */
  readonly trustedNames: RegExp;
  readonly trustedTypes: RegExp;
  /** A name without a meaning here is a variable of code that was left out. */
  readonly freeVariables: RegExp | null;
  /** How a pattern says that it matches from the beginning, and to the end. */
  readonly patternAnchors: { readonly start: RegExp; readonly end: RegExp };
}
