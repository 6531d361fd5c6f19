import type { CpeConfiguration, CpeConfigurationNode, CveProduct, CveReference } from '../analysis/cve/cve-facts.ts';
import { FIRST_PRODUCT_TEXT_BIT, PRODUCT_BITS, type ProductRow, type ReferenceRow } from './record-layout.ts';
import type { SharedTexts } from './shared-texts.ts';
import { unzigzag, VarintReader } from './varints.ts';

/** Reads a head or a body from its start to its end; see `record-layout.ts`. */
export class RecordPartReader {
  readonly #texts: SharedTexts;
  readonly #numbers: VarintReader;
  readonly #own: Buffer;
  #ownTexts: unknown[] | null = null;
  #ownAt = 0;

  constructor(part: Uint8Array, texts: SharedTexts) {
    this.#texts = texts;
    this.#numbers = new VarintReader(part);
    const length = this.#numbers.next();
    const start = this.#numbers.at + length;
    this.#own = Buffer.from(part.buffer, part.byteOffset + start, part.length - start);
  }

  text(): string {
    return this.#texts.text(this.#numbers.next());
  }

  /** Shared by all who read it: what is given out must be a copy. */
  row<Row extends readonly unknown[]>(): Row {
    return this.#texts.row<Row>(this.#numbers.next());
  }

  skip(count: number): void {
    this.#numbers.skip(count);
  }

  ownText<Text>(): Text {
    this.#ownTexts ??= JSON.parse(this.#own.toString()) as unknown[];
    return this.#ownTexts[this.#ownAt++] as Text;
  }

  list<Row extends readonly unknown[], Item>(length: number, decode: (row: Row) => Item): Item[] {
    const items: Item[] = [];
    for (let left = length; left > 0; left--) items.push(decode(this.row<Row>()));
    return items;
  }

  /** Configurations of a body. */
  tree(length: number): CpeConfiguration[] {
    const configurations: CpeConfiguration[] = [];
    let last = -1;
    for (let left = length; left > 0; left--) {
      const packed = this.#numbers.next();
      const nodes: CpeConfigurationNode[] = [];
      for (let nodesLeft = packed >>> 2; nodesLeft > 0; nodesLeft--) {
        const node = this.#numbers.next();
        const products: number[] = [];
        for (let indexes = node >>> 2; indexes > 0; indexes--) products.push((last += unzigzag(this.#numbers.next())));
        nodes.push({ ...flagsOf(node), products });
      }
      configurations.push({ ...flagsOf(packed), nodes });
    }
    return configurations;
  }

  products(length: number): CveProduct[] {
    const products: CveProduct[] = [];
    for (let left = length; left > 0; left--) products.push(this.#product());
    return products;
  }

  references(length: number): CveReference[] {
    return this.list(length, (row: ReferenceRow) => ({
      url: this.text() + this.ownText<string>(),
      tags: row.slice(1) as string[],
      source: row[0],
    }));
  }

  #product(): CveProduct {
    const row = this.row<ProductRow>();
    const fields = row[0];
    let cpe: string | null = null;
    if ((fields & PRODUCT_BITS.cpe) !== 0) cpe = `${this.text()}:${this.text()}${row[1]}`;
    else if ((fields & PRODUCT_BITS.oddCpe) !== 0) cpe = this.text();
    const has = (at: number): boolean => (fields & (FIRST_PRODUCT_TEXT_BIT << at)) !== 0;
    return {
      vulnerable: (fields & PRODUCT_BITS.vulnerable) !== 0,
      cpe,
      // In the order of `PRODUCT_TEXTS`.
      start_including: has(0) ? this.text() : null,
      start_excluding: has(1) ? this.text() : null,
      end_including: has(2) ? this.text() : null,
      end_excluding: has(3) ? this.text() : null,
      vendor: has(4) ? this.text() : null,
      product: has(5) ? this.text() : null,
      version: has(6) ? this.text() : null,
      ecosystem: has(7) ? this.text() : null,
    };
  }
}

/** The inverse of `packCount`, without the count. */
function flagsOf(packed: number): Pick<CpeConfiguration, 'operator' | 'negate'> {
  return { operator: (packed & 2) === 0 ? 'OR' : 'AND', negate: (packed & 1) !== 0 };
}
