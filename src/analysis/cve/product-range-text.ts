import { parseCpe } from './cpe.ts';
import type { CveProduct } from './cve-facts.ts';

const ENDS = {
  '>=': 'start_including',
  '>': 'start_excluding',
  '<=': 'end_including',
  '<': 'end_excluding',
} as const;

/** `vendor:product` of the CPE name, else of the plain names; `npm:lodash` of a package. */
export function productName({ cpe, vendor, product, ecosystem }: CveProduct): string {
  const name = cpe === null ? null : parseCpe(cpe);
  if (name !== null) return `${name.vendor}:${name.product}`;
  return `${ecosystem ?? vendor ?? ''}:${product ?? ''}`;
}

/** `>=1.0 <2.0`, `1.2.3`, `all`; with what else a CPE name demands: `<2.0 (wordpress)`. */
export function rangeText(row: CveProduct): string {
  const name = row.cpe === null ? null : parseCpe(row.cpe);
  const ends = Object.entries(ENDS).flatMap(([sign, end]) => (row[end] === null ? [] : [`${sign}${row[end]}`]));
  const version = name?.version ?? row.version;
  const range = version !== null && version !== '' ? [version, ...ends] : ends;
  const others = [name?.update, name?.edition, name?.sw_edition, name?.target_sw, name?.target_hw].filter(
    (part) => part != null,
  );
  const text = range.length === 0 ? 'all' : range.join(' ');
  return others.length === 0 ? text : `${text} (${others.join(' ')})`;
}

/**
 * The row that `rangeText` describes of the product that `productName` calls so: the CPE name or the plain names are those of a row of the
 * same product in `rows`; else with `usesCpe` a CPE name is made, else the name is plain. The text does not say whether it is an application,
 * and which component of a CPE name a word like `wordpress` is: it is as in other rows, else the update or the target software.
 */
export function productOfRange(name: string, range: string, rows: readonly CveProduct[], usesCpe: boolean): CveProduct {
  const ofProduct = rows.filter((row) => row.vulnerable && productName(row) === name);
  const like = ofProduct.find((row) => othersIn(rangeText(row)) === othersIn(range)) ?? ofProduct[0];
  const row: CveProduct = { ...(like ?? plainRow(name)), version: null, ...NO_ENDS };
  const isCpe = like === undefined ? usesCpe : like.cpe !== null;
  const bare = isCpe ? range.slice(0, range.length - (othersIn(range)?.length ?? 0)).trimEnd() : range;
  let version: string | null = null;
  for (const part of bare === 'all' ? [] : bare.split(/ (?=[<>])/)) {
    const sign = /^[<>]=?/.exec(part)?.[0] as keyof typeof ENDS | undefined;
    if (sign === undefined) version = part;
    else row[ENDS[sign]] = part.slice(sign.length);
  }
  if (!isCpe) return { ...row, version };
  const words = othersIn(range)?.slice(1, -1).split(' ') ?? [];
  const cpe = cpeOf(like?.cpe ?? null, name, version, words, rows);
  return like === undefined ? { ...row, cpe, vendor: null, product: null } : { ...row, cpe };
}

/** What a CPE name demands beside the version, in parentheses at the end of a range. */
function othersIn(range: string): string | undefined {
  return /(?<= )\([^()]*\)$/.exec(range)?.[0];
}

const NO_ENDS = { start_including: null, start_excluding: null, end_including: null, end_excluding: null };

function plainRow(name: string): CveProduct {
  const [vendor, product] = splitName(name);
  return {
    cpe: null,
    vendor: vendor === '' ? null : vendor,
    product,
    version: null,
    ecosystem: null,
    vulnerable: true,
    ...NO_ENDS,
  };
}

function splitName(name: string): [vendor: string, product: string] {
  const colon = name.indexOf(':');
  return [name.slice(0, colon), name.slice(colon + 1)];
}

function cpeOf(
  like: string | null,
  name: string,
  version: string | null,
  words: readonly string[],
  rows: readonly CveProduct[],
): string {
  const [vendor, product] = splitName(name).map(escapeCpe) as [string, string];
  const known = rows.flatMap(({ cpe, vulnerable }) => (cpe === null || !vulnerable ? [] : [componentsOf(cpe)]));
  const components = like === null ? ['cpe', '2.3', known[0]?.[2] ?? 'a', vendor, product] : componentsOf(like);
  const all = Array.from({ length: 13 }, (_, at) => (at < 5 ? components[at]! : '*'));
  all[VERSION] = version === null ? '*' : escapeCpe(version);
  for (const word of words) {
    const escaped = escapeCpe(word);
    const place = OTHERS.find((at) => known.some((row) => row[at] === escaped));
    all[place ?? (UPDATE_WORD.test(word) ? OTHERS[0] : TARGET_SOFTWARE)] = escaped;
  }
  return all.join(':');
}

const VERSION = 5;
const TARGET_SOFTWARE = 10;
/** Update, edition, software edition, target software and hardware. */
const OTHERS = [6, 7, 9, TARGET_SOFTWARE, 11] as const;
const UPDATE_WORD = /^(?:-|(?:alpha|beta|build|hotfix|m|milestone|p|patch|preview|r|rc|sp|update)_?\d[\w.-]*)$/;

function componentsOf(cpe: string): string[] {
  return cpe.split(/(?<!\\):/);
}

/** `-` alone means "not applicable". */
function escapeCpe(text: string): string {
  return text === '-' ? text : text.replace(/[^\w.-]/g, String.raw`\$&`);
}
