import { z } from 'zod';
import { cleanText, displayText } from '../../analysis/display-text.ts';
import type { DocumentEntry } from '../entries.ts';
import { FeedFormatError, type ParseReporter } from '../feed.ts';
import { firstIssue, parseUtcTime } from '../fields.ts';
import type { AttackAnalytic, AttackLogSource, AttackTechnique, DetectionStrategy } from './attack-entries.ts';
import { externalId, readStixObjects, StixObject, StixRelation } from './stix.ts';

const ATTACK = 'mitre-attack';
const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;
const MAX_DESCRIPTION_CHARS = 1500;
const MAX_ANALYTIC_CHARS = 600;
const MAX_NAME_CHARS = 200;

const Described = StixObject.extend({ description: z.string().default(''), modified: z.string().optional() });
const Technique = Described.extend({
  kill_chain_phases: z.array(z.object({ kill_chain_name: z.string(), phase_name: z.string() })).default([]),
  x_mitre_platforms: z.array(z.string()).default([]),
});
const Tactic = Described.extend({ x_mitre_shortname: z.string() });
const Strategy = Described.extend({ x_mitre_analytic_refs: z.array(z.string()).default([]) });
const Analytic = Described.extend({
  x_mitre_platforms: z.array(z.string()).default([]),
  x_mitre_log_source_references: z
    .array(z.object({ x_mitre_data_component_ref: z.string(), name: z.string(), channel: z.string().nullish() }))
    .default([]),
});

type Bundle = {
  techniques: Map<string, z.output<typeof Technique>>;
  tactics: Map<string, string>;
  mitigations: Map<string, z.output<typeof Described>>;
  components: Map<string, z.output<typeof Described>>;
  strategies: Map<string, z.output<typeof Strategy>>;
  analytics: Map<string, z.output<typeof Analytic>>;
  /** Sources of relations, by kind of relation and target; of `subtechnique-of` and `revoked-by` targets by source. */
  related: Map<string, string[]>;
};

/** ATT&CK Enterprise: techniques with tactics, mitigations and detection strategies. Deprecated objects are left out. */
export async function readTechniques(
  bytes: AsyncIterable<Uint8Array>,
  reporter: ParseReporter,
): Promise<DocumentEntry[]> {
  const bundle: Bundle = {
    techniques: new Map(),
    tactics: new Map(),
    mitigations: new Map(),
    components: new Map(),
    strategies: new Map(),
    analytics: new Map(),
    related: new Map(),
  };
  const newest = await collect(bytes, bundle, reporter);
  if (bundle.techniques.size === 0) throw new FeedFormatError('no technique in the bundle');
  if (newest !== '') reporter.setDataTime(newest);
  return [...bundle.techniques.values()].flatMap((object) => {
    const technique = techniqueOf(object, bundle);
    return technique === null ? [] : [entryOf(technique)];
  });
}

/** Puts the objects of the bundle where they belong; the time of the newest change. */
async function collect(bytes: AsyncIterable<Uint8Array>, bundle: Bundle, reporter: ParseReporter): Promise<string> {
  let newest = '';
  const keep = <Schema extends typeof Described>(
    schema: Schema,
    raw: unknown,
    into: Map<string, z.output<Schema>>,
  ): void => {
    const object = schema.safeParse(raw);
    if (!object.success) {
      reporter.skip(String((raw as { id?: unknown }).id).slice(0, 80), firstIssue(object.error));
      return;
    }
    const { id, modified, x_mitre_deprecated } = object.data as z.output<typeof Described>;
    const time = parseUtcTime(modified) ?? '';
    if (time > newest) newest = time;
    if (!x_mitre_deprecated) into.set(id, object.data);
  };
  const tactics = new Map<string, z.output<typeof Tactic>>();
  for await (const raw of readStixObjects(bytes, reporter)) {
    if (raw.type === 'attack-pattern') keep(Technique, raw, bundle.techniques);
    else if (raw.type === 'x-mitre-tactic') keep(Tactic, raw, tactics);
    else if (raw.type === 'course-of-action') keep(Described, raw, bundle.mitigations);
    else if (raw.type === 'x-mitre-data-component') keep(Described, raw, bundle.components);
    else if (raw.type === 'x-mitre-detection-strategy') keep(Strategy, raw, bundle.strategies);
    else if (raw.type === 'x-mitre-analytic') keep(Analytic, raw, bundle.analytics);
    else if (raw.type === 'relationship') addRelation(raw, bundle.related);
  }
  for (const { x_mitre_shortname, name } of tactics.values()) bundle.tactics.set(x_mitre_shortname, cleanText(name));
  return newest;
}

