import type { InjectionKind, SourceLevel } from '../taint.ts';

/** Patterns of qualified names, separated by spaces: see `NameTable`. */
export type Patterns = string;

export interface Sink {
  readonly kind: InjectionKind;
  /** The positional argument that holds the statement, command or path; `receiver`: the object of the method; `named`: `argumentName` alone. */
  readonly argument: number | 'all' | 'receiver' | 'named';
  /** The name of the argument, where it may be named. */
  readonly argumentName?: string;
  /**
   * How a command is run: by a `shell`; as a `program` with arguments; `optional`: as the option `shell` says; `single`: one argument
   * by a shell, several as a program with arguments.
   */
  readonly execution?: 'shell' | 'program' | 'optional' | 'single';
  /** Names of further arguments of the command: `new ProcessStartInfo { FileName = x }`. */
  readonly extraArguments?: readonly string[];
  /** The arguments of the program are one text, which is split into several. */
  readonly splitsArguments?: boolean;
  /**
   * Methods without SQL have the name too: reported only where the receiver's name or the text shows that it is SQL; `text`: where
   * the text does.
   */
  readonly needsSqlEvidence?: boolean | 'text';
  /** The text may be SQL instead, which another row reports. */
  readonly unlessSql?: boolean;
  /** Names of values that are no command or path: the content that is written, a stream. */
  readonly ignoredValues?: RegExp;
  /** Names of values that alone are a path here: an object that stands for a file. */
  readonly onlyValues?: RegExp;
  /** Names of receivers whose method of this name is harmless. */
  readonly unlessReceiver?: RegExp;
  /** Harm is done by what the value begins with: a bar makes `open` of Ruby run a command. */
  readonly onlyStart?: boolean;
  /** Each value of a record is a statement. */
  readonly recordValues?: boolean;
  /** Reported only where the argument is a list. */
  readonly onlyLists?: boolean;
  /** The result holds the statement or command, which a later call runs: that is a sink as well, by a row with `members`. */
  readonly isHeld?: boolean;
  /** The program is the first argument of a call that the receiver is: `Cli.Wrap("sh").WithArguments(x)`. */
  readonly programInReceiver?: boolean;
  /** Of an object with `members`: the program, and the list of its arguments. */
  readonly commandMembers?: { readonly program: string; readonly list: string };
  /** The argument is an object that holds the statement or command since it was made, or in one of these members. */
  readonly members?: readonly string[];
  /** Of the object, nothing but the `members` is run or opened. */
  readonly onlyMembers?: boolean;
  /** The values in an interpolated text are bound, not written into the statement (`FormattableString`). */
  readonly bindsTemplate?: boolean;
  /** Reported only where the first argument is a context (Go). */
  readonly afterContext?: boolean;
  /** The option that makes the call safe: a root that the path cannot leave. */
  readonly safeOption?: string;
  /** The texts or names that make the option safe; without them, any value does. */
  readonly safeOptionValues?: RegExp;
  readonly remediation: string;
}

/** How values are bound to a statement by a call. */
export interface Binding {
  /** `driver`: as the driver that the code imports has it. */
  readonly placeholder: Placeholder | 'driver';
  /**
   * How the values are passed: as an `array`, `tuple` or anonymous `object` after the statement, as further `arguments`, by
   * `setParameter`, or in a `list` with the statement.
   */
  readonly values: 'array' | 'tuple' | 'object' | 'arguments' | 'setParameter' | 'list';
  /** Another method, which takes values. */
  readonly method?: string;
}

export type Placeholder = '?' | '%s' | '$1' | '?1' | '@p0' | '{0}';

/** What is put around a value to make it harmless; `needs`: a name that the code must have imported for it. */
export interface Wrapper {
  readonly before: string;
  readonly after: string;
  readonly needs?: string;
}

