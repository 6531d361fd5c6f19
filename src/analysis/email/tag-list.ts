/**
 * Parses a tag list of DKIM (RFC 6376, 3.2), DMARC, MTA-STS, TLS-RPT or BIMI: `name=value; name=value`. Names in lower case, in their
 * order. Null: a part is not a tag, or a tag is repeated.
 */
export function parseTagList(text: string): Map<string, string> | null {
  const tags = new Map<string, string>();
  const parts = text.split(';').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = part.slice(0, equals).trim().toLowerCase();
    if (equals === -1 || !/^[a-z][a-z0-9_-]*$/.test(name) || tags.has(name)) return null;
    tags.set(name, part.slice(equals + 1).trim());
  }
  return tags;
}

/** Whether a record begins with `v=<version>`; blanks around `=` are allowed. */
export function hasVersionTag(text: string, version: string): boolean {
  const semicolon = text.indexOf(';');
  const first = semicolon === -1 ? text : text.slice(0, semicolon);
  const [name = '', value = ''] = first.split('=', 2);
  return name.trim() === 'v' && value.trim() === version;
}
