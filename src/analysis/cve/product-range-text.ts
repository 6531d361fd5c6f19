import { parseCpe } from './cpe.ts';
import type { CveProduct } from './cve-facts.ts';

const VERSION_COMPONENT = 5;
const UPDATE_COMPONENT = 6;
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
 * The row that `rangeText` describes of the product that `productName` calls so. `like`: a row of the same product, whose CPE name or plain
 * names it takes; null: it gets plain names.
 */
export function productOfRange(name: string, range: string, like: CveProduct | null): CveProduct {
  const bare = like === null || like.cpe === null ? range : range.replace(/ \([^()]*\)$/, '');
  const parts = bare === 'all' ? [] : bare.split(/ (?=[<>])/);
  const row: CveProduct = { ...(like ?? plainRow(name)), version: null, ...NO_ENDS, vulnerable: true };
  let version: string | null = null;
  for (const part of parts) {
    const sign = /^[<>]=?/.exec(part)?.[0] as keyof typeof ENDS | undefined;
    if (sign === undefined) version = part;
    else row[ENDS[sign]] = part.slice(sign.length);
  }
  if (row.cpe === null) return { ...row, version };
  return { ...row, cpe: withVersion(row.cpe, version) };
}

const NO_ENDS = { start_including: null, start_excluding: null, end_including: null, end_excluding: null };

function plainRow(name: string): CveProduct {
  const colon = name.indexOf(':');
  const [vendor, product] = [name.slice(0, colon), name.slice(colon + 1)];
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

/** A CPE 2.3 name with another version, and any update. */
function withVersion(cpe: string, version: string | null): string {
  const components = cpe.split(/(?<!\\):/);
  components[VERSION_COMPONENT] = version === null ? '*' : version.replace(/[^\w.-]/g, String.raw`\$&`);
  components[UPDATE_COMPONENT] = '*';
  return components.join(':');
}
