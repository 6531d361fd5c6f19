import { zstdDecompressSync } from 'node:zlib';
import type {
  CpeConfiguration,
  CpeConfigurationNode,
  CveFacts,
  CveProduct,
  CveReference,
  CveWeakness,
  CvssAssessment,
  RecordSource,
  SsvcAssessment,
} from '../analysis/cve/cve-facts.ts';
import { isoTime } from '../analysis/iso-time.ts';
import type { FixFinding } from '../analysis/cve/patch-reference.ts';
import {
  type BasicRow,
  type Body,
  type BodyProduct,
  type ConfigurationRow,
  FIRST_PRODUCT_TEXT_BIT,
  FIX_URL,
  type FixRow,
  MAX_HEAD_PRODUCTS,
  MAX_HEAD_REFERENCES,
  type MetricRow,
  PRODUCT_BITS,
  type ProductRow,
  type ReferenceRow,
  SHAPE_FLAGS,
  type ShapeRow,
  type SsvcRow,
  type WeaknessRow,
} from './record-layout.ts';
import type { SharedTexts } from './shared-texts.ts';
import { VarintReader } from './varints.ts';

/** The facts in a head, with the counts of the complete lists and the fix found in them. */
export interface HeadFacts extends CveFacts, FixFinding {
  total_references: number;
  total_products: number;
  total_configurations: number;
  /** Whether any vulnerable product has a version or a range. */
  names_versions: boolean;
}

/** A record as it is stored. A body that was not read is undefined; null: the record has none. */
export interface StoredRecord {
  head: Uint8Array;
  body?: Uint8Array | null;
}

/** The facts of a record; without its body the lists are those of the head and `configurations` is []. */
export function decodeRecord(
  cveId: string,
  source: RecordSource,
  { head, body }: StoredRecord,
  texts: SharedTexts,
): HeadFacts {
  const reader = new HeadReader(head, texts);
  const facts = reader.outline(cveId, source);
  const rest = body == null ? null : decodeBody(body);
  const tree = reader.configurations();
  if (body !== undefined) facts.configurations = (rest?.[2].length ? rest[2] : tree).map(decodeConfiguration);
  facts.products = reader.products();
  facts.references = reader.references();
  // The fix's address is one of the references, which are read last.
  reader.completeFix(facts);
  if (rest !== null) {
    for (const row of rest[1]) facts.products.push(decodeProduct(row));
    for (const [url, tags, from] of rest[0]) facts.references.push({ url, tags, source: from });
  }
  return facts;
}

/** Title and description alone. */
export function decodeTexts(head: Uint8Array): Pick<CveFacts, 'title' | 'description'> {
  const numbers = new VarintReader(head);
  const length = numbers.next();
  const own = Buffer.from(head.buffer, head.byteOffset, head.length).subarray(numbers.at + length);
  const [, , title, description] = JSON.parse(own.toString()) as [unknown, unknown, string | null, string | null];
  return { title, description };
}

/** Reads a head from its start to its end; see `record-layout.ts`. */
export class HeadReader {
  readonly #texts: SharedTexts;
  readonly #numbers: VarintReader;
  readonly #basic: BasicRow;
  readonly #shape: ShapeRow;
  readonly #own: Buffer;
  #ownTexts: unknown[] = [];
  #ownAt = 0;
  #fixUrlAt: number = FIX_URL.none;

  constructor(head: Uint8Array, texts: SharedTexts) {
    this.#texts = texts;
    this.#numbers = new VarintReader(head);
    const length = this.#numbers.next();
    const start = this.#numbers.at + length;
    this.#own = Buffer.from(head.buffer, head.byteOffset + start, head.length - start);
    this.#basic = this.#row();
    this.#shape = this.#row();
  }

