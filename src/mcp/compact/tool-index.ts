import { stemmer } from 'stemmer';
import { plainWords } from '../../analysis/search-words.ts';
import { AREAS } from '../../engine/operation.ts';
import type { McpTool } from '../tools.ts';
import { FIELD_WORDS } from './field-words.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import type { RecognizedQuery } from './recognize-query.ts';
import { TOOLS_FOR_MANY, TOOLS_FOR_ONE } from './kind-tools.ts';

/** A tool that fits a query, with the part of its input that the query gives. */
export interface FoundTool {
  tool: McpTool;
  /** Null: the query names nothing that it takes. */
  input: Record<string, unknown> | null;
}

/** Weight of a word by the place where a tool has it. */
const WEIGHTS = { name: 3, title: 3, field: 3, description: 2, area: 1, inputs: 0.5 };
/** Of a word's weight in one tool: more of it counts less and less. */
const SATURATION = 1.5;
/** Words of a tool that takes what the query has count more. */
const TAKES_FACTOR = 1.5;
/** For the first tool that takes an identifier; each further one gets a little less. */
const TAKES_BONUS = 2.5;
const BONUS_STEP = 0.93;
/** A document, or several identifiers, leave little doubt. */
const CERTAIN_BONUS = 8;

/** The words of tools, with how much each says, for ranking them by a query. */
export class ToolIndex {
  readonly #tools: readonly McpTool[];
  readonly #weights: readonly ReadonlyMap<string, number>[];
  readonly #rarity = new Map<string, number>();

  constructor(tools: readonly McpTool[]) {
    this.#tools = tools;
    const names = tools.map(({ definition }) => definition.name);
    this.#weights = tools.map((tool) => wordWeights(tool, names));
    const counts = new Map<string, number>();
    for (const weights of this.#weights)
      for (const word of weights.keys()) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) this.#rarity.set(word, Math.log(1 + tools.length / count));
  }

  /** The tools that fit best, at most `limit`; empty where no word is known and nothing was recognised. */
  find(recognized: RecognizedQuery, limit: number): FoundTool[] {
    const words = new Set(stems(recognized.words));
    const taken = toolsForQuery(recognized);
    return this.#tools
      .map((tool, index) => {
        const takes = taken.get(tool.definition.name);
        const wordScore = this.#wordScore(words, this.#weights[index]!);
        const score = takes === undefined ? wordScore : wordScore * TAKES_FACTOR + takes.bonus;
        return { tool, input: takes?.input ?? null, score };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ tool, input }) => ({ tool, input: input === null ? null : asSchemaWants(tool, input) }));
  }

  #wordScore(words: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
    let score = 0;
    for (const word of words) {
      const weight = weights.get(word);
      if (weight !== undefined) score += this.#rarity.get(word)! * (weight / (weight + SATURATION));
    }
    return score;
  }
}

/** The sentences of a tool's description that name no other tool: what it is for, not what others are for. */
export function ownDescription({ definition }: McpTool, toolNames: readonly string[]): string {
  const sentences = (definition.description ?? '').split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  const others = toolNames.filter((name) => name !== definition.name);
  return sentences
    .filter((sentence) => !(sentence.match(/\w+/g) ?? []).some((word) => others.includes(word)))
    .join(' ');
}

function wordWeights(tool: McpTool, toolNames: readonly string[]): ReadonlyMap<string, number> {
  const { operation, definition } = tool;
  const texts: Record<keyof typeof WEIGHTS, string> = {
    name: definition.name,
    title: operation.title,
    field: FIELD_WORDS[definition.name] ?? '',
    description: ownDescription(tool, toolNames),
    area: AREAS[operation.area],
    inputs: Object.keys(operation.input.shape).join(' '),
  };
  const weights = new Map<string, number>();
  for (const [place, text] of Object.entries(texts)) {
    const weight = WEIGHTS[place as keyof typeof WEIGHTS];
    for (const word of new Set(stems(text))) weights.set(word, (weights.get(word) ?? 0) + weight);
  }
  return weights;
}

/** Numbers are left out: those of versions would be found in `SHA-1` and `TLS 1.0`. */
function stems(text: string): string[] {
  return plainWords(text.replaceAll('_', ' '))
    .filter((word) => !FUNCTION_WORDS.has(word) && !/^\d+$/.test(word))
    .map(stemmer);
}

function toolsForQuery({ identifiers, documents, product }: RecognizedQuery) {
  const taken = new Map<string, { input: Record<string, unknown> | null; bonus: number }>();
  const add = (tool: string, input: Record<string, unknown> | null, bonus: number): void => {
    if (!taken.has(tool)) taken.set(tool, { input, bonus });
  };
  documents.forEach(({ tool, input }, order) => add(tool, input ?? null, CERTAIN_BONUS * BONUS_STEP ** order));
  if (product !== null) add('affected_check', { ...product }, TAKES_BONUS);
  for (const kind of new Set(identifiers.map((identifier) => identifier.kind))) {
    const many = TOOLS_FOR_MANY[kind] ?? [];
    const values = identifiers
      .filter((identifier) => many.some(({ field }) => TOOLS_FOR_MANY[identifier.kind]?.[0]?.field === field))
      .map(({ value }) => value);
    if (values.length > 1)
      many.forEach(({ tool, field }, order) => add(tool, { [field]: values }, CERTAIN_BONUS * BONUS_STEP ** order));
  }
  for (const { kind, value } of identifiers) {
    if (kind === 'words') continue;
    TOOLS_FOR_ONE[kind].forEach(({ tool, field }, order) =>
      add(tool, { [field]: value }, TAKES_BONUS * BONUS_STEP ** order),
    );
  }
  return taken;
}

/** A list where the schema of the tool wants text is written as text, and one thing where it wants a list as a list. */
function asSchemaWants({ definition }: McpTool, input: Record<string, unknown>): Record<string, unknown> {
  const properties = definition.inputSchema.properties as Record<string, { type?: unknown }> | undefined;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const type = properties?.[name]?.type;
      if (type === 'string' && Array.isArray(value)) return [name, value.join(',')];
      return [name, type === 'array' && !Array.isArray(value) ? [value] : value];
    }),
  );
}
