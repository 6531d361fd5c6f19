const counts = new Uint32Array(128);

/** Shannon entropy of the text, in bits per character; all characters beyond ASCII count as one. */
export function entropyOf(text: string): number {
  counts.fill(0);
  for (let at = 0; at < text.length; at++) counts[Math.min(text.charCodeAt(at), 127)]!++;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^(?:[0-9a-f]{16,512}|[0-9A-F]{16,512})$/;
const MIN_CHANGES = 0.2;
/** Without any digit: names have capitals too. */
const MIN_CHANGES_OF_LETTERS = 0.36;

/**
 * Whether a machine made this up, rather than a person naming something: digits, small and capital letters change places often
 * (in random base62 at two of three places, in `camelCaseNames` and `version-1.2.3` seldom), and few characters repeat.
 */
export function looksRandom(text: string): boolean {
  if (UUID.test(text)) return true;
  if (!/[A-Za-z]/.test(text)) return false;
  if (HEX.test(text)) return entropyOf(text) >= 2.8;
  const plain = text.replace(/[^A-Za-z0-9]/g, '');
  const digits = /[0-9]/.test(plain);
  if (plain.length < (digits ? 8 : 16)) return false;
  const least = digits ? MIN_CHANGES : MIN_CHANGES_OF_LETTERS;
  return changes(plain) / (plain.length - 1) >= least && entropyOf(text) >= leastEntropy(text.length);
}

function leastEntropy(length: number): number {
  if (length < 16) return 2.8;
  return length < 24 ? 3.2 : 3.5;
}

function changes(text: string): number {
  let count = 0;
  for (let at = 1; at < text.length; at++) if (kindOf(text.charCodeAt(at)) !== kindOf(text.charCodeAt(at - 1))) count++;
  return count;
}

function kindOf(unit: number): number {
  if (unit < 0x40) return 0;
  return unit < 0x60 ? 1 : 2;
}
