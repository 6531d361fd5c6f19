import { type Indicator, parseIndicator } from './parse-indicator.ts';

/** What a pasted text names. */
export interface SplitIndicators {
  /** In the order of the text, each once. */
  readonly indicators: readonly Indicator[];
  /** Words that are none, each once: private addresses, too. */
  readonly others: readonly string[];
}

/** Finds the indicators of a text, defanged or not: its words, split at white space, commas, semicolons and quotes. */
export function splitIndicators(text: string): SplitIndicators {
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
