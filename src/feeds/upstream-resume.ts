import type { HttpResponse } from '../net/http-get.ts';
import { NetError } from '../net/net-error.ts';
import { UpstreamError } from './upstream-error.ts';
import { unexpectedStatusError } from './upstream-retry.ts';

const MAX_RESUMES = 3;

/** Requests the file from byte `from` on, with these headers. */
export type RequestRange = (headers: Record<string, string>, from: number) => Promise<HttpResponse>;

/**
 * The bytes of `first`. If the connection breaks, a range request continues the transfer (RFC 9110, 14.2 and 13.1.5) if the
 * server supports it. Only a strong ETag and a known length prove that the parts belong to one file; otherwise it is an error.
 */
export async function* resumableBody(
  first: HttpResponse,
  fileName: string,
  requestRange: RequestRange,
): AsyncGenerator<Uint8Array, void, void> {
  const file = resumableFile(first);
  let answer = first;
  let received = 0;
  for (let resumes = 0; ; resumes++) {
    try {
      for await (const chunk of answer.body) {
        received += chunk.byteLength;
        yield chunk;
      }
      if (!file || received === file.length) return;
    } catch (error) {
      if (!file || resumes >= MAX_RESUMES || !isInterruption(error)) throw error;
    }
    if (resumes >= MAX_RESUMES || received >= file.length)
      throw new UpstreamError(`${fileName} does not end as announced`);
    answer = await requestRange({ range: `bytes=${received}-`, 'if-range': file.etag }, received);
    if (!isContinuation(answer, file, received)) {
      answer.discard();
      throw new UpstreamError(`${fileName} changed while it was read`, answer.status);
    }
  }
}

/** The body of the answer to a range request from byte `from` on, and where it starts: at 0 where the server does not continue. */
export function continuedBody(
  answer: HttpResponse,
  from: number,
  url: URL,
): { from: number; bytes: AsyncIterable<Uint8Array> } {
  if (answer.status === 200) return { from: 0, bytes: answer.body };
  const isContinued = answer.status === 206 && from > 0;
  if (!isContinued || !(answer.headers.get('content-range') ?? '').startsWith(`bytes ${from}-`))
    throw unexpectedStatusError(answer, url);
  return { from, bytes: answer.body };
}

interface ResumableFile {
  etag: string;
  length: number;
}

function resumableFile({ headers, bodyLength }: HttpResponse): ResumableFile | null {
  const etag = headers.get('etag');
  const takesRanges = /\bbytes\b/i.test(headers.get('accept-ranges') ?? '');
  return bodyLength !== null && etag?.startsWith('"') && takesRanges ? { etag, length: bodyLength } : null;
}

function isContinuation({ status, headers, verbatim }: HttpResponse, file: ResumableFile, from: number): boolean {
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '');
  const fits = Number(range?.[1]) === from && Number(range?.[2]) === file.length;
  return status === 206 && verbatim && fits && headers.get('etag') === file.etag;
}

function isInterruption(error: unknown): boolean {
  return error instanceof NetError && (error.code === 'reset' || error.code === 'timeout');
}
