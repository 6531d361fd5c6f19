import { compileRulePattern } from './rule-pattern.ts';
import type { TechnologyRule, TechnologyRuleKind, Technology } from './technology-rule.ts';

export interface CompiledRule extends TechnologyRule {
  readonly technology: Technology;
  readonly expression: RegExp | null;
}

export type RulesByName = ReadonlyMap<string, readonly CompiledRule[]>;

/** The rules by kind and name. */
export class RuleIndex {
  readonly byName: ReadonlyMap<string, Technology>;
  readonly headers: RulesByName;
  readonly cookies: RulesByName;
  readonly prefixedCookies: readonly CompiledRule[];
  readonly metas: RulesByName;
  readonly comments: readonly CompiledRule[];
  readonly titles: readonly CompiledRule[];
  readonly credits: readonly CompiledRule[];
  readonly hosts: RulesByName;
  readonly media: RulesByName;
  /** `anywhere`: matches in many paths, one per line. */
  readonly paths: readonly { rule: CompiledRule; anywhere: RegExp }[];
  readonly libraries: Readonly<Record<'script' | 'style', RulesByName>>;
  readonly extensions: Readonly<Record<'plugin' | 'theme', RulesByName>>;
  readonly marks: RulesByName;
  readonly words: RulesByName;
  readonly zones: Readonly<Record<'ns' | 'mx' | 'cname', RulesByName>>;
  readonly txt: readonly CompiledRule[];
  readonly spf: RulesByName;

  constructor(technologies: readonly Technology[]) {
    const rules = technologies.flatMap((technology) =>
      technology.rules.map((rule) => ({
        ...rule,
        technology,
        expression: rule.pattern === null ? null : compileRulePattern(rule.pattern),
      })),
    );
    const of = (kind: TechnologyRuleKind): CompiledRule[] => rules.filter((rule) => rule.kind === kind);
    const named = (kind: TechnologyRuleKind): RulesByName => Map.groupBy(of(kind), ({ name }) => name);
    // By the host alone: the rest of the name is the start of a path.
    const hosted = (kind: TechnologyRuleKind): RulesByName =>
      Map.groupBy(of(kind), ({ name }) => name.split('/', 1)[0]!);
    this.byName = new Map(technologies.map((technology) => [technology.name, technology]));
    this.headers = named('header');
    this.cookies = named('cookie');
    this.prefixedCookies = of('cookie').filter(({ name }) => name.endsWith('*'));
    this.metas = named('meta');
    this.comments = of('comment');
    this.titles = of('title');
    this.credits = of('credit');
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