/** What is needed to write a mended line in the language. */
export interface FixRules {
  /** The last part of a path. */
  readonly baseName: readonly Wrapper[];
  /** One word for a shell. */
  readonly shellWord: readonly Wrapper[];
  /** The placeholder of each driver, by what the code says where it imports it. */
  readonly drivers: readonly (readonly [RegExp, Placeholder])[];
  /** A list of strings. */
  readonly list: readonly [open: string, close: string];
}

export interface DeferredCall {
  readonly callee: number | string;
  readonly list?: number | string;
}

/** Rules for a language's functions and frameworks. */
export interface Rules {
  readonly sources: readonly (readonly [Patterns, SourceLevel])[];
  readonly sinks: readonly (readonly [Patterns, Sink])[];
  /** How calls that are sinks of SQL are written with bound values. */
  readonly bindings: readonly (readonly [Patterns, Binding])[];
  readonly fixes: FixRules;
  /** Members whose assignment is a sink: `cmd.CommandText = x`. */
  readonly assignmentSinks: readonly (readonly [Patterns, Sink])[];
  /** Objects whose element by a text is a query: `DB["SELECT ..."]` of Sequel. */
  readonly indexSinks: readonly (readonly [Patterns, Sink])[];
  /** Calls whose result is harmless for these kinds. */
  readonly sanitizers: readonly (readonly [Patterns, readonly InjectionKind[]])[];
  /** Sanitizers whose result is harmless only between quotes. */
  readonly quoteEscapers: Patterns;
  /** Sanitizers whose result is one word of a shell: with quotes of its own, or by backslashes, which single quotes make useless. */
  readonly wordEscapers: readonly (readonly [Patterns, 'bare' | 'not-single'])[];
  /** Calls and members whose result is a number or a boolean. */
  readonly scalarResults: Patterns;
  /** Elements of a map, by its name and key, that are numbers or chosen by the program: `$_FILES['a']['tmp_name']`. */
  readonly scalarElements: Patterns;
  /** Elements of a map that are paths which the program chose; what the files hold, it did not. */
  readonly chosenPaths: Patterns;
  /** Calls whose result is a record of what the receiver holds, under keys that the program names. */
  readonly recordResults: Patterns;
  /** Calls whose result is as tainted as their receiver and arguments. */
  readonly propagators: Patterns;
  /** Propagators that concatenate. */
  readonly concatenators: Patterns;
  /** Formats for SQL, whose verbs `%I` and `%L` quote. */
  readonly sqlFormats: Patterns;
  /** Calls that append their arguments to the receiver. */
  readonly appenders: Patterns;
  /** Calls whose result is the list of their arguments. */
  readonly listConstructors: Patterns;
  /** Calls whose result is a path without `..`. */
  readonly pathNormalizers: Patterns;
  /** `relative(from, to)`: a test of the result is a test of its last argument. */
  readonly relativePaths: Patterns;
  /** Constructors whose arguments become members; `lists`: members that begin as an empty list. */
  readonly constructorFields: readonly (readonly [
    Patterns,
    { readonly names: readonly string[]; readonly lists: readonly string[] },
  ])[];
  /** Calls that write into their arguments: data from the receiver and the other `arguments`, or from a source. */
  readonly outputArguments: readonly (readonly [Patterns, SourceLevel | 'arguments'])[];
  /** The name of an argument that makes the result a number or similar. */
  readonly numericOption: RegExp | null;
  /** Calls that keep a value in a context under a key, by the positions of both or for a variable, and calls that read it. */
  readonly contextSetters: readonly (readonly [
    Patterns,
    {
      readonly key: number | 'receiver';
      readonly value: number;
      /** Pages and code of other files read it too. */
      readonly isOpen?: true;
    },
  ])[];
  readonly contextGetters: Patterns;
  /** Names of objects that keep their elements by key in the same way. */
  readonly contextObjects: RegExp | null;
  /** Calls that do not return. */
  readonly terminators: Patterns;
  /**
   * Calls that return only where their first argument, a test, is true or false; `itself`: where the call as a test is true; `equal`:
   * where their first two arguments are.
   */
  readonly guards: readonly (readonly [Patterns, 'true' | 'false' | 'itself' | 'equal'])[];
  /** Calls whose callback receives request data. */
  readonly requestHandlers: Patterns;
  /**
   * Calls that call one of their arguments with the others: `to_thread(run, command)`. `callee`: its position or name; `list`: of a list
   * of the arguments, without it all that follow.
   */
  readonly deferredCalls: readonly (readonly [Patterns, DeferredCall])[];
  /** Calls that define a function by their callback, whose callers are not known. */
  readonly functionDefiners: Patterns;
  /** Tests that the receiver contains the argument, or that one argument contains the other. */
  readonly membershipMethods: Patterns;
  readonly membershipFunctions: Patterns;
  /** Tests that the receiver or the first argument begins with the (other) argument. */
  readonly prefixTests: Patterns;
  /** Tests by a regular expression; full match tests need no anchors. */
  readonly patternTests: Patterns;
  readonly fullMatchTests: Patterns;
  /** Replacements by a regular expression: harmless where all but letters and digits is removed. */
  readonly patternReplacers: Patterns;
  /** Calls whose result is a statement of a list with the values that belong in it. */
  readonly statementBuilders: Patterns;
  /** Calls whose result is the pattern that is their first argument. */
  readonly patternConstructors: Patterns;
  /** Calls that turn the variable that is their first argument into a number or similar. */
  readonly converters: Patterns;
  /** Names of streams that hold the request: `php://input`. */
  readonly requestTexts: RegExp | null;
  /** Calls that read a header of the request where their argument is the name of one; else a value that the program keeps. */
  readonly headerGetters: Patterns;
  /** Calls whose last result is an error where their first argument is no number or similar. */
  readonly errorTests: Patterns;
  /** Tests that the receiver or first argument is a number or similar. */
  readonly typeTests: Patterns;
  /** Tests that a path stays inside of a folder. */
  readonly pathTests: Patterns;
  /** Other names of modules: `fs-extra` for `fs`. */
  readonly moduleAliases: Readonly<Record<string, string>>;
  /** Names of receivers that run SQL. */
  readonly databaseNames: RegExp;
  /** Names and types of prepared statements, whose methods receive values, not SQL. */
  readonly preparedStatements: RegExp;
  /** Members that a framework fills from the request, whatever their name. */
  readonly requestMembers: RegExp | null;
  /** Methods of such objects: the getters of a message. */
  readonly requestGetters: RegExp | null;
  /** Annotations of a parameter, or of its function, that tell a framework to fill it from the request. */
  readonly requestParameterAnnotation: RegExp | null;
  readonly requestFunctionAnnotation: RegExp | null;
  /** Of a form or serializer: the member that holds what was sent, by the fields that its class declares. */
  readonly validatedMembers: RegExp | null;
  /** Constructors of such fields that allow no free text. */
  readonly narrowFields: RegExp | null;
  /** Methods that a framework calls with data from outside: `Super#method`, where the class extends `Super`, `@Annotation#method`, or `#method` of any class. */
  readonly requestMethods: RegExp | null;
  /** Beside a parameter of this type, a framework fills the others from a request. */
  readonly requestBesideType: RegExp | null;
  /** With a first parameter of this name, the framework fills the other parameters from the URL. */
  readonly requestParameterName: RegExp | null;
  /** In the annotations of a function: a parameter (first group) that the framework restricts to numbers. Global flag. */
  readonly numericRouteParameter: RegExp | null;
  /** Parameters that are services, not data: by name and by type. */
  readonly trustedNames: RegExp;
  readonly trustedTypes: RegExp;
  /** Names that can be free variables: variables of code that is not shown. */
  readonly freeVariables: RegExp | null;
  /** How a regular expression is anchored. */
  readonly patternAnchors: { readonly start: RegExp; readonly end: RegExp };
}
