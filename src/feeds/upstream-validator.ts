/** The validators of one file on a web server, stored between syncs as one opaque string. */

/** ETag and Last-Modified of the file at `url`; null if the server sent neither. */
export function encodeValidator(url: string, headers: ReadonlyMap<string, string>): string | null {
  const etag = headers.get('etag') ?? null;
  const modified = headers.get('last-modified') ?? null;
  return etag || modified ? JSON.stringify([url, etag, modified]) : null;
}

/**
 * Headers of a conditional GET; none if the validator belongs to another address or to a folder: a date says nothing about the
 * file of another server.
 */
export function conditionalHeaders(url: string, validator: string | null): Record<string, string> {
  const [address, etag, modified] = parseValidator(validator);
  if (address !== url) return {};
  return {
    ...(typeof etag === 'string' && { 'if-none-match': etag }),
    ...(typeof modified === 'string' && { 'if-modified-since': modified }),
  };
}

function parseValidator(validator: string | null): unknown[] {
  try {
    const parts: unknown = JSON.parse(validator ?? '[]');
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
