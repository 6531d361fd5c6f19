import { z } from 'zod';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { FeedFormatError, type ParseReporter } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import { splitRecords } from '../nvd/split-records.ts';
import { looksLikeHtml, unexpectedContentError } from '../unpack.ts';

/** The largest object of ATT&CK has some 60 kB. */
const MAX_OBJECT_BYTES = 4 * 1024 * 1024;
const MAX_OBJECTS = 200_000;

const Head = z.object({ type: z.literal('bundle') });

export const ExternalReferences = z.array(
  z.object({ source_name: z.string(), external_id: z.string().optional(), url: z.string().optional() }),
);

/** Fields of all STIX objects that are read here. */
export const StixObject = z.object({
  type: z.string(),
  id: z.string().max(200),
  name: z.string().default(''),
  revoked: z.boolean().default(false),
  x_mitre_deprecated: z.boolean().default(false),
  external_references: ExternalReferences.default([]),
});

/** A relation between two objects. */
export const StixRelation = z.object({
  relationship_type: z.string(),
  source_ref: z.string().max(200),
  target_ref: z.string().max(200),
  revoked: z.boolean().default(false),
  x_mitre_deprecated: z.boolean().default(false),
});

/**
 * The objects of a STIX bundle (2.0 or 2.1), one at a time: a bundle of ATT&CK has 45 MB. What is no object is skipped. Throws `FeedFormatError` where the document is no bundle.
 */
export async function* readStixObjects(
  bytes: AsyncIterable<Uint8Array>,
  reporter: ParseReporter,
): AsyncIterable<{ type: string }> {
  let objects = 0;
  for await (const parts of splitRecords(refuseHtml(bytes), MAX_OBJECT_BYTES, 'objects')) {
    for (const { kind, json } of parts) {
      if (kind === 'head') {
        requireBundle(json.toString());
        continue;
      }
      if (++objects > MAX_OBJECTS) throw new FeedFormatError(`more than ${MAX_OBJECTS} objects in the bundle`);
      const object = parseObject(json.toString());
      if (object === null) reporter.skip(`object ${objects}`, 'not a STIX object');
      else yield object;
    }
  }
  if (objects === 0) throw new FeedFormatError('the bundle holds no objects');
}

async function* refuseHtml(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst && looksLikeHtml(chunk)) throw unexpectedContentError('a STIX bundle', chunk);
    isFirst = false;
    yield chunk;
  }
}

function requireBundle(json: string): void {
  let head: unknown;
  try {
    head = parseBoundedJson(json);
  } catch {
    throw new FeedFormatError('the bundle is not JSON');
  }
  const bundle = Head.safeParse(head);
  if (!bundle.success) throw new FeedFormatError(`not a STIX bundle: ${firstIssue(bundle.error)}`);
}

function parseObject(json: string): { type: string } | null {
  try {
    const object: unknown = parseBoundedJson(json);
    const hasType =
      typeof object === 'object' && object !== null && 'type' in object && typeof object.type === 'string';
    return hasType ? (object as { type: string }) : null;
  } catch {
    return null;
  }
}

/** The id that a source gives to an object: `T1190` of `mitre-attack`, `CAPEC-66` of `capec`; null if there is none. */
export function externalId(references: z.output<typeof ExternalReferences>, source: string): string | null {
  return references.find(({ source_name }) => source_name === source)?.external_id ?? null;
}
