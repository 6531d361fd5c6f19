/** Checks and conversions of fields that several feeds share. */

import { z } from 'zod';
import { cveKey, parseCveId } from '../analysis/cve/cve-id.ts';
import { cleanText } from '../analysis/display-text.ts';
import { FeedFormatError, type ParseReporter } from './feed.ts';
import { JsonDepthError, parseBoundedJson } from '../analysis/bounded-json.ts';
import { unexpectedContentError, readAllBytes } from './unpack.ts';

/** For ids in messages: they come from the upstream and may be long. */
const MAX_ID_CHARACTERS = 30;
const ZONE = /(?:z|[+-]\d\d:?\d\d)$/i;

/** Text for people: cleaned and trimmed. */
export const CleanedText = z.string().transform((text) => cleanText(text).trim());

/** A CVE id in upper or lower case; the output is the canonical one. */
export const CanonicalCveId = z.string().transform((text, context) => {
  const id = canonicalCveId(text);
  if (id !== null) return id;
  context.addIssue({ code: 'custom', message: 'not a CVE id' });
  return z.NEVER;
});

/** The canonical form of a CVE id, or null if the text is not one. */
export function canonicalCveId(text: string): string | null {
  const id = parseCveId(text.trim());
  return id !== null && cveKey(id) !== null ? id : null;
}

/**
 * An ISO 8601 time in the form `2024-10-24T22:00:00.000Z`; without a time zone it is UTC. A day without a time stays a day. Null
 * for other texts and for times before 1970: upstreams write `0001-01-01T00:00:00Z` for "unknown".
 */
export function parseUtcTime(text: string | null | undefined): string | null {
  if (text == null) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(text) >= 0 ? text : null;
  const time = new Date(ZONE.test(text) ? text : `${text}Z`);
  return time.getTime() >= 0 ? time.toISOString() : null;
}

/** Reads a whole JSON document. Invalid UTF-8 becomes U+FFFD. Throws `FeedFormatError` if it is not JSON. */
export async function readJson(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<unknown> {
  const content = await readAllBytes(bytes, maxBytes);
  try {
    return parseBoundedJson(new TextDecoder().decode(content));
  } catch (error) {
    if (error instanceof JsonDepthError) throw new FeedFormatError(`the JSON is ${error.message}`);
    if (/^\s*[[{]/.test(content.toString('latin1', 0, 64)))
      throw new FeedFormatError('the JSON is malformed or ends early');
    throw unexpectedContentError('JSON', content);
  }
}

/**
 * The records that fit their schema. The others are skipped under the text of their `idField`, or, where they have none, under
 * `what` and their number: `row 12`.
 */
export function parseRecords<Schema extends z.ZodType>(
  schema: Schema,
  records: readonly unknown[],
  reporter: ParseReporter,
  { what, idField }: { what: string; idField?: string },
): z.output<Schema>[] {
  const fitting: z.output<Schema>[] = [];
  for (const [index, raw] of records.entries()) {
    const record = schema.safeParse(raw);
    if (record.success) fitting.push(record.data);
    else reporter.skip(idOf(raw, idField) ?? `${what} ${index + 1}`, firstIssue(record.error));
  }
  return fitting;
}

function idOf(raw: unknown, idField: string | undefined): string | null {
  const id = idField === undefined ? null : (raw as Record<string, unknown> | null)?.[idField];
  return typeof id === 'string' ? id.slice(0, MAX_ID_CHARACTERS) : null;
}

/** The first issue that a schema found, in one line: `dueDate: Invalid ISO date`. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'invalid';
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
