import { readdirSync, readFileSync } from 'node:fs';
import type { FindingType } from '../../../src/analysis/injection/findings.ts';

/** A piece of code, and what a reviewer finds in it: `3 sql_injection`. */
export interface Snippet {
  readonly language: string;
  readonly title: string;
  readonly code: string;
  readonly expected: readonly string[];
}

const LABELS: Record<string, FindingType | 'unfollowed'> = {
  sql: 'sql_injection',
  command: 'command_injection',
  path: 'path_traversal',
  unfollowed: 'unfollowed',
};

/** Snippets begin with `=== title`; a line with ` <<< sql` at its end holds an injection. */
export function labelledSnippets(folder: 'snippets' | 'exact' = 'snippets'): Snippet[] {
  const url = new URL(`${folder}/`, import.meta.url);
  return readdirSync(url).flatMap((file) => {
    const language = file.replace(/\.txt$/, '');
    const [, ...blocks] = readFileSync(new URL(file, url), 'utf8').split(/^=== /m);
    return blocks.map((block) => snippet(language, block));
  });
}

function snippet(language: string, block: string): Snippet {
  const [title = '', ...lines] = block.trimEnd().split('\n');
  const expected: string[] = [];
  const code = lines.map((line, at) => {
    const [written = '', labels] = line.split(/ <<< /);
    for (const label of labels?.split(' ') ?? []) {
      const type = LABELS[label];
      if (type === undefined) throw new Error(`${language}, ${title}: no label ${label}`);
      expected.push(`${at + 1} ${type}`);
    }
    return written;
  });
  return { language, title, code: code.join('\n'), expected };
}
