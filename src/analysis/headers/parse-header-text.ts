/** Headers as a person copies them: a response of HTTP/1.1, `curl -i`, `curl -v` (`< `), the table of a browser. */
const HEADER_LINE = /^(?:[<*] ?)?([A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}):(?:[ \t]+(.*)|)$/;
const STATUS_LINE = /^(?:< )?HTTP\/\d(?:\.\d)? \d{3}\b/;

/** Names that hardly any other text begins its lines with. */
const RESPONSE_HEADERS =
  /^(?:access-control-[a-z-]+|alt-svc|cache-control|content-(?:encoding|length|security-policy(?:-report-only)?|type)|cross-origin-[a-z-]+|etag|expires|feature-policy|last-modified|permissions-policy|referrer-policy|server|set-cookie|strict-transport-security|vary|via|x-[a-z0-9-]+)$/i;

/**
 * Headers of a text, by name; a list where a name comes several times. Of a chain of redirects only the last response counts. Folded
 * lines are joined. `other`: lines that are no header.
 */
export function parseHeaderText(text: string): { headers: Record<string, string[]>; other: number } {
  const headers = new Map<string, { name: string; values: string[] }>();
  let values: string[] | null = null;
  let other = 0;
  for (const line of text.split(/\r?\n/)) {
    if (STATUS_LINE.test(line)) {
      headers.clear();
      values = null;
      continue;
    }
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name !== undefined) {
      values = headers.get(name.toLowerCase())?.values ?? [];
      headers.set(name.toLowerCase(), { name: headers.get(name.toLowerCase())?.name ?? name, values });
      values.push(value.trim());
    } else if (/^[ \t]+\S/.test(line) && values !== null) {
      values.push(`${values.pop()!} ${line.trim()}`.trim());
    } else if (line.trim() !== '') other++;
  }
  return { headers: Object.fromEntries([...headers.values()].map(({ name, values: all }) => [name, all])), other };
}

/** Whether a text is response headers: it begins with a status line, or nearly all its lines are headers, and some are well known. */
export function isHeaderText(text: string): boolean {
  const head = text.slice(0, 20_000).trimStart();
  if (STATUS_LINE.test(head)) return true;
  const { headers, other } = parseHeaderText(head);
  const names = Object.keys(headers);
  return names.length > 0 && other * 5 <= names.length && names.some((name) => RESPONSE_HEADERS.test(name));
}
