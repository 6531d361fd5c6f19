import { cleanText } from '../../analysis/display-text.ts';
import { isMapping, boundedText } from './yaml-values.ts';

/** Characters of names and values in one detection block, plus one for each; the largest known block has a quarter of that. */
const MAX_CHARACTERS = 1024 * 1024;
const MAX_DEPTH = 20;
const MAX_CONDITION_CHARACTERS = 8192;

/** The events that a rule matches. */
export interface Detection {
  /** By name: a map of fields (all must match), or a list of maps or keywords (any may match). Values are as in the rule. */
  selections: Record<string, unknown>;
  /** How the selections combine. */
  condition: string;
  /** The time span in which older rules count events (`15m`). */
  timeframe: string | null;
}

/**
 * The `detection` block of a rule as plain data of bounded size. Several conditions are alternatives and are joined by `or`.
 * Throws an `Error` with the reason if the block cannot match anything or is too large.
 */
export function parseDetection(raw: unknown): Detection {
  if (!isMapping(raw)) throw new Error('no detection block');
  const { condition: rawCondition, timeframe, ...rawSelections } = raw;
  const condition = conditionText(rawCondition);
  const budget = { left: MAX_CHARACTERS };
  const selections = copyBounded(rawSelections, 0, budget) as Record<string, unknown>;
  if (Object.keys(selections).length === 0) throw new Error('no selection in the detection block');
  return {
    selections,
    condition: escapeInvisible(condition),
    timeframe: boundedText(timeframe, 64),
  };
}

function conditionText(raw: unknown): string {
  const alternatives = (Array.isArray(raw) ? raw : [raw])
    .filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    .map((text) => text.trim().replace(/\s+/g, ' '));
  const [first] = alternatives;
  if (first === undefined) throw new Error('no condition in the detection block');
  const condition = alternatives.length === 1 ? first : alternatives.map((text) => `(${text})`).join(' or ');
  if (condition.length > MAX_CONDITION_CHARACTERS)
    throw new Error(`a condition of more than ${MAX_CONDITION_CHARACTERS} characters`);
  return condition;
}

/** A copy of bounded size: YAML aliases could make it very large. */
function copyBounded(value: unknown, depth: number, budget: { left: number }): unknown {
  if (depth > MAX_DEPTH) throw new Error(`a detection block nested deeper than ${MAX_DEPTH}`);
  budget.left -= 1 + (typeof value === 'string' ? value.length : 0);
  if (budget.left < 0) throw new Error(`a detection block of more than ${MAX_CHARACTERS} characters`);
  if (typeof value === 'string') return escapeInvisible(value);
  if (Array.isArray(value)) return value.map((item) => copyBounded(item, depth + 1, budget));
  if (!isMapping(value)) return value;
  const pairs = Object.entries(value).map(([name, inner]) => {
    budget.left -= name.length;
    return [escapeInvisible(name), copyBounded(inner, depth + 1, budget)];
  });
  return Object.fromEntries(pairs);
}

/**
 * Text of a rule, safe to show: invisible characters are written as `{U+202E}`. They are not removed, because some rules search for
 * them, and without them the rule would seem to match everything.
 */
export function escapeInvisible(text: string): string {
  if (cleanText(text) === text) return text;
  return Array.from(text, (character) => {
    if (cleanText(character) === character) return character;
    return `{U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}}`;
  }).join('');
}
