import { Names } from './name-table.ts';
import type { Rules, Sink } from './rules.ts';
import type { Kind, Level } from '../flow/value.ts';

type Words = Names<true>;

/** Rules, ready to be looked up by name. */
export interface CompiledRules
  extends Pick<
    Rules,
    | 'modules'
    | 'databases'
    | 'prepared'
    | 'requestParameter'
    | 'requestMembers'
    | 'requestRoutine'
    | 'requestBeside'
    | 'numericInRoute'
    | 'services'
    | 'serviceTypes'
    | 'freeNames'
    | 'anchors'
    | 'numericOption'
  > {
  readonly sources: Names<Level>;
  readonly sinks: Names<Sink>;
  readonly assigned: Names<Sink>;
  readonly sanitizers: Names<readonly Kind[]>;
  readonly escapes: Words;
  readonly numbers: Words;
  readonly carriers: Words;
  readonly builders: Words;
  readonly mutators: Words;
  readonly lists: Words;
  readonly normalizers: Words;
  readonly relatives: Words;
  readonly fills: Names<Level | 'given'>;
  readonly exits: Words;
  readonly handlers: Words;
  readonly definers: Words;
  readonly members: Words;
  readonly memberFunctions: Words;
  readonly prefixes: Words;
  readonly patternTests: Words;
  readonly wholeTests: Words;
  readonly replacers: Words;
  readonly typeTests: Words;
  readonly pathTests: Words;
}

const compiled = new WeakMap<Rules, CompiledRules>();

export function compile(rules: Rules): CompiledRules {
  let ready = compiled.get(rules);
  if (ready === undefined) {
    const words = (patterns: string): Words => new Names([[patterns, true]]);
    ready = {
      ...rules,
      sources: new Names(rules.sources),
      sinks: new Names(rules.sinks),
      assigned: new Names(rules.assigned),
      sanitizers: new Names(rules.sanitizers),
      escapes: words(rules.escapes),
      numbers: words(rules.numbers),
      carriers: words(rules.carriers),
      builders: words(rules.builders),
      mutators: words(rules.mutators),
      lists: words(rules.lists),
      normalizers: words(rules.normalizers),
      relatives: words(rules.relatives),
      fills: new Names(rules.fills.map(([patterns, level]) => [patterns, level ?? 'given'] as const)),
      exits: words(rules.exits),
      handlers: words(rules.handlers),
      definers: words(rules.definers),
      members: words(rules.members),
      memberFunctions: words(rules.memberFunctions),
      prefixes: words(rules.prefixes),
      patternTests: words(rules.patternTests),
      wholeTests: words(rules.wholeTests),
      replacers: words(rules.replacers),
      typeTests: words(rules.typeTests),
      pathTests: words(rules.pathTests),
    };
    compiled.set(rules, ready);
  }
  return ready;
}
