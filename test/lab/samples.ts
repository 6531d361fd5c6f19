import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sharedPath } from '../support/shared.ts';

export interface Sample {
  /** File name without its last ending. */
  name: string;
  text: string;
}

const read = new Map<string, Sample[]>();

/** Recorded answers in a folder of the shared test data, whose names begin so; none where the data is absent. */
export function samples(folder: string, beginning = ''): Sample[] {
  if (!read.has(folder)) {
    const path = sharedPath('feeds', ...folder.split('/'));
    const files = path === null ? [] : readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile());
    const found = files.map(({ name }) => ({
      name: basename(name).replace(/\.(json|txt)$/, ''),
      text: readFileSync(join(path!, name), 'utf8'),
    }));
    read.set(folder, found);
  }
  return read.get(folder)!.filter(({ name }) => name.startsWith(beginning));
}

/** One recorded answer, as text; null where the data is absent. */
export function sample(folder: string, name: string): string | null {
  return samples(folder).find((entry) => entry.name === name)?.text ?? null;
}
