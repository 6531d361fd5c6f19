import { extractIndicators } from './extract-indicators.ts';
import { type Indicator, parseIndicator } from './parse-indicator.ts';

/** What a pasted text names. */
export interface SplitIndicators {
  /** In the order of the text, each once. */
  readonly indicators: readonly Indicator[];
  /** Words that are no indicators to look up, each once: private addresses, mail addresses, in a list also other words. */
  readonly others: readonly string[];
}

/** From this part of its words on a text is a list of indicators: then each word that can be one is. */
const LIST_SHARE = 0.5;

/**
 * Finds the indicators of a text, defanged or not. Of a list each word is read, split at white space, commas, semicolons and quotes; of
 * other texts, such as reports and logs, what stands out as an indicator (`extractIndicators`).
 */
export function splitIndicators(text: string): SplitIndicators {
  const words = splitWords(text);
  const count = words.indicators.length + words.others.length;
  if (words.indicators.length >= count * LIST_SHARE) return words;
  const extracted = extractIndicators(text).map(({ value }) => [value, parseIndicator(value)] as const);
  return {
    indicators: [...new Map(extracted.flatMap(([, one]) => (one === null ? [] : [[one.value, one]]))).values()],
    others: extracted.filter(([, one]) => one === null).map(([value]) => value),
  };
}

function splitWords(text: string): SplitIndicators {
  const indicators = new Map<string, Indicator>();
  const others = new Set<string>();
  for (const word of text.split(/[\s,;"'|<>]+/)) {
    const bare = word.replace(/^[([{]+(?=[\w:])|[.:!?)\]}]+$/g, '');
    if (bare === '') continue;
    // As it is first: brackets are a part of `[2001:db8::1]:443`.
    const found = parseIndicator(word) ?? parseIndicator(bare);
    if (found === null) others.add(bare);
    else indicators.set(found.value, found);
  }
  return { indicators: [...indicators.values()], others: [...others] };
}
