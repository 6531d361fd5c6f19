/**
 * The target of the first link with relation `next` in a `Link` header (RFC 8288), resolved against `base`; null: no such link.
 */
export function nextLink(header: string, base: string): string | null {
  for (const { target, parameters } of parseLinks(header)) {
    // RFC 8288, 3.3: a second rel is ignored; one rel may have several relations.
    const rel = parameters.find(([name]) => name === 'rel')?.[1] ?? '';
    if (rel.toLowerCase().split(/\s+/).includes('next')) return URL.parse(target, base)?.href ?? null;
  }
  return null;
}

function* parseLinks(header: string): Generator<{ target: string; parameters: [string, string][] }> {
  // A target ends at `>`; parameters end at the next comma outside of a quoted string.
  for (const [, target = '', rest = ''] of header.matchAll(/<([^<>]*)>((?:[^",]|"(?:[^"\\]|\\.)*"?)*)/g)) {
    const parameters = [...rest.matchAll(/;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;"]+))/g)].map(
      ([, name = '', quoted, plain]): [string, string] => [
        name.toLowerCase(),
        quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '',
      ],
    );
    yield { target, parameters };
  }
}
