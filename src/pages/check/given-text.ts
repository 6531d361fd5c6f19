import { detectTextKind, textKindNamed, type TextKind } from '../../analysis/detect-text-kind.ts';
import { ApiError } from '../../errors.ts';
import { formText } from '../read-form.ts';
import { unpackTexts } from './packed-texts.ts';

/** Files of one form. */
export const MAX_FILES = 10;
const MAX_NAME_CHARACTERS = 200;

/** A text to check. */
export interface GivenText {
  /** Name of its file; null for pasted text. */
  readonly name: string | null;
  readonly text: string;
  /** What the person says it is; empty: as recognised. */
  readonly word: string;
  readonly kind: TextKind;
}

/** The texts of a form, pasted and as files. Throws `ApiError` for none, for too many, and for a kind that there is not. */
export async function readGivenTexts(form: FormData): Promise<GivenText[]> {
  const packed = await formText(form, 'packed');
  if (packed !== '') return (await unpackTexts(packed)).map(toGivenText);
  const word = await formText(form, 'kind');
  const pasted = await formText(form, 'text');
  const files = form.getAll('file').filter((file) => typeof file !== 'string' && (file.size > 0 || file.name !== ''));
  if (files.length > MAX_FILES) {
    throw new ApiError('invalid_argument', `${files.length} files: give at most ${MAX_FILES} at a time.`);
  }
  const texts: GivenText[] = pasted.trim() === '' ? [] : [toGivenText({ name: null, text: pasted, word })];
  for (const file of files as File[]) {
    texts.push(toGivenText({ name: file.name.slice(0, MAX_NAME_CHARACTERS), text: await file.text(), word }));
  }
  if (texts.length === 0) {
    throw new ApiError('invalid_argument', 'There is nothing to check: paste a text, or choose a file.');
  }
  return texts;
}

function toGivenText({ name, text, word }: Pick<GivenText, 'name' | 'text' | 'word'>): GivenText {
  const kind = word === '' ? detectTextKind(text, name ?? '') : textKindNamed(word, text);
  if (kind === null) throw new ApiError('invalid_argument', 'There is no such kind of text.');
  return { name, text, word, kind };
}
