const characterCounts = new Uint32Array(128);

/** Shannon entropy of the text, in bits per character; all characters beyond ASCII count as one. */
export function shannonEntropy(text: string): number {
  characterCounts.fill(0);
  for (let at = 0; at < text.length; at++) characterCounts[Math.min(text.charCodeAt(at), 127)]!++;
  let bits = 0;
  for (const count of characterCounts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^(?:[0-9a-f]{16,512}|[0-9A-F]{16,512})$/;
const MIN_KIND_CHANGE_RATE = 0.2;
/** Without any digit: names have capitals too. */
const MIN_KIND_CHANGE_RATE_WITHOUT_DIGITS = 0.36;

/**
 * Whether a machine made this up, rather than a person naming something: digits, small and capital letters change places often
 * (in random base62 at two of three places, in `camelCaseNames` and `version-1.2.3` seldom), and few characters repeat.
 */
export function looksRandom(text: string): boolean {
  if (UUID.test(text)) return true;
  if (!/[A-Za-z]/.test(text)) return false;
  if (HEX.test(text)) return shannonEntropy(text) >= 2.8;
  const plain = text.replace(/[^A-Za-z0-9]/g, '');
  const digits = /[0-9]/.test(plain);
  if (plain.length < (digits ? 8 : 16)) return false;
  const least = digits ? MIN_KIND_CHANGE_RATE : MIN_KIND_CHANGE_RATE_WITHOUT_DIGITS;
  return (
    countKindChanges(plain) / (plain.length - 1) >= least && shannonEntropy(text) >= minEntropyForLength(text.length)
  );
}

function minEntropyForLength(length: number): number {
  if (length < 16) return 2.8;
  return length < 24 ? 3.2 : 3.5;
}

function countKindChanges(text: string): number {
  let count = 0;
  for (let at = 1; at < text.length; at++)
    if (characterKind(text.charCodeAt(at)) !== characterKind(text.charCodeAt(at - 1))) count++;
  return count;
}

function characterKind(unit: number): number {
  if (unit < 0x40) return 0;
  return unit < 0x60 ? 1 : 2;
}
