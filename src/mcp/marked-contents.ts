import type { TextResourceContents } from '@modelcontextprotocol/server';
import type { Operation } from '../engine/operation.ts';
import { foreignTextMarkerOf } from './mark-foreign-text.ts';

export const JSON_MIME_TYPE = 'application/json';

/** An answer as the contents of a resource, with foreign text marked as in the text of a tool. */
export function markedContents(uri: string, operation: Operation, json: Buffer): TextResourceContents {
  const marker = foreignTextMarkerOf(operation);
  const text = (marker?.mark(json) ?? json).toString();
  return { uri, mimeType: JSON_MIME_TYPE, text, ...(marker !== null && { _meta: marker.meta }) };
}
