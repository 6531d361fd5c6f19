const UNRESERVED = /[A-Za-z0-9._~-]/;

/**
 * The form in which paths of rules and URLs are compared (RFC 9309, section 2.2.2): non-ASCII characters percent-encoded, unreserved
 * characters decoded, hexadecimal digits in upper case.
 */
export function normalizePath(path: string): string {
  return path.replace(/%[0-9a-f]{2}|[^\x21-\x7e]+/gi, (part) => {
    if (!part.startsWith('%')) return encodeURIComponent(part.toWellFormed());
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return UNRESERVED.test(character) ? character : part.toUpperCase();
  });
}

/**
 * Whether the pattern matches the start of the path, both normalised. `*` matches any text, `$` at the end of the pattern the end of
 * the path. Each part between stars takes its first match; no backtracking is needed.
 */
export function matchesPathPattern(pattern: string, path: string): boolean {
  const star = pattern.indexOf('*');
  if (star === -1 && !pattern.endsWith('$')) return path.startsWith(pattern);
  if (star > 0 && !path.startsWith(pattern.slice(0, star))) return false;
  const anchored = pattern.endsWith('$');
  const parts = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const last = parts.length - 1;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (anchored && index === last) {
      const start = path.length - part.length;
      return (index === 0 ? start === 0 : start >= at) && path.endsWith(part);
    }
    const found = index === 0 ? (path.startsWith(part) ? 0 : -1) : path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return true;
}
