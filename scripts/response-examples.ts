/** Writes the response examples of the documentation, one operation a line: `npm run examples`. */
import { writeFileSync } from 'node:fs';
import { collectResponseExamples } from '../test/support/response-examples.ts';

const FILE = new URL('../src/operations/response-examples.json', import.meta.url);

const ends: (() => void | Promise<void>)[] = [];
const examples = await collectResponseExamples({ after: (end) => ends.push(end) });
for (const end of ends.toReversed()) await end();
const lines = Object.entries(examples).map(([id, example]) => `${JSON.stringify(id)}: ${JSON.stringify(example)}`);
writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
