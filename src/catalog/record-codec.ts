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
  type ConfigurationRow,
  FIX_URL,
  type FixRow,
  MAX_HEAD_PRODUCTS,
  MAX_HEAD_REFERENCES,
  type MetricRow,
  SHAPE_FLAGS,
  type ShapeRow,
  type SsvcRow,
  type WeaknessRow,
} from './record-layout.ts';
import { RecordPartReader } from './record-part.ts';
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

/** A record as it is stored, `modified` in milliseconds since 1970. A body that was not read is undefined; null: the record has none. */
export interface StoredRecord {
  modified: number | null;
  head: Uint8Array;
  body?: Uint8Array | null;
}

/** The facts of a record; without its body the lists are those of the head and `configurations` is []. */
export function decodeRecord(
  cveId: string,
  source: RecordSource,
  { modified, head, body }: StoredRecord,
  texts: SharedTexts,
): HeadFacts {
  const reader = new HeadReader(head, texts);
  const facts = reader.outline(cveId, source, modified);
  const rest = body == null ? null : reader.restIn(body);
  const tree = reader.configurations();
  if (body !== undefined) facts.configurations = tree?.map(decodeConfiguration) ?? rest?.configurations() ?? [];
  facts.products = reader.products();
  facts.references = reader.references();
  // The fix's address is one of the references, which are read last.
  reader.completeFix(facts);
  if (rest !== null) {
    for (const product of rest.products()) facts.products.push(product);
    for (const reference of rest.references()) facts.references.push(reference);
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
  readonly #part: RecordPartReader;
  readonly #basic: BasicRow;
  readonly #shape: ShapeRow;
  #fixUrlAt: number = FIX_URL.none;

  constructor(head: Uint8Array, texts: SharedTexts) {
    this.#texts = texts;
    this.#part = new RecordPartReader(head, texts);
    this.#basic = this.#part.row();
    this.#shape = this.#part.row();
  }

  /** What comes before the tree. Lists of references, products and configurations are []. */
  outline(cveId: string, source: RecordSource, modified: number | null): HeadFacts {
    const part = this.#part;
    const basic = this.#basic;
    const shape = this.#shape;
    const flags = shape[5];
    // Rows are read by index: taking them apart by a pattern goes through iterators, which doubles the time of a look-up here.
    const facts: HeadFacts = {
      cve_id: cveId,
      source,
      status: basic[0],
      rejected: basic[1] === 1,
      published: timeFromUnits(part.ownText()),
      modified: modifiedTime(part.ownText(), modified),
      title: part.ownText<string | null>(),
      description: part.ownText<string | null>(),
      assigner: basic[2],
      tags: basic[3].slice(),
      metrics: part.list(shape[0], decodeMetric),
      weaknesses: part.list(shape[1], decodeWeakness),
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
    this.#part.skip(shape[0] + shape[1] + optional);
  }

  /** Those that are in the head; null: they are in the body. */
  configurations(): readonly ConfigurationRow[] | null {
    return (this.#shape[5] & SHAPE_FLAGS.sharedTree) === 0 ? null : this.#part.row<ConfigurationRow[]>();
  }

  products(): CveProduct[] {
    return this.#part.products(Math.min(this.#shape[3], MAX_HEAD_PRODUCTS));
  }

  references(): CveReference[] {
    return this.#part.references(Math.min(this.#shape[2], MAX_HEAD_REFERENCES));
  }

  /** What the body has, to be read in this order. */
  restIn(body: Uint8Array): {
    configurations: () => CpeConfiguration[];
    products: () => CveProduct[];
    references: () => CveReference[];
  } {
    const rest = new RecordPartReader(body, this.#texts);
    const [, , references, products, configurations, flags] = this.#shape;
    return {
      configurations: () => rest.tree((flags & SHAPE_FLAGS.sharedTree) === 0 ? configurations : 0),
      products: () => rest.products(products - MAX_HEAD_PRODUCTS),
      references: () => rest.references(references - MAX_HEAD_REFERENCES),
    };
  }

  completeFix(facts: HeadFacts): void {
    if (this.#fixUrlAt >= 0) facts.fix.url = facts.references[this.#fixUrlAt]!.url;
  }

  #ssvc(): SsvcAssessment {
    const row = this.#part.row<SsvcRow>();
    return {
      exploitation: row[0],
      automatable: row[1],
      technical_impact: row[2],
      source: row[3],
      at: this.#part.ownText(),
    };
  }

  #readFix(facts: HeadFacts): void {
    const row = this.#part.row<FixRow>();
    facts.patch_available = row[0];
    facts.fix.kind = row[1];
    this.#fixUrlAt = row[2];
    if (row[2] === FIX_URL.own) facts.fix.url = this.#part.ownText();
    for (let left = row[3]; left > 0; left--) facts.fix.versions.push(this.#part.ownText());
  }
}

/** `own`: 0 where the time is that of the row. */
function modifiedTime(own: number | string | null, ofRow: number | null): string | null {
  return timeFromUnits(own === 0 ? ofRow : own);
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
