import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CWE_ID } from '../../src/feeds/cve-fields.ts';

const Text = z.string().min(10).max(600);
const CveId = z.string().regex(/^CVE-\d{4}-\d{4,7}$/);
const CweId = z.string().regex(CWE_ID);

const CveTexts = z.record(
  CveId,
  z.strictObject({
    title: Text,
    description: Text,
    kev: z.strictObject({ name: Text, summary: Text, action: Text }).optional(),
    /** Titles by Exploit-DB id. */
    exploits: z.record(z.string().regex(/^\d+$/), Text).optional(),
  }),
);

const CweTexts = z.record(
  CweId,
  z.strictObject({
    description: Text,
    /** Phase and text. */
    mitigations: z.array(z.tuple([z.string(), Text])).min(2),
    /** CVE id and text. */
    examples: z.array(z.tuple([CveId, Text])),
  }),
);

const Metric = z.tuple([
  z.enum(['2.0', '3.0', '3.1', '4.0']),
  z.string(),
  z.number().min(0).max(10),
  z.enum(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW']),
  z.string(),
  z.boolean(),
]);

const HandFacts = z.record(
  CveId,
  z.strictObject({
    published: z.iso.datetime().optional(),
    modified: z.iso.datetime().optional(),
    assigner: z.string().optional(),
    metrics: z.array(Metric).optional(),
    weaknesses: z.array(z.tuple([CweId, z.string()])).optional(),
    references: z.array(z.tuple([z.url(), z.array(z.string()), z.string()])).optional(),
    /** In the notation of `product-notation.ts`. */
    products: z.array(z.string()).optional(),
    /** Beginnings of `vendor:product:version:update:` that choose among the feed's products. */
    pick: z.array(z.string()).optional(),
    /** Parts of addresses that choose among the feed's references. */
    pick_references: z.array(z.string()).optional(),
  }),
);

export type CveText = z.infer<typeof CveTexts>[string];
export type CweText = z.infer<typeof CweTexts>[string];
export type HandFact = z.infer<typeof HandFacts>[string];

export interface HandWritten {
  cves: Map<string, CveText>;
  cwes: Map<string, CweText>;
  facts: Map<string, HandFact>;
}

/** Reads `texts/cve-*.json`, `texts/cwe.json` and `facts.json` of the starter folder; throws an `Error` with the first problem and its file. */
export function readHandWritten(folder: string): HandWritten {
  const cves = new Map<string, CveText>();
  for (const name of readdirSync(join(folder, 'texts')).sort()) {
    if (!name.startsWith('cve-')) continue;
    for (const [id, text] of Object.entries(read(join(folder, 'texts', name), CveTexts))) {
      if (cves.has(id)) throw new Error(`${id} is described twice`);
      cves.set(id, text);
    }
  }
  const facts = new Map(Object.entries(read(join(folder, 'facts.json'), HandFacts)));
  for (const id of facts.keys()) if (!cves.has(id)) throw new Error(`facts.json names ${id}, which no text describes`);
  return { cves, cwes: new Map(Object.entries(read(join(folder, 'texts', 'cwe.json'), CweTexts))), facts };
}

function read<T>(path: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success) throw new Error(`${path}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Every text of the starter with its id. */
export function* sentences({ cves, cwes }: HandWritten): Iterable<{ place: string; text: string }> {
  for (const [place, { title, description, kev, exploits }] of cves) {
    yield { place, text: title };
    yield { place, text: description };
    for (const text of Object.values(kev ?? {})) yield { place, text };
    for (const text of Object.values(exploits ?? {})) yield { place, text };
  }
  for (const [place, { description, mitigations, examples }] of cwes) {
    yield { place, text: description };
    for (const [, text] of [...mitigations, ...examples]) yield { place, text };
  }
}
