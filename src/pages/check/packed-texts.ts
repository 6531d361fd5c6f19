import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { z } from 'zod';
import { ApiError } from '../../errors.ts';

/** A text as it travels in a form, because nothing is stored. */
interface PackedText {
  readonly name: string | null;
  readonly text: string;
  readonly word: string;
}

/** What a page may carry. */
const MAX_PACKED_CHARACTERS = 90_000;
const MAX_UNPACKED_BYTES = 1024 * 1024;
/** Checksums of packages: no check reads them, and they cannot be compressed. */
const CHECKSUM = /\bsha(1|224|256|384|512)([-:=])[A-Za-z0-9+/=_-]{20,}/g;

const PackedTexts = z.array(z.object({ name: z.string().nullable(), text: z.string(), word: z.string() })).min(1);
const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** The texts in one form field, to be checked again for another form of the answer; null where they are too long to travel along. */
export async function packTexts(texts: readonly (PackedText & { isLockfile: boolean })[]): Promise<string | null> {
  const packed = texts.map(({ name, text, word, isLockfile }) => ({
    name,
    text: isLockfile ? text.replace(CHECKSUM, 'sha$1$2') : text,
    word,
  }));
  const field = (await deflate(JSON.stringify(packed))).toString('base64url');
  return field.length <= MAX_PACKED_CHARACTERS ? field : null;
}

/** The texts of such a field. Throws `ApiError` for any other. */
export async function unpackTexts(field: string): Promise<PackedText[]> {
  try {
    const bytes = await inflate(Buffer.from(field, 'base64url'), { maxOutputLength: MAX_UNPACKED_BYTES });
    return PackedTexts.parse(JSON.parse(bytes.toString()));
  } catch {
    throw new ApiError('invalid_argument', 'The form does not hold what it was made with. Check the text again.');
  }
}
