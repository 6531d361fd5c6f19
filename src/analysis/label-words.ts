/**
 * The words of a label in the form in which labels are compared: lower case, without plural s, parted by whatever is no
 * letter or digit. `AI Attack Staging`, `ai-attack-staging` and `ai_attack_stagings` have the same.
 */
export function splitLabelWords(label: string): string[] {
  const words =
    label
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}

/** Those words as one text. */
export function normalizeLabel(label: string): string {
  return splitLabelWords(label).join(' ');
}
