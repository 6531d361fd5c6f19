const SHINGLE_WORDS = 8;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.'-][\p{L}\p{N}]+)*/gu) ?? [];
}

/**
 * Finds texts of others that repeat ours: any eight consecutive words, or a whole shorter text, without regard to punctuation and
 * case. All own texts must be added before the first comparison.
 */
export class OriginalityCheck {
  readonly repeated: { place: string; words: string }[] = [];
  readonly #placeOfShingle = new Map<string, string>();
  readonly #placeOfWhole = new Map<string, string>();
  /** The first two words of each shingle: a fast check that excludes most texts. */
  readonly #beginnings = new Set<string>();

  addOwn(place: string, text: string): void {
    const words = wordsOf(text);
    if (words.length < SHINGLE_WORDS) this.#placeOfWhole.set(words.join(' '), place);
    for (let at = 0; at + SHINGLE_WORDS <= words.length; at++) {
      this.#beginnings.add(`${words[at]} ${words[at + 1]}`);
      this.#placeOfShingle.set(words.slice(at, at + SHINGLE_WORDS).join(' '), place);
    }
  }

  compare(foreign: string | null): void {
    const words = wordsOf(foreign ?? '');
    if (words.length < SHINGLE_WORDS) this.#report(this.#placeOfWhole, words.join(' '));
    for (let at = 0; at + SHINGLE_WORDS <= words.length; at++) {
      if (!this.#beginnings.has(`${words[at]} ${words[at + 1]}`)) continue;
      this.#report(this.#placeOfShingle, words.slice(at, at + SHINGLE_WORDS).join(' '));
    }
  }

  #report(places: Map<string, string>, words: string): void {
    const place = places.get(words);
    if (place === undefined || this.repeated.some((found) => found.words === words)) return;
    this.repeated.push({ place, words });
  }
}
