import type { SyntaxNode } from '../syntax-tree.ts';

/** What a program does with its values, the same for every language: what the flow analysis reads. */
export type Step =
  | (At & { readonly op: 'none' })
  | (At & { readonly op: 'text'; readonly text: string })
  /** Numbers, booleans, null: `text` is as written. */
  | (At & { readonly op: 'constant'; readonly text: string })
  | (At & { readonly op: 'name'; readonly name: string })
  | (At & { readonly op: 'member'; readonly object: Step; readonly name: string })
  | (At & { readonly op: 'index'; readonly object: Step; readonly index: Step })
  | Call
  /** Concatenation, interpolation, formatting: one text out of several. */
  | (At & { readonly op: 'join'; readonly parts: readonly Step[] })
  | (At & { readonly op: 'list'; readonly items: readonly Step[] })
  | (At & { readonly op: 'record'; readonly entries: readonly Entry[] })
  /** `a || b`, `a ?? b`: the value of one of them. */
  | (At & { readonly op: 'either'; readonly parts: readonly Step[] })
  /** A comparison or arithmetic: the result is no text. */
  | (At & { readonly op: 'compare'; readonly operator: string; readonly left: Step; readonly right: Step })
  | (At & { readonly op: 'logic'; readonly operator: 'and' | 'or'; readonly left: Step; readonly right: Step })
  | (At & { readonly op: 'not'; readonly value: Step })
  | (At & { readonly op: 'choice'; readonly test: Step; readonly yes: Step; readonly no: Step })
  | (At & { readonly op: 'each'; readonly target: Step; readonly over: Step; readonly test: Step; readonly body: Step })
  | (At & {
      readonly op: 'assign';
      readonly target: Step;
      readonly value: Step;
      /** `set` replaces, `append` joins to what is there, `default` sets where nothing is. */
      readonly how: 'set' | 'append' | 'default';
      readonly type: string | null;
    })
  | Routine
  | (At & { readonly op: 'scope'; readonly body: Step })
  | (At & { readonly op: 'block'; readonly steps: readonly Step[] })
  | (At & { readonly op: 'loop'; readonly steps: readonly Step[] })
  | (At & { readonly op: 'switch'; readonly subject: Step; readonly cases: readonly Case[]; readonly breaks: boolean })
  /** Runs or does not: a handler of exceptions. */
  | (At & { readonly op: 'maybe'; readonly body: Step })
  | (At & { readonly op: 'try'; readonly body: Step; readonly handlers: readonly Step[]; readonly last: Step })
  /** `far`: a label says what is left. */
  | (At & {
      readonly op: 'exit';
      readonly value: Step;
      readonly leaves: 'routine' | 'break' | 'continue';
      readonly far: boolean;
    })
  | (At & { readonly op: 'import'; readonly names: readonly (readonly [local: string, origin: string])[] });

export interface At {
  readonly at: SyntaxNode;
}

export interface Call extends At {
  readonly op: 'call';
  readonly callee: Step;
  readonly args: readonly Argument[];
  /** The name by which the call is shown and counted: `exec` of `child.exec(x)`. */
  readonly nameAt: SyntaxNode;
  /** A tagged template: its values are handed over apart from its text. */
  readonly tagged: boolean;
}

export interface Argument {
  readonly name: string | null;
  readonly value: Step;
}

export interface Entry {
  readonly key: string | null;
  readonly value: Step;
}

export interface Case {
  /** All its labels are literals: inside, the subject is one of them. */
  readonly literal: boolean;
  /** Goes on in the next one where nothing leaves it. */
  readonly falls: boolean;
  readonly body: Step;
}

export interface Parameter {
  readonly target: Step;
  readonly type: string | null;
  /** By its type it holds no text of somebody's choice: a number, one of some literals. */
  readonly harmless: boolean;
  /** Annotations and default as written: where frameworks say what a parameter is. */
  readonly notes: string;
}

export interface Routine extends At {
  readonly op: 'routine';
  readonly name: string | null;
  readonly parameters: readonly Parameter[];
  readonly body: Step;
  /** Decorators and annotations as written. */
  readonly notes: string;
}
