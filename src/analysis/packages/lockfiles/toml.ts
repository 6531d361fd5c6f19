import { parse } from 'smol-toml';
import { DocumentError, type JsonObject } from './locked-package.ts';

/** A TOML document; `DocumentError` for anything else. */
export function parseTomlObject(text: string): JsonObject {
  try {
    return parse(text);
  } catch (error) {
    throw new DocumentError(`it is no TOML: ${(error as Error).message.split('\n', 1)[0]!.slice(0, 120)}`);
  }
}
