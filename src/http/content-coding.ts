import { Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createZstdCompress, zstdCompress } from 'node:zlib';

/** A coding of response bodies that a client accepts. */
export type ContentCoding = 'br' | 'zstd' | null;

/** Below this a coding saves less than a packet. */
const MIN_BYTES = 1024;
/** For what is made anew for each request: higher levels take several times as long for a tenth less. */
const BROTLI_QUALITY = 5;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
const compressBrotli = promisify(brotliCompress);
const compressZstd = promisify(zstdCompress);

/** The coding for a client: zstd where it is accepted, because it is several times as fast, else brotli, else none. */
export function acceptedCoding(acceptEncoding: string | string[] | undefined): ContentCoding {
  const codings = String(acceptEncoding ?? '')
    .slice(0, 500)
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(?:\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]!);
  return codings.includes('zstd') ? 'zstd' : codings.includes('br') ? 'br' : null;
}

/** A body in a coding, worked out in a thread; null where it is sent as it is. `best`: for a body that is kept. */
export async function encodeBody(body: Buffer, coding: ContentCoding, best = false): Promise<Buffer | null> {
  if (coding === null || body.byteLength < MIN_BYTES) return null;
  if (coding === 'zstd' && !best) return compressZstd(body);
  return coding === 'br' ? compressBrotli(body, best ? {} : BROTLI) : compressZstd(body);
}

/** A body in pieces, in a coding, each piece sent when it comes. */
export function encodePieces(pieces: AsyncIterable<string>, coding: ContentCoding): Readable {
  if (coding === null) return Readable.from(pieces, { objectMode: false });
  const flushed = coding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.ZSTD_e_flush;
  const encoder: Transform =
    coding === 'br' ? createBrotliCompress({ ...BROTLI, flush: flushed }) : createZstdCompress({ flush: flushed });
  const source = Readable.from(pieces, { objectMode: false });
  source.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => source.destroy());
  return source.pipe(encoder);
}
