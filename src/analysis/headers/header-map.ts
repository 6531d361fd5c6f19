/** Response headers as given: a name may be in any case, and a header that was sent several times has a list. */
export type RawHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Values by name in lower case, in the order sent; of `Set-Cookie` each a cookie. */
export type HeaderMap = ReadonlyMap<string, readonly string[]>;

export function toHeaderMap(given: RawHeaders): HeaderMap {
  const headers = new Map<string, string[]>();
  for (const [name, value] of Object.entries(given)) {
    const key = name.trim().toLowerCase();
    const values = headers.get(key) ?? [];
    if (typeof value !== 'string') values.push(...value);
    else values.push(...(key === 'set-cookie' ? splitCookies(value) : [value]));
    if (values.length > 0) headers.set(key, values);
  }
  return headers;
}

/** Cookies that were joined by commas, as some tools hand them out. */
function splitCookies(value: string): string[] {
  // A comma inside of a date is not followed by a name and `=`.
  return value.split(/\n|,(?=[ \t]{0,10}[!#$%&'*+.^_`|~\w-]{1,256}=)/).map((text) => text.trim());
}

/** All values joined, as RFC 9110 (section 5.3) has it; null where the header was not sent. */
export function joinedValue(headers: HeaderMap, name: string): string | null {
  const values = headers.get(name.toLowerCase());
  return values === undefined ? null : values.map((value) => value.trim()).join(', ');
}

/** The parts between commas, trimmed; for headers without quoted strings. */
export function splitCommaList(value: string): string[] {
  return value.split(',').map((part) => part.trim());
}
