import { icannRegistrableDomain, parseDomainName } from '../domain-name.ts';
import { asciiHomoglyphs, unicodeHomoglyphs } from './confusables.ts';
import {
  additions,
  bitFlips,
  hyphenations,
  insertions,
  omissions,
  plurals,
  repetitions,
  replacements,
  transpositions,
  vowelSwaps,
} from './typing-slips.ts';

/** How a name is made to look like another. */
export type LookAlikeKind =
  | 'homoglyph'
  | 'idn_homoglyph'
  | 'omission'
  | 'repetition'
  | 'transposition'
  | 'replacement'
  | 'insertion'
  | 'addition'
  | 'vowel_swap'
  | 'plural'
  | 'hyphen'
  | 'bitsquat'
  | 'dot'
  | 'ending'
  | 'word'
  | 'www';

export interface LookAlike {
  /** ASCII form. */
  domain: string;
  /** As people see it; null: the same. */
  displayedAs: string | null;
  kind: LookAlikeKind;
}

/** Endings under which names of others are registered to deceive, those seen most first. */
const ENDINGS =
  'com net org co info online site shop top xyz app io us live store click support cc me biz vip icu club link eu de co.uk in com.co help services cloud email ai dev pro work ru cn tv ws cm om uk fr nl it es pl com.br ca au buzz cfd sbs cyou digital world today space fun website tech finance bank wiki ltd group center network run life'.split(
    ' ',
  );
/** Words that phishing puts beside a name, those seen most first. */
const WORDS =
  'login secure support account online verify service help update security billing accounts signin pay app my mail customer portal web auth id info shop store official payment payments wallet bank services cloud team center alert refund reward gift confirm validation recovery access home user client care delivery track parcel office sso mobile global group tracking express share document documents sign jobs careers claim refunds invoice bonus airdrop trade pro admin webmail mfa vpn hr business ads resolution redelivery post pass card bill notice review safe protect unlock restore'.split(
    ' ',
  );
/** Words of which all four forms are listed. */
const WORDS_IN_ALL_FORMS = 24;
/** Words that are listed two by two. */
const WORDS_IN_PAIRS = 8;
const MAX_LABEL_LENGTH = 63;

/** Kinds by how often each deceives; of each the first ones come before the rest of any. */
const LABEL_KINDS: readonly (readonly [LookAlikeKind, (label: string) => Iterable<string>])[] = [
  ['homoglyph', asciiHomoglyphs],
  ['omission', omissions],
  ['repetition', repetitions],
  ['transposition', transpositions],
  ['plural', plurals],
  ['www', withWww],
  ['word', withWords],
  ['hyphen', hyphenations],
  ['replacement', replacements],
  ['vowel_swap', vowelSwaps],
  ['idn_homoglyph', unicodeHomoglyphs],
  ['insertion', insertions],
  ['addition', additions],
  ['bitsquat', bitFlips],
];

/**
 * Registrable domains that look like the one that `domain` belongs to, the likeliest first: kinds take turns, so that a limit leaves
 * something of each. Empty for a name without a registrable domain.
 */
export function listLookAlikes(domain: string, limit: number): LookAlike[] {
  const registrable = icannRegistrableDomain(domain);
  if (registrable === null) return [];
  const label = registrable.slice(0, registrable.indexOf('.'));
  const suffix = registrable.slice(label.length + 1);
  const sources = [
    ...LABEL_KINDS.slice(0, 6).map(([kind, labelsOf]) => named(kind, labelsOf(label), suffix)),
    fromEndings(label, suffix),
    ...LABEL_KINDS.slice(6).map(([kind, labelsOf]) => named(kind, labelsOf(label), suffix)),
    withDots(label, suffix),
  ];
  const found = new Map<string, LookAlike>();
  for (const { kind, name } of takeTurns(sources)) {
    if (found.size >= limit) break;
    const ascii = parseDomainName(name);
    if (ascii === null || found.has(ascii) || ascii === registrable || icannRegistrableDomain(ascii) !== ascii)
      continue;
    if (ascii.split('.').some((part) => part.length > MAX_LABEL_LENGTH)) continue;
    found.set(ascii, { domain: ascii, displayedAs: ascii === name ? null : name, kind });
  }
  return [...found.values()];
}

interface Named {
  kind: LookAlikeKind;
  name: string;
}

function* named(kind: LookAlikeKind, labels: Iterable<string>, suffix: string): Generator<Named> {
  for (const label of labels) if (label !== '') yield { kind, name: `${label}.${suffix}` };
}

function* fromEndings(label: string, suffix: string): Generator<Named> {
  for (const ending of ENDINGS) if (ending !== suffix) yield { kind: 'ending', name: `${label}.${ending}` };
  const joined = suffix.replaceAll('.', '');
  // The right ending before another: `examplecom.net`, `example-com.xyz`.
  for (const ending of ENDINGS.slice(0, 12)) {
    yield { kind: 'ending', name: `${label}${joined}.${ending}` };
    yield { kind: 'ending', name: `${label}-${joined}.${ending}` };
  }
}

/** A dot within the name makes its rest the registrable domain: `ex.ample.com`, which is sold as `ample.com`; and a dot left out. */
function* withDots(label: string, suffix: string): Generator<Named> {
  for (let at = label.length - 2; at >= 1; at--) yield { kind: 'dot', name: `${label.slice(at)}.${suffix}` };
}

function* withWww(label: string): Generator<string> {
  for (const start of ['www', 'www-', 'ww', 'wwww', 'm-', 'm']) yield start + label;
}

function* withWords(label: string): Generator<string> {
  for (const word of WORDS.slice(0, WORDS_IN_ALL_FORMS)) {
    yield `${label}-${word}`;
    yield `${word}-${label}`;
    yield label + word;
    yield word + label;
  }
  for (const word of WORDS.slice(WORDS_IN_ALL_FORMS)) {
    yield `${label}-${word}`;
    yield label + word;
  }
  for (const word of WORDS.slice(0, WORDS_IN_PAIRS))
    for (const other of WORDS.slice(0, WORDS_IN_PAIRS)) if (other !== word) yield `${label}-${word}-${other}`;
}

/** One item of each list in turn, until all lists are at their end. */
function* takeTurns<Item>(sources: readonly Iterator<Item>[]): Generator<Item> {
  let waiting = [...sources];
  while (waiting.length > 0) {
    const left: Iterator<Item>[] = [];
    for (const source of waiting) {
      const next = source.next();
      if (next.done === true) continue;
      yield next.value;
      left.push(source);
    }
    waiting = left;
  }
}
