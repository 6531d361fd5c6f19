/** Forms of an address, from best to worst; each includes the one before, except `broken`. */
export const ADDRESS_FORMS = ['plain', 'smtp', 'commented', 'obsolete', 'header', 'broken'] as const;
export type AddressForm = (typeof ADDRESS_FORMS)[number];

/** The address is not valid by any grammar. The message continues a sentence that begins with "the address". */
export class AddressSyntaxError extends Error {
  override readonly name = 'AddressSyntaxError';
}

const MAX_COMMENT_DEPTH = 32;

/** Reads an address by code points; white space and comments as in RFC 5322, section 3.2.2. Keeps the worst form found. */
export class AddressScanner {
  readonly #points: readonly string[];
  #at = 0;
  form: AddressForm = 'plain';
  note: string | null = null;

  constructor(text: string) {
    this.#points = Array.from(text);
  }

  get nextPoint(): string {
    return this.#points[this.#at] ?? '';
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#points.length;
  }

  take(): string {
    return this.#points[this.#at++] ?? '';
  }

  /** Sets the form, unless it is worse already. */
  downgradeTo(form: AddressForm, note: string): void {
    if (ADDRESS_FORMS.indexOf(form) <= ADDRESS_FORMS.indexOf(this.form)) return;
    this.form = form;
    this.note = note;
  }

  /** Skips white space and comments; returns whether there were any. */
  skipCommentsAndSpace(): boolean {
    const start = this.#at;
    for (;;) {
      this.skipSpace();
      if (this.nextPoint !== '(') return this.#at > start;
      this.#skipComment();
    }
  }

  /** Skips FWS: blanks, and line ends followed by blanks. Two line ends in a row are obsolete. Returns whether there was any. */
  skipSpace(): boolean {
    const start = this.#at;
    let folds = 0;
    while (isBlank(this.nextPoint) || this.nextPoint === '\r') {
      if (this.take() !== '\r') continue;
      if (this.take() !== '\n') throw new AddressSyntaxError('has a carriage return without a line feed');
      if (!isBlank(this.nextPoint)) throw new AddressSyntaxError('has a line end that no blank follows');
      if (++folds > 1) this.downgradeTo('obsolete', 'a line of blanks');
    }
    return this.#at > start;
  }

  #skipComment(): void {
    let depth = 0;
    do {
      this.skipSpace();
      const point = this.take();
      if (point === '') throw new AddressSyntaxError('has a comment that is not closed');
      if (point === '(' && ++depth > MAX_COMMENT_DEPTH) throw new AddressSyntaxError('has comments nested too deeply');
      if (point === ')') depth--;
      if (point === '\\') this.takeEscaped();
      else this.acceptText(point, 'a comment');
    } while (depth > 0);
  }

  /** Reads the character after a backslash: printable ASCII or a blank; controls are obsolete (RFC 5322, section 4.1). */
  takeEscaped(): string {
    const point = this.take();
    if (point === '') throw new AddressSyntaxError('ends in a backslash');
    if (point > '\x7f') throw new AddressSyntaxError('has a backslash before a character that cannot be escaped');
    if (point !== '\t' && isControl(point)) this.downgradeTo('obsolete', 'an escaped control character');
    return point;
  }

  /** Accepts a character within quotes or a comment: throws for NUL and bare line ends; other controls make the form `obsolete`. */
  acceptText(point: string, where: string): void {
    if (['\0', '\n', '\r'].includes(point) || isHighControl(point))
      throw new AddressSyntaxError(`has ${where} with characters that it must not have`);
    if (isControl(point)) this.downgradeTo('obsolete', `a control character in ${where}`);
  }
}

export function isBlank(point: string): boolean {
  return point === ' ' || point === '\t';
}

export function isControl(point: string): boolean {
  return point !== '' && (point < ' ' || point === '\x7f');
}

/** C1 controls and lone surrogates, which internationalised addresses must not have (RFC 6532). */
export function isHighControl(point: string): boolean {
  return (point >= '\x80' && point < '\xa0') || /^[\ud800-\udfff]$/.test(point);
}
