import { ParseError } from 'structured-headers';

/** A structured field value (RFC 9651), read by a parser of `structured-headers`; null if its syntax is wrong. */
export function parseStructuredField<Field>(value: string, parse: (value: string) => Field): Field | null {
  try {
    return parse(value);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}
