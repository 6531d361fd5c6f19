import { ApiError } from '../errors.ts';

const MAX_FIELDS = 100;

/** The fields of a submitted form, sent as URL-encoded text or in parts. Throws `ApiError` for a body that is neither. */
export async function readForm({ type, bytes }: { readonly type: string; readonly bytes: Buffer }): Promise<FormData> {
  let form: FormData;
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw new ApiError('invalid_argument', 'The form cannot be read.');
  }
  if ([...form.keys()].length > MAX_FIELDS) {
    throw new ApiError('invalid_argument', `The form has over ${MAX_FIELDS} fields.`);
  }
  return form;
}

/** A text field or the text of a chosen file; an empty string without one. */
export async function formText(form: FormData, name: string): Promise<string> {
  const value = form.get(name);
  if (value === null) return '';
  return typeof value === 'string' ? value : await value.text();
}
