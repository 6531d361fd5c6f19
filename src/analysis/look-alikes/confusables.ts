/** Characters and pairs of ASCII that are taken for each other in common fonts, both ways. */
const ASCII_PAIRS =
  'o0 l1 i1 il e3 s5 z2 b8 g9 gq a4 t7 mn uv nr cs ck sz bd bh nh pq ce iy vw tf rn:m vv:w cl:d ci:a nn:m lc:k cj:g lo:b 1o:b d:cl';

/**
 * Characters of other scripts that look like one of ASCII (Unicode TR 39, confusables), which browsers or mail programs may show. Latin
 * letters with marks first: many registries allow them.
 */
const UNICODE_LOOKS: Readonly<Record<string, string>> = {
  a: 'áàâäãåāăąạа',
  b: 'ḃḅƀь',
  c: 'çćčċс',
  d: 'ďđḍԁ',
  e: 'éèêëēėęěẹе',
  f: 'ƒḟ',
  g: 'ğģġĝɡ',
  h: 'ħĥḥһ',
  i: 'íìîïīįıịі',
  j: 'ĵј',
  k: 'ķḳκк',
  l: 'łĺļľḷӏ',
  m: 'ṃṁм',
  n: 'ñńņňṇп',
  o: 'óòôöõøōőọоο',
  p: 'ṗр',
  q: 'ԛ',
  r: 'ŕřŗṛг',
  s: 'śšşșṣѕ',
  t: 'ţťțṭт',
  u: 'úùûüūůűųụ',
  v: 'ṿѵν',
  w: 'ŵẁẃẅẉԝ',
  x: 'ẋх',
  y: 'ýÿŷỵу',
  z: 'źžżẓ',
};

const ASCII_LOOKS = asciiTable();
/** Pairs of letters that are taken for one (`rn` for `m`), and the reverse. */
const PAIR_LOOKS: readonly (readonly [string, string])[] = ASCII_PAIRS.split(' ')
  .filter((pair) => pair.includes(':'))
  .flatMap((pair) => {
    const [one, other] = pair.split(':') as [string, string];
    return [
      [one, other],
      [other, one],
    ] as const;
  });

/** Labels in which one place is replaced by what looks like it in ASCII; `rn` for `m` at one place and at all. */
export function* asciiHomoglyphs(label: string): Generator<string> {
  for (const [at, character] of Array.from(label).entries())
    for (const look of ASCII_LOOKS.get(character) ?? []) yield label.slice(0, at) + look + label.slice(at + 1);
  for (const [from, to] of PAIR_LOOKS) {
    for (let at = label.indexOf(from); at !== -1; at = label.indexOf(from, at + 1))
      yield label.slice(0, at) + to + label.slice(at + from.length);
    yield label.replaceAll(from, to);
  }
  for (const [character, looks] of ASCII_LOOKS) for (const look of looks) yield label.replaceAll(character, look);
}

/** Labels in which one character, or all of a kind, is one of another script or has a mark. Not in ASCII form. */
export function* unicodeHomoglyphs(label: string): Generator<string> {
  const longest = Math.max(...Object.values(UNICODE_LOOKS).map((looks) => Array.from(looks).length));
  // A whole name in Cyrillic, where it has look-alikes for each letter, and each letter wherever it stands.
  const cyrillic = Array.from(label)
    .map((character) => cyrillicLook(character) ?? character)
    .join('');
  if (/^[\u0400-\u04ff-]+$/.test(cyrillic)) yield cyrillic;
  for (const character of new Set(label)) {
    const look = cyrillicLook(character);
    if (look !== undefined && label.split(character).length > 2) yield label.replaceAll(character, look);
  }
  for (let rank = 0; rank < longest; rank++) {
    for (const [at, character] of Array.from(label).entries()) {
      const look = Array.from(UNICODE_LOOKS[character] ?? '')[rank];
      if (look !== undefined) yield label.slice(0, at) + look + label.slice(at + 1);
    }
  }
}

function cyrillicLook(character: string): string | undefined {
  return Array.from(UNICODE_LOOKS[character] ?? '').find((look) => /[\u0400-\u04ff]/.test(look));
}

function asciiTable(): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, string[]>();
  for (const pair of ASCII_PAIRS.split(' ').filter((text) => !text.includes(':'))) {
    const [one, other] = [pair[0]!, pair[1]!];
    table.set(one, [...(table.get(one) ?? []), other]);
    table.set(other, [...(table.get(other) ?? []), one]);
  }
  return table;
}