function addRelation(raw: unknown, related: Bundle['related']): void {
  const parsed = StixRelation.safeParse(raw);
  if (!parsed.success || parsed.data.revoked || parsed.data.x_mitre_deprecated) return;
  const { relationship_type: type, source_ref: source, target_ref: target } = parsed.data;
  const [key, value] =
    type === 'mitigates' || type === 'detects'
      ? [`${type} ${target}`, source]
      : type === 'subtechnique-of' || type === 'revoked-by'
        ? [`${type} ${source}`, target]
        : [null, null];
  if (key !== null) related.set(key, [...(related.get(key) ?? []), value]);
}

/** Null where the object has no technique id. */
function techniqueOf(object: z.output<typeof Technique>, bundle: Bundle): AttackTechnique | null {
  const technique_id = externalId(object.external_references, ATTACK);
  if (technique_id === null || !TECHNIQUE_ID.test(technique_id)) return null;
  const relatedIn = <T>(type: string, map: ReadonlyMap<string, T>): T[] =>
    (bundle.related.get(`${type} ${object.id}`) ?? []).flatMap((id) => map.get(id) ?? []);
  const otherTechnique = (type: string): string | null => {
    const [other] = relatedIn(type, bundle.techniques);
    return other === undefined ? null : externalId(other.external_references, ATTACK);
  };
  return {
    technique_id,
    name: displayText(object.name, MAX_NAME_CHARS),
    description: plainText(object.description, MAX_DESCRIPTION_CHARS),
    tactics: object.kill_chain_phases
      .filter(({ kill_chain_name }) => kill_chain_name === ATTACK)
      .map(({ phase_name }) => bundle.tactics.get(phase_name) ?? cleanText(phase_name)),
    platforms: object.x_mitre_platforms.map(cleanText),
    subtechnique_of: otherTechnique('subtechnique-of'),
    revoked_by: object.revoked ? otherTechnique('revoked-by') : null,
    mitigations: relatedIn('mitigates', bundle.mitigations)
      .flatMap(({ name, external_references }) => {
        const mitigation_id = externalId(external_references, ATTACK);
        return mitigation_id === null ? [] : [{ mitigation_id, name: displayText(name, MAX_NAME_CHARS) }];
      })
      .sort((a, b) => (a.mitigation_id < b.mitigation_id ? -1 : 1)),
    detection_strategies: relatedIn('detects', bundle.strategies).map((strategy) => strategyOf(strategy, bundle)),
  };
}

function strategyOf(strategy: z.output<typeof Strategy>, { analytics, components }: Bundle): DetectionStrategy {
  return {
    strategy_id: externalId(strategy.external_references, ATTACK) ?? strategy.id,
    name: displayText(strategy.name, MAX_NAME_CHARS),
    analytics: strategy.x_mitre_analytic_refs.flatMap((ref): AttackAnalytic[] => {
      const analytic = analytics.get(ref);
      if (analytic === undefined) return [];
      return [
        {
          analytic_id: externalId(analytic.external_references, ATTACK) ?? analytic.id,
          platforms: analytic.x_mitre_platforms.map(cleanText),
          description: plainText(analytic.description, MAX_ANALYTIC_CHARS),
          log_sources: analytic.x_mitre_log_source_references.map((source): AttackLogSource => {
            const component = components.get(source.x_mitre_data_component_ref);
            return {
              data_component_id: component === undefined ? null : externalId(component.external_references, ATTACK),
              data_component: component === undefined ? null : displayText(component.name, MAX_NAME_CHARS),
              name: displayText(source.name, MAX_NAME_CHARS),
              channel: source.channel == null ? null : displayText(source.channel, MAX_NAME_CHARS),
            };
          }),
        },
      ];
    }),
  };
}

/** Without the citations that ATT&CK writes into its texts. */
function plainText(text: string, limit: number): string | null {
  const plain = cleanText(text.replace(/\(Citation: [^)]{1,200}\)/g, '')).trim();
  return plain === '' ? null : displayText(plain, limit);
}

function entryOf(technique: AttackTechnique): DocumentEntry {
  const { technique_id, name, description, tactics, platforms } = technique;
  return {
    collection: 'attack_technique',
    id: technique_id,
    title: name,
    text: [technique_id, description, ...tactics, ...platforms].join('\n'),
    links: [],
    body: technique,
  };
}
