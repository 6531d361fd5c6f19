import { TECHNOLOGIES } from './technologies.ts';

/** What the reader of a page looks out for, because some rule asks for it. */
export interface PageMarks {
  ids: ReadonlySet<string>;
  classes: ReadonlySet<string>;
  attributes: ReadonlySet<string>;
  elements: ReadonlySet<string>;
  /** Identifiers in inline scripts. */
  words: ReadonlySet<string>;
}

const RULES = TECHNOLOGIES.flatMap(({ rules }) => rules);
const MARKS = RULES.filter(({ kind }) => kind === 'mark').map(({ name }) => name);

function named(expression: RegExp): Set<string> {
  return new Set(MARKS.flatMap((mark) => expression.exec(mark)?.[1] ?? []));
}

export const PAGE_MARKS: PageMarks = {
  ids: named(/^#(.+)$/),
  classes: named(/^\.(.+)$/),
  attributes: named(/^\[(.+)\]$/),
  elements: named(/^<(.+)>$/),
  words: new Set(RULES.filter(({ kind }) => kind === 'word').map(({ name }) => name)),
};
