/**
 * Cases written beside the rules: `*.txt`, each case after a line `=== path | about`. `⟦…⟧` is a secret, `⟪…⟫` looks like one and is none; random
 * parts are stand-ins as in the examples of rules, `<<b64 …>>` is base64 of what is in it, so that nothing live-looking stands in a file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chance } from '../../../../test/support/random.ts';
import { fillIn } from '../../../../test/analysis/secrets/stand-ins.ts';
import type { SecretCase } from '../secret-case.ts';

/** Other braces belong to the text. */
const STAND_IN = /\{(?:[nbhulad]:\d+|uuid|jwt|json|pem|discord|crc62|crchex|age)\}/g;

export function cases(): SecretCase[] {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.txt'));
  return files.flatMap((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8')
      .split(/^=== /m)
      .slice(1)
      .map(readCase),
  );
}

function readCase(part: string, index: number): SecretCase {
  const headEnd = part.indexOf('\n');
  const [path = '', about = ''] = part.slice(0, headEnd).split(' | ');
  const draw = chance(index + 1).next;
  const marked = part
    .slice(headEnd + 1)
    .replace(STAND_IN, (standIn) => fillIn(standIn, draw))
    .replace(/\{H:(\d+)\}/g, (_, length) => fillIn(`{h:${length}}`, draw).toUpperCase())
    .replace(/<<b64 (.*?)>>/gs, (_, text: string) => Buffer.from(text).toString('base64'));
  const secrets: { line: number; value: string }[] = [];
  const clean: { line: number; value: string }[] = [];
  marked.split('\n').forEach((line, at) => {
    for (const [, secret, harmless] of line.matchAll(/⟦([^⟧]*)⟧|⟪([^⟫]*)⟫/g)) {
      if (secret !== undefined) secrets.push({ line: at + 1, value: secret });
      else clean.push({ line: at + 1, value: harmless! });
    }
  });
  return { path, about, text: marked.replace(/[⟦⟧⟪⟫]/g, ''), secrets, clean };
}
