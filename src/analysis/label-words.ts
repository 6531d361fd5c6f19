/**
 * The words of a label in the form in which labels are compared: lower case, without plural s, split at all characters except
 * letters and digits. The same for `AI Attack Staging`, `ai-attack-staging` and `ai_attack_stagings`.
 */
export function splitLabelWords(label: string): string[] {
  const words =
    label
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}

/** The words of a label (`splitLabelWords`) as one text. */
export function normalizeLabel(label: string): string {
  return splitLabelWords(label).join(' ');
}
