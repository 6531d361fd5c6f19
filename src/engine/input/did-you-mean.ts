/** ` Did you mean X?` with the known name that is nearest; empty if none is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  return formatSuggestion(nearestName(name, known));
}

/** ` Did you mean X?`; empty for null. */
export function formatSuggestion(nearest: string | null): string {
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}

/** The known name with the smallest edit distance; null where that is too large for a typing error. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase().slice(0, 64), candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3))
    ? best.candidate
    : null;
}

/** Levenshtein distance; the time is proportional to the product of both lengths. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(row[j - 1]! + 1, previous[j]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    previous = row;
  }
  return previous[b.length]!;
}
