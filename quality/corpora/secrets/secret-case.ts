/** A file with labels: which of its values are secrets, and which only look like some. Whatever else is in it is harmless. */
export interface SecretCase {
  readonly path: string;
  readonly text: string;
  /** What kind of text or value it is about. */
  readonly about: string;
  /** Line (from 1) of the first character, and the value without quotes. */
  readonly secrets: readonly LabelledValue[];
  readonly clean: readonly LabelledValue[];
}

export interface LabelledValue {
  readonly line: number;
  readonly value: string;
}