  /** What comes before the tree. Lists of references, products and configurations are []. */
  outline(cveId: string, source: RecordSource): HeadFacts {
    this.#ownTexts = JSON.parse(this.#own.toString()) as unknown[];
    const basic = this.#basic;
    const shape = this.#shape;
    const flags = shape[5];
    // Rows are read by index: taking them apart by a pattern goes through iterators, which doubles the time of a look-up here.
    const facts: HeadFacts = {
      cve_id: cveId,
      source,
      status: basic[0],
      rejected: basic[1] === 1,
      published: timeFromUnits(this.#ownText()),
      modified: timeFromUnits(this.#ownText()),
      title: this.#ownText<string | null>(),
      description: this.#ownText<string | null>(),
      assigner: basic[2],
      tags: basic[3].slice(),
      metrics: this.#list(shape[0], decodeMetric),
      weaknesses: this.#list(shape[1], decodeWeakness),
      ssvc: (flags & SHAPE_FLAGS.ssvc) === 0 ? null : this.#ssvc(),
      references: [],
      products: [],
      configurations: [],
      total_references: shape[2],
      total_products: shape[3],
      total_configurations: shape[4],
      names_versions: (flags & SHAPE_FLAGS.namesVersions) !== 0,
      patch_available: null,
      fix: { kind: 'none_known', url: null, versions: [] },
    };
    if ((flags & SHAPE_FLAGS.fix) !== 0) this.#readFix(facts);
    return facts;
  }

  /** To be called in place of `outline` by who needs only what follows. */
  skipToTree(): void {
    const shape = this.#shape;
    const flags = shape[5];
    const optional = ((flags & SHAPE_FLAGS.ssvc) === 0 ? 0 : 1) + ((flags & SHAPE_FLAGS.fix) === 0 ? 0 : 1);
    this.#numbers.skip(shape[0] + shape[1] + optional);
  }

  /** Those that are in the head. */
  configurations(): readonly ConfigurationRow[] {
    return (this.#shape[5] & SHAPE_FLAGS.sharedTree) === 0 ? [] : this.#row<ConfigurationRow[]>();
  }

  products(): CveProduct[] {
    const products: CveProduct[] = [];
    for (let left = Math.min(this.#shape[3], MAX_HEAD_PRODUCTS); left > 0; left--) products.push(this.#product());
    return products;
  }

  references(): CveReference[] {
    return this.#list(Math.min(this.#shape[2], MAX_HEAD_REFERENCES), (row: ReferenceRow) => ({
      url: this.#text() + this.#ownText<string>(),
      tags: row.slice(1) as string[],
      source: row[0],
    }));
  }

  completeFix(facts: HeadFacts): void {
    if (this.#fixUrlAt >= 0) facts.fix.url = facts.references[this.#fixUrlAt]!.url;
  }

  #text(): string {
    return this.#texts.text(this.#numbers.next());
  }

  /** Shared by all who read it: what is given out must be a copy. */
  #row<Row extends readonly unknown[]>(): Row {
    return this.#texts.row<Row>(this.#numbers.next());
  }

  #ownText<Text>(): Text {
    return this.#ownTexts[this.#ownAt++] as Text;
  }

  #list<Row extends readonly unknown[], Item>(length: number, decode: (row: Row) => Item): Item[] {
    const items: Item[] = [];
    for (let left = length; left > 0; left--) items.push(decode(this.#row<Row>()));
    return items;
  }

  #ssvc(): SsvcAssessment {
    const row = this.#row<SsvcRow>();
    return {
      exploitation: row[0],
      automatable: row[1],
      technical_impact: row[2],
      source: row[3],
      at: this.#ownText(),
    };
  }

  #readFix(facts: HeadFacts): void {
    const row = this.#row<FixRow>();
    facts.patch_available = row[0];
    facts.fix.kind = row[1];
    this.#fixUrlAt = row[2];
    if (row[2] === FIX_URL.own) facts.fix.url = this.#ownText();
    for (let left = row[3]; left > 0; left--) facts.fix.versions.push(this.#ownText());
  }

  #product(): CveProduct {
    const row = this.#row<ProductRow>();
    const fields = row[0];
    let cpe: string | null = null;
    if ((fields & PRODUCT_BITS.cpe) !== 0) cpe = `${this.#text()}:${this.#text()}${row[1]}`;
    else if ((fields & PRODUCT_BITS.oddCpe) !== 0) cpe = this.#text();
    const has = (at: number): boolean => (fields & (FIRST_PRODUCT_TEXT_BIT << at)) !== 0;
    return {
      vulnerable: (fields & PRODUCT_BITS.vulnerable) !== 0,
      cpe,
      // In the order of `PRODUCT_TEXTS`.
      start_including: has(0) ? this.#text() : null,
      start_excluding: has(1) ? this.#text() : null,
      end_including: has(2) ? this.#text() : null,
      end_excluding: has(3) ? this.#text() : null,
      vendor: has(4) ? this.#text() : null,
      product: has(5) ? this.#text() : null,
      version: has(6) ? this.#text() : null,
      ecosystem: has(7) ? this.#text() : null,
    };
  }
}

function timeFromUnits(time: number | string | null): string | null {
  return typeof time === 'number' ? isoTime(time) : time;
}

function decodeMetric(row: MetricRow): CvssAssessment {
  return {
    version: row[0],
    vector: row[1],
    base_score: row[2],
    base_severity: row[3],
    scorer: row[4],
    primary: row[5] === 1,
  };
}

function decodeWeakness(row: WeaknessRow): CveWeakness {
  return { cwe_id: row[0], source: row[1] };
}

/** A row of the body; its texts are in the order of `PRODUCT_TEXTS`. */
export function decodeProduct(row: BodyProduct): CveProduct {
  return {
    vulnerable: row[0] === 1,
    cpe: row[1] ?? null,
    start_including: row[2] ?? null,
    start_excluding: row[3] ?? null,
    end_including: row[4] ?? null,
    end_excluding: row[5] ?? null,
    vendor: row[6] ?? null,
    product: row[7] ?? null,
    version: row[8] ?? null,
    ecosystem: row[9] ?? null,
  };
}

export function decodeConfiguration([and, negate, nodes]: ConfigurationRow): CpeConfiguration {
  return {
    operator: and === 1 ? 'AND' : 'OR',
    negate: negate === 1,
    nodes: nodes.map(
      ([nodeAnd, nodeNegate, products]): CpeConfigurationNode => ({
        operator: nodeAnd === 1 ? 'AND' : 'OR',
        negate: nodeNegate === 1,
        products: [...products],
      }),
    ),
  };
}

export function decodeBody(encoded: Uint8Array): Body {
  const plain =
    encoded[0] === 0x5b ? Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length) : zstdDecompressSync(encoded);
  return JSON.parse(plain.toString()) as Body;
}
