import { factOfKey, OBJECT_START_KEYS } from './fact-vocabulary.ts';
import { type WhoisLine, whoisLines } from './whois-lines.ts';

/** A key with its value, and the heading above it ('' without one). Keys and headings as `normalizeKey` makes them. */
export interface WhoisField {
  section: string;
  key: string;
  value: string;
}

/** Keys that a registrar's own object begins with, after the line that names it. */
const REGISTRAR_OBJECT_KEYS = new Set(['name', 'organization', 'type', 'handle']);

/**
 * The fields of a WHOIS text in any layout: `key: value`, a key above indented values, `[key] value`, dotted leaders,
 * columns, sentences (`Record created on ...`), and sections of all these.
 */
export function parseWhoisFields(text: string): WhoisField[] {
  const collector = new FieldCollector();
  for (const line of whoisLines(text)) collector.add(line);
  return collector.fields;
}

class FieldCollector {
  readonly fields: WhoisField[] = [];
  /** The section that the next line may belong to. */
  #section: Section | null = null;
  /** The object (paragraph of fields) by its first key, where that says whose fields they are: a contact, a registrar. */
  #object = '';
  #mayStartRegistrarObject = false;
  /** The field whose value may continue in the next line, and the column where the value starts. */
  #open: { field: WhoisField; column: number } | null = null;

  add(line: WhoisLine): void {
    switch (line.form) {
      case 'blank':
        this.#open = null;
        if (this.#section?.endsAtBlankLine()) this.#section = null;
        return;
      case 'field':
        return this.#addField(line);
      case 'heading':
        this.#section = new Section(line.heading, line.indent, true);
        return;
      case 'date sentence':
        if (this.#section?.endsBeforeText(line.indent)) this.#section = null;
        this.#open = null;
        return this.#push(line.key, line.value);
      case 'text':
        return this.#addText(line);
    }
  }

  #addField({ key, value, indent, afterBlank, valueColumn }: WhoisLine & { form: 'field' }): void {
    if (this.#section?.endsBeforeField(indent)) this.#section = null;
    if (this.#mayStartRegistrarObject && REGISTRAR_OBJECT_KEYS.has(key)) this.#object = 'registrar';
    if (afterBlank && this.#section === null) this.#object = OBJECT_START_KEYS.has(key) ? key : '';
    this.#mayStartRegistrarObject = afterBlank && key === 'registrar';
    this.#open = null;
    if (value === '') {
      this.#section = new Section(key, indent, afterBlank);
      return;
    }
    this.#section?.addLine(indent);
    this.#push(key, value);
    this.#open = { field: this.fields.at(-1)!, column: valueColumn };
  }

  /** A line without a key: more of the value above it, or a value of the section. */
  #addText({ text, indent }: WhoisLine & { form: 'text' }): void {
    const open = this.#open;
    if (open !== null && open.column > 4 && indent >= open.column - 2) {
      this.fields.push({ ...open.field, value: text });
    } else if (this.#section !== null && !this.#section.endsBeforeText(indent)) {
      this.#section.addLine(indent);
      this.#push(this.#section.heading, text);
    }
  }

  #push(key: string, value: string): void {
    this.fields.push({ section: this.#section?.heading ?? this.#object, key, value });
  }
}

/** A heading and the lines below it. Whether a line still belongs to it shows in the indents. */
class Section {
  readonly heading: string;
  readonly #indent: number;
  readonly #startsParagraph: boolean;
  #hasLines = false;
  #hasIndentedLines = false;

  /** `startsParagraph`: the lines below it need not be indented. */
  constructor(heading: string, indent: number, startsParagraph: boolean) {
    this.heading = heading;
    this.#indent = indent;
    this.#startsParagraph = startsParagraph;
  }

  addLine(indent: number): void {
    this.#hasLines = true;
    this.#hasIndentedLines ||= indent > this.#indent;
  }

  endsBeforeField(indent: number): boolean {
    return indent <= this.#indent && (this.#hasIndentedLines || !this.#startsParagraph);
  }

  endsBeforeText(indent: number): boolean {
    return indent <= this.#indent && this.#hasIndentedLines;
  }

  /** Name servers may follow after a blank line; any other key without a value has none. */
  endsAtBlankLine(): boolean {
    const fact = factOfKey(this.heading);
    return this.#hasLines || (fact !== null && fact !== 'nameServer');
  }
}
