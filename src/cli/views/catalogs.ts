import { displayLine, displayLineOrNull, markdownToLine, summarizeList } from '../../analysis/display-text.ts';
import type { atlasTechniqueLookup } from '../../operations/atlas/atlas-technique-lookup.ts';
import type { atlasTechniqueSearch } from '../../operations/atlas/atlas-technique-search.ts';
import type { attackCoverage } from '../../operations/attack/attack-coverage.ts';
import type { attackTechniqueLookup } from '../../operations/attack/attack-technique-lookup.ts';
import type { d3fendDefenseForAttack } from '../../operations/d3fend/d3fend-defense-for-attack.ts';
import type { d3fendDefenseLookup } from '../../operations/d3fend/d3fend-defense-lookup.ts';
import type { sigmaRuleLookup } from '../../operations/sigma/sigma-rule-lookup.ts';
import type { sigmaSearch } from '../../operations/sigma/sigma-search.ts';
import { type AnswerOf, defineView, table, type ViewColumn } from './view.ts';

const MAX_TEXT_CHARS = 300;
const MAX_NAME_CHARS = 80;
const ALL_ROWS = 200;

/** Texts of catalogs are Markdown with some HTML. */
function aboutOf(description: string | null): string | null {
  return displayLineOrNull(markdownToLine((description ?? '').replaceAll(/<\/?code>/g, '')), MAX_TEXT_CHARS);
}

type LogSource = AnswerOf<typeof sigmaRuleLookup>['rule']['logsource'];

function logSourceText({ product, category, service }: LogSource): string {
  return [product, category, service].filter(Boolean).join(' ');
}

const sigmaSearchView = defineView<typeof sigmaSearch>('sigma_search', ({ results }) => ({
  sections: [
    table(
      null,
      results,
      [
        { title: 'rule', cell: ({ rule_id }) => rule_id },
        { title: 'level', cell: ({ level }) => level, rank: 2 },
        { title: 'title', cell: ({ title }) => title, rank: 1, min: 30 },
        { title: 'logs', cell: ({ logsource }) => logSourceText(logsource), rank: 3 },
        { title: 'techniques', cell: ({ attack_techniques }) => summarizeList(attack_techniques, 2), rank: 4 },
        { title: 'CVEs', cell: ({ cve_ids }) => summarizeList(cve_ids, 2), rank: 5 },
        { title: 'status', cell: ({ status }) => status, rank: 6 },
      ],
      { limit: ALL_ROWS },
    ),
  ],
}));

const sigmaRuleView = defineView<typeof sigmaRuleLookup>('sigma_rule_lookup', ({ rule }) => ({
  title: displayLine(rule.title, MAX_NAME_CHARS),
  verdict: [rule.level === null ? null : `level ${rule.level}`, rule.status, rule.rule_id],
  facts: {
    matches: rule.detection_summary,
    logs: logSourceText(rule.logsource),
    about: displayLineOrNull(rule.description, MAX_TEXT_CHARS),
    techniques: summarizeList(rule.attack_techniques),
    CVEs: summarizeList(rule.cve_ids),
    'false alarms': summarizeList(rule.falsepositives, 5, MAX_NAME_CHARS),
    'written by': displayLineOrNull(rule.author, MAX_NAME_CHARS),
    changed: rule.modified ?? rule.date,
    rule: rule.source_url,
    licence: rule.license,
  },
}));

type Defense = Pick<
  AnswerOf<typeof d3fendDefenseForAttack>['defenses'][number],
  'defense_id' | 'name' | 'tactic' | 'artifact'
>;
const DEFENSE_COLUMNS: readonly ViewColumn<Defense>[] = [
  { title: 'does', cell: ({ tactic }) => tactic },
  { title: 'defense', cell: ({ name }) => name, rank: 0, min: 30 },
  { title: 'on', cell: ({ artifact }) => artifact, rank: 3 },
  { title: 'id', cell: ({ defense_id }) => defense_id, min: Infinity, rank: 2 },
];

const defensesView = defineView<typeof d3fendDefenseForAttack>('d3fend_defense_for_attack', (answer) => ({
  facts: { 'taken from': answer.inherited_from === null ? null : `its parent technique ${answer.inherited_from}` },
  sections: [table(null, answer.defenses, DEFENSE_COLUMNS, { limit: ALL_ROWS })],
}));

