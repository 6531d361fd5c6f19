import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { ApiError } from '../errors.ts';
import { SECURITY_HEADERS } from './request-checks.ts';

const PARSER_ERROR_MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The request headers are over 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/** Answers a request that Node's HTTP parser rejected (RFC 9112): status 400 with the body of other errors; then closes the connection. */
export function answerProtocolError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = new ApiError(
    'invalid_argument',
    PARSER_ERROR_MESSAGES[error.code ?? ''] ?? 'This is not a valid HTTP/1.1 request.',
  );
  const requestId = randomUUID();
  const body = JSON.stringify(refusal.toBody(requestId));
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestId}`,
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
