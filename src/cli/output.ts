/** Without a terminal, lines are not wrapped. */
export const UNLIMITED_WIDTH = Number.MAX_SAFE_INTEGER;
/** Characters that JSON does not escape, and that a terminal would interpret or hide. */
const INVISIBLE_CHARACTERS = /[\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\u2028\u2029]/gu;

/** Prints the result of a command: as one JSON document, or the lines of `renderLines` for the terminal's width. */
export function printOutput(json: boolean, document: unknown, renderLines: (width: number) => string[]): void {
  const text = json ? toPrintableJson(document) : renderLines(process.stdout.columns ?? UNLIMITED_WIDTH).join('\n');
  process.stdout.write(`${text}\n`);
}

/** Indented JSON with all invisible characters escaped. */
export function toPrintableJson(document: unknown): string {
  return escapeInvisible(JSON.stringify(document, null, 2));
}

/** The same on one line. */
export function toJsonLine(document: unknown): string {
  return escapeInvisible(JSON.stringify(document));
}

function escapeInvisible(json: string): string {
  return json.replace(INVISIBLE_CHARACTERS, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
