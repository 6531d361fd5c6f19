import { NameTest } from './name-test.ts';
import { INJECTION_KINDS } from '../taint.ts';
import type { Value } from './value.ts';

const WRITERS = new NameTest(
  /^(dumps|stringify|Marshal|MarshalIndent|json_encode|writeValueAsString|toJson|SerializeObject|Serialize|generate)$/,
);
const READERS = new NameTest(/^(loads|parse|json_decode|readValue|fromJson|DeserializeObject|Deserialize|safe_load)$/);

/** What a text holds that a call reads, where it was written from a value of this code; null: it is not known. */
export function readValue(name: string, text: Value | undefined): Value | null {
  return text?.serialized != null && READERS.test(name) ? text.serialized : null;
}

/** The text that a call writes of a value, which a later call may read. */
export function writtenText(name: string, text: Value, value: Value | undefined): Value {
  return value !== undefined && WRITERS.test(name) && isKnownInside(value) ? { ...text, serialized: value } : text;
}

/** Whether all taint of a list or record is that of its parts. */
function isKnownInside({ taint, fields, elements }: Value): boolean {
  const parts = [...(fields?.values() ?? []), ...(elements ?? [])];
  return (
    parts.length > 0 &&
    INJECTION_KINDS.every((kind) => taint[kind] === undefined || parts.some((part) => part.taint[kind] !== undefined))
  );
}
