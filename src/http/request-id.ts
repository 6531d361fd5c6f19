import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const REQUEST_ID_PATTERN = /^[\w.:-]{1,64}$/;

/** The id of a request: the caller's own `X-Request-ID` if it is short and plain, else a new UUID. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sentId = headers['x-request-id'];
  return typeof sentId === 'string' && REQUEST_ID_PATTERN.test(sentId) ? sentId : randomUUID();
}
