import { TECHNOLOGIES } from './technologies.ts';

/** The names in a page that some rule matches; a page reader collects only these. */
export interface RuleMarks {
  ids: ReadonlySet<string>;
  classes: ReadonlySet<string>;
  attributes: ReadonlySet<string>;
  elements: ReadonlySet<string>;
  /** Identifiers in inline scripts. */
  words: ReadonlySet<string>;
  /** Starts of classes and attributes, of rules whose name ends in `*`: `svelte-`, `data-v-`. */
  classStarts: readonly string[];
  attributeStarts: readonly string[];
}

const RULES = TECHNOLOGIES.flatMap(({ rules }) => rules);
const MARK_NAMES = RULES.filter(({ kind }) => kind === 'mark').map(({ name }) => name);

function marksMatching(expression: RegExp): Set<string> {
  return new Set(MARK_NAMES.flatMap((mark) => expression.exec(mark)?.[1] ?? []));
}

export const RULE_MARKS: RuleMarks = {
  ids: marksMatching(/^#(.+)$/),
  classes: marksMatching(/^\.(.+)$/),
  attributes: marksMatching(/^\[(.+)\]$/),
  elements: marksMatching(/^<(.+)>$/),
  classStarts: [...marksMatching(/^\.(.+)\*$/)],
  attributeStarts: [...marksMatching(/^\[(.+)\*\]$/)],
  words: new Set(RULES.filter(({ kind }) => kind === 'word').map(({ name }) => name)),
};
