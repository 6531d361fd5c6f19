/** Where nobody looks at it in a terminal, lines are as long as they need to be. */
const UNLIMITED_WIDTH = Number.MAX_SAFE_INTEGER;
/** What JSON leaves as it is and a terminal would obey or hide. */
const INVISIBLE_CHARACTERS = /[\x7f-\x9f\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\u2028\u2029]/gu;

/** Writes what a command found: one JSON document where `json` is asked for, else the lines of `view` at the terminal's width. */
export function printOutput(json: boolean, document: unknown, renderLines: (width: number) => string[]): void {
  const text = json ? toPrintableJson(document) : renderLines(process.stdout.columns ?? UNLIMITED_WIDTH).join('\n');
  process.stdout.write(`${text}\n`);
}

/** Pretty JSON of the same value, with everything escaped that would not be seen as it is. */
export function toPrintableJson(document: unknown): string {
  return JSON.stringify(document, null, 2).replace(INVISIBLE_CHARACTERS, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