const defenseView = defineView<typeof d3fendDefenseLookup>('d3fend_defense_lookup', (defense) => ({
  title: [defense.d3fend_id, defense.label].filter(Boolean).join(': '),
  verdict: [defense.tactic, defense.artifact === null ? null : `on ${defense.artifact}`],
  facts: {
    about: aboutOf(defense.description),
    'also called': summarizeList(defense.synonyms),
    'a kind of': defense.parent_label,
    'more special': summarizeList(
      defense.children.map(({ label }) => label),
      6,
      MAX_NAME_CHARS,
    ),
    counters: `${defense.total_attack_techniques} techniques: ${summarizeList(defense.attack_techniques, 12)}`,
    address: defense.uri,
  },
}));

const attackView = defineView<typeof attackTechniqueLookup>('attack_technique_lookup', (technique) => ({
  title: `${technique.technique_id}: ${technique.name}`,
  verdict: [
    technique.tactics.join(', '),
    technique.coverage.replace(/\.$/, '').replace(/^S/, 's'),
    technique.revoked_by === null ? null : `replaced by ${technique.revoked_by}`,
  ],
  facts: {
    missing: technique.missing.join(', '),
    on: technique.platforms.join(', '),
    about: aboutOf(technique.description),
    'part of': technique.subtechnique_of,
    parts: summarizeList(
      technique.subtechniques.map(({ technique_id, name }) => `${technique_id} ${name}`),
      6,
      MAX_NAME_CHARS,
    ),
    'exploited CVEs': summarizeList(technique.exploited_cves.map(({ cve_id }) => cve_id)),
  },
  sections: [
    table(
      'Sigma rules',
      technique.sigma_rules,
      [
        { title: 'level', cell: ({ level }) => level },
        { title: 'rule', cell: ({ title }) => title, rank: 0 },
        { title: 'id', cell: ({ rule_id }) => rule_id, min: Infinity },
      ],
      { limit: 6, total: technique.total_sigma_rules ?? 0 },
    ),
    table('defenses', technique.defenses, DEFENSE_COLUMNS, { limit: 8 }),
    table(
      'mitigations',
      technique.mitigations,
      [
        { title: 'id', cell: ({ mitigation_id }) => mitigation_id },
        { title: 'mitigation', cell: ({ name }) => name },
      ],
      { limit: 8 },
    ),
  ],
}));

const coverageView = defineView<typeof attackCoverage>('attack_coverage', ({ techniques, uncovered, unknown }) => ({
  facts: { 'not covered': summarizeList(uncovered), 'not known': summarizeList(unknown) },
  sections: [
    table(
      null,
      techniques,
      [
        { title: 'technique', cell: ({ technique_id }) => technique_id },
        { title: 'name', cell: ({ name }) => name },
        { title: 'rules', cell: ({ total_sigma_rules }) => total_sigma_rules, align: 'right' },
        { title: 'strategies', cell: ({ detection_strategies }) => detection_strategies.length, align: 'right' },
        { title: 'defenses', cell: ({ total_defenses }) => total_defenses, align: 'right' },
        { title: 'missing', cell: ({ missing }) => missing.join(', ') },
      ],
      { limit: ALL_ROWS },
    ),
  ],
}));

const atlasView = defineView<typeof atlasTechniqueLookup>('atlas_technique_lookup', (technique) => ({
  title: `${technique.technique_id}: ${technique.name}`,
  verdict: [technique.tactics.map(({ name }) => name).join(', '), technique.maturity],
  facts: {
    about: aboutOf(technique.description),
    'part of': technique.subtechnique_of,
    parts: summarizeList(
      technique.subtechniques.map(({ technique_id, name }) => `${technique_id} ${name}`),
      6,
      MAX_NAME_CHARS,
    ),
    'in ATT&CK': technique.attack_reference_id,
  },
  sections: [
    table('mitigations', technique.mitigations, [
      { title: 'id', cell: ({ mitigation_id }) => mitigation_id },
      { title: 'mitigation', cell: ({ name }) => name, rank: 1 },
      { title: 'how', cell: ({ use }) => displayLineOrNull(use, MAX_TEXT_CHARS), rank: 2 },
    ]),
  ],
}));

const atlasSearchView = defineView<typeof atlasTechniqueSearch>('atlas_technique_search', ({ results }) => ({
  sections: [
    table(
      null,
      results,
      [
        { title: 'technique', cell: ({ technique_id }) => technique_id },
        { title: 'name', cell: ({ name }) => name },
        { title: 'tactics', cell: ({ tactics }) => tactics.map(({ name }) => name).join(', ') },
        { title: 'maturity', cell: ({ maturity }) => maturity },
      ],
      { limit: ALL_ROWS },
    ),
  ],
}));

export const CATALOG_VIEWS = [
  sigmaSearchView,
  sigmaRuleView,
  defensesView,
  defenseView,
  attackView,
  coverageView,
  atlasView,
  atlasSearchView,
];
