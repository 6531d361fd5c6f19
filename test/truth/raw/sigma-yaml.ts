/**
 * Reads the YAML that rule files are written in, line by line and apart from any YAML library: block maps and lists, plain,
 * quoted and block scalars, one-line flow lists. Throws on anything else.
 */

export type Yaml = string | number | boolean | null | Yaml[] | { [key: string]: Yaml };

interface Line {
  indent: number;
  text: string;
}

export function readYaml(content: string): Yaml {
  const lines = content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((raw): Line => ({ indent: raw.length - raw.trimStart().length, text: raw.trimStart() }));
  const reader = new Reader(lines);
  const value = reader.block(0);
  if (!reader.isAtEnd()) throw new Error(`line ${reader.at + 1} is not understood`);
  return value;
}

const KEY = /^('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[^\s'"#[\]{}-][^#]*?|-[^\s#][^#]*?)\s*:(?:\s+(.*))?$/;

class Reader {
  readonly lines: Line[];
  at = 0;

  constructor(lines: Line[]) {
    this.lines = lines;
  }

  isAtEnd(): boolean {
    return this.next() === null;
  }

  /** The next line that holds something. */
  next(): Line | null {
    while (this.at < this.lines.length && /^(#.*)?$/.test(this.lines[this.at]!.text)) this.at++;
    return this.lines[this.at] ?? null;
  }

  block(indent: number): Yaml {
    const line = this.next();
    if (line === null || line.indent < indent) return null;
    if (isItem(line.text)) return this.list(line.indent);
    if (KEY.test(line.text)) return this.map(line.indent);
    this.at++;
    return this.scalar(line.text, indent - 1);
  }

  list(indent: number): Yaml[] {
    const items: Yaml[] = [];
    for (let line = this.next(); line?.indent === indent && isItem(line.text); line = this.next()) {
      const rest = line.text.slice(1).trimStart();
      if (/^(#.*)?$/.test(rest)) {
        this.at++;
        items.push(this.block(indent + 1));
      } else if (!/^['"]/.test(rest) && KEY.test(rest)) {
        // The map that begins on the line of its dash goes on below its first key.
        this.lines[this.at] = { indent: indent + line.text.length - rest.length, text: rest };
        items.push(this.map(indent + line.text.length - rest.length));
      } else {
        this.at++;
        items.push(this.scalar(rest, indent));
      }
    }
    return items;
  }

  map(indent: number): { [key: string]: Yaml } {
    const pairs: [string, Yaml][] = [];
    for (let line = this.next(); line?.indent === indent && !isItem(line.text); line = this.next()) {
      const [, key, rest = ''] = KEY.exec(line.text) ?? [];
      if (key === undefined) break;
      this.at++;
      pairs.push([/^['"]/.test(key) ? quotedText(key) : key, this.valueOf(rest, indent)]);
    }
    return Object.fromEntries(pairs);
  }

  valueOf(rest: string, indent: number): Yaml {
    if (!/^(#.*)?$/.test(rest)) return this.scalar(rest, indent);
    const below = this.next();
    const isBelow = below !== null && (below.indent > indent || (below.indent === indent && isItem(below.text)));
    return isBelow ? this.block(below.indent) : null;
  }

  /** A scalar that begins with `first`, and goes on in lines that are further in than `indent`. */
  scalar(first: string, indent: number): Yaml {
    const block = /^([|>])([-+]?)\s*(?:#.*)?$/.exec(first);
    if (block !== null) return this.blockScalar(block[1]!, block[2]!, indent);
    if (/^['"]/.test(first)) return quotedText(this.quotedLines(first));
    if (first.startsWith('[')) return flowList(first);
    const parts = [withoutComment(first)];
    let line = this.lines[this.at];
    while (line !== undefined && line.indent > indent && line.text !== '' && !line.text.startsWith('#')) {
      parts.push(withoutComment(line.text));
      line = this.lines[++this.at];
    }
    return plain(parts.join(' '));
  }

  /** Lines of a quoted scalar up to the one that ends it. */
  quotedLines(first: string): string {
    const quote = first[0]!;
    const whole = quote === "'" ? /^'(?:[^']|'')*'/ : /^"(?:[^"\\]|\\[\s\S])*"/;
    let text = first;
    while (!whole.test(text)) {
      const line = this.lines[this.at++];
      if (line === undefined) throw new Error('a quote that does not end');
      text =
        line.text === '' ? `${text}\n` : `${text.replace(/[ \t]+$/, '')}${text.endsWith('\n') ? '' : ' '}${line.text}`;
    }
    const [found] = whole.exec(text)!;
    if (!/^\s*(#.*)?$/.test(text.slice(found.length))) throw new Error(`after a quote: ${text}`);
    return found;
  }

  blockScalar(style: string, chomp: string, indent: number): string {
    const taken: Line[] = [];
    while (this.at < this.lines.length) {
      const line = this.lines[this.at]!;
      if (line.text !== '' && line.indent <= indent) break;
      taken.push(line);
      this.at++;
    }
    const base = Math.min(...taken.filter(({ text }) => text !== '').map((line) => line.indent));
    const texts = taken.map(({ indent: own, text }) => (text === '' ? '' : ' '.repeat(own - base) + text));
    const body = style === '|' ? texts.join('\n') : texts.join('\n').replace(/(?<=[^\n])\n(?=[^\n ])/g, ' ');
    const trimmed = body.replace(/\n+$/, '');
    return chomp === '-' ? trimmed : `${trimmed}\n`;
  }
}

function isItem(text: string): boolean {
  return text === '-' || text.startsWith('- ');
}

function withoutComment(text: string): string {
  return text.replace(/(^|\s+)#.*$/, '').trimEnd();
}

function quotedText(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  return JSON.parse(text.replace(/\n/g, '\\n')) as string;
}

function flowList(text: string): Yaml[] {
  const inner = /^\[(.*)\]\s*(?:#.*)?$/.exec(text)?.[1];
  if (inner === undefined || /[[\]{}]/.test(inner)) throw new Error(`a flow list of another kind: ${text}`);
  return inner.split(',').map((item) => (/^\s*['"]/.test(item) ? quotedText(item.trim()) : plain(item.trim())));
}

function plain(text: string): Yaml {
  if (['', '~', 'null', 'Null', 'NULL'].includes(text)) return null;
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
