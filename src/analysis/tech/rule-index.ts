import { compile } from './pattern.ts';
import type { Rule, RuleKind, Technology } from './rule.ts';

export interface Compiled extends Rule {
  readonly technology: Technology;
  readonly expression: RegExp | null;
}

export type Rules = ReadonlyMap<string, readonly Compiled[]>;

/** The rules, each where it is looked for. */
export class RuleIndex {
  readonly byName: ReadonlyMap<string, Technology>;
  readonly headers: Rules;
  readonly cookies: Rules;
  readonly prefixedCookies: readonly Compiled[];
  readonly metas: Rules;
  readonly comments: readonly Compiled[];
  readonly hosts: Rules;
  readonly media: Rules;
  /** `anywhere`: of many paths, one a line. */
  readonly paths: readonly { rule: Compiled; anywhere: RegExp }[];
  readonly libraries: Readonly<Record<'script' | 'style', Rules>>;
  readonly extensions: Readonly<Record<'plugin' | 'theme', Rules>>;
  readonly marks: Rules;
  readonly words: Rules;
  readonly zones: Readonly<Record<'ns' | 'mx' | 'cname', Rules>>;
  readonly txt: readonly Compiled[];
  readonly spf: Rules;

  constructor(technologies: readonly Technology[]) {
    const rules = technologies.flatMap((technology) =>
      technology.rules.map((rule) => ({
        ...rule,
        technology,
        expression: rule.pattern === null ? null : compile(rule.pattern),
      })),
    );
    const of = (kind: RuleKind): Compiled[] => rules.filter((rule) => rule.kind === kind);
    const named = (kind: RuleKind): Rules => Map.groupBy(of(kind), ({ name }) => name);
    // By the host alone: the rest of the name is the start of a path.
    const hosted = (kind: RuleKind): Rules => Map.groupBy(of(kind), ({ name }) => name.split('/', 1)[0]!);
    this.byName = new Map(technologies.map((technology) => [technology.name, technology]));
    this.headers = named('header');
    this.cookies = named('cookie');
    this.prefixedCookies = of('cookie').filter(({ name }) => name.endsWith('*'));
    this.metas = named('meta');
    this.comments = of('comment');
    this.hosts = hosted('host');
    this.media = hosted('media');
    this.paths = of('path').map((rule) => ({ rule, anywhere: new RegExp(rule.expression!.source, 'im') }));
    this.libraries = { script: named('script'), style: named('style') };
    this.extensions = { plugin: named('plugin'), theme: named('theme') };
    this.marks = named('mark');
    this.words = named('word');
    this.zones = { ns: named('ns'), mx: named('mx'), cname: named('cname') };
    this.txt = of('txt');
    this.spf = named('spf');
  }
}
