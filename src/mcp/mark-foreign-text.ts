import { type ForeignShape, foreignPaths, foreignShapeOf } from '../engine/foreign-text.ts';
import type { Operation } from '../engine/operation.ts';

/**
 * Foreign text in the text of an answer stands between these: a token each of usual models, and in Latin-1, which strings of this
 * program take least time for. Where a text itself has them, they become `REPLACED_BY`, so that none can end its mark or begin another.
 */
export const FOREIGN_TEXT_MARKS = ['«', '»'] as const;
const [OPEN, CLOSE] = FOREIGN_TEXT_MARKS;
const REPLACED_BY = "'";
const ANY_MARK = new RegExp(`[${OPEN}${CLOSE}]`, 'g');
/** Longest word without marks: names, versions and the like are most strings, and say nothing by themselves. */
const MAX_BARE_WORD_LENGTH = 24;
const SPACE = /\s/;

/** In `_meta` of results and resources. */
const FOREIGN_TEXT_META_KEY = 'sextant/foreign-text';

/** Says of the answers of one operation what in them third parties wrote. */
export class ForeignTextMarker {
  readonly #shape: ForeignShape;
  /** For `_meta`: the paths of foreign text in the data, and the marks around it in the text. */
  readonly meta;
  /** The same as fields of a JSON object. */
  readonly metaJson: string;

  constructor(shape: ForeignShape) {
    this.#shape = shape;
    this.meta = { [FOREIGN_TEXT_META_KEY]: { paths: foreignPaths(shape), marks: FOREIGN_TEXT_MARKS } };
    this.metaJson = JSON.stringify(this.meta).slice(1, -1);
  }

  /** The JSON of an answer with marks around foreign text. */
  mark(json: Buffer): Buffer {
    // In JSON, they are nowhere but in strings.
    const text = json.toString().replace(ANY_MARK, REPLACED_BY);
    return Buffer.from(JSON.stringify(markValue(JSON.parse(text), this.#shape)));
  }
}

const markers = new WeakMap<Operation, ForeignTextMarker | null>();

/** Null: no answer of the operation has foreign text. Made once, when it is first asked for: schemas take a millisecond. */
export function foreignTextMarkerOf(operation: Operation): ForeignTextMarker | null {
  let marker = markers.get(operation);
  if (marker === undefined) {
    const shape = foreignShapeOf(operation.output);
    marker = shape === null ? null : new ForeignTextMarker(shape);
    markers.set(operation, marker);
  }
  return marker;
}

/** Marks the strings of a value; changes lists and objects in place. */
function markValue(value: unknown, shape: ForeignShape): unknown {
  if (shape.isForeign) return markAll(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    if (shape.items !== null) markItems(value, shape.items);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const [name, field] of shape.fields) markField(fields, name, field);
  return shape.values === null && !shape.hasForeignNames ? value : markRest(fields, shape);
}

function markItems(items: unknown[], shape: ForeignShape): void {
  for (let index = 0; index < items.length; index++) items[index] = markValue(items[index], shape);
}

function markField(fields: Record<string, unknown>, name: string, shape: ForeignShape): void {
  const value = fields[name];
  if (value === undefined || value === null) return;
  const marked = markValue(value, shape);
  if (marked !== value) fields[name] = marked;
}

/** Of an object whose names are not known. */
function markRest(fields: Record<string, unknown>, { values, hasForeignNames, fields: known }: ForeignShape): unknown {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) =>
      known.has(name)
        ? [name, value]
        : [hasForeignNames ? markText(name) : name, values === null ? value : markValue(value, values)],
    ),
  );
}

function markAll(value: unknown): unknown {
  if (typeof value === 'string') return markText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(markAll);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [markText(name), markAll(part)]));
}

function markText(text: string): string {
  return text.length <= MAX_BARE_WORD_LENGTH && !SPACE.test(text) ? text : `${OPEN}${text}${CLOSE}`;
}
