import { z } from 'zod';
import { displayLineOrNull, displayText } from '../../analysis/display-text.ts';
import { CWE_ID } from '../cve-fields.ts';
import type { DocumentEntry } from '../entries.ts';
import { FeedFormatError, type ParseReporter } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import type { CapecPattern } from './attack-entries.ts';
import { externalId, readStixObjects, StixObject } from './stix.ts';

const CAPEC_ID = /^CAPEC-\d{1,5}$/;
const TECHNIQUE_ID = /^T\d{4}(?:\.\d{3})?$/;
/** Statuses of patterns that are not to be used any more. */
const WITHDRAWN = new Set(['Deprecated', 'Obsolete']);

const Pattern = StixObject.extend({
  x_capec_abstraction: z.string().nullish(),
  x_capec_likelihood_of_attack: z.string().nullish(),
  x_capec_typical_severity: z.string().nullish(),
  x_capec_status: z.string().nullish(),
  x_capec_version: z.string().nullish(),
});

/** CAPEC's attack patterns, each with the weaknesses that it uses and the ATT&CK techniques that it corresponds to. */
export async function readCapec(bytes: AsyncIterable<Uint8Array>, reporter: ParseReporter): Promise<DocumentEntry[]> {
  const entries: DocumentEntry[] = [];
  for await (const raw of readStixObjects(bytes, reporter)) {
    if (raw.type !== 'attack-pattern') continue;
    const pattern = Pattern.safeParse(raw);
    if (!pattern.success) {
      reporter.skip(String((raw as { id?: unknown }).id).slice(0, 80), firstIssue(pattern.error));
      continue;
    }
    if (pattern.data.x_capec_version != null) reporter.setNote('capec_version', pattern.data.x_capec_version);
    const entry = entryOf(pattern.data);
    if (entry !== null) entries.push(entry);
  }
  if (entries.length === 0) throw new FeedFormatError('no attack pattern in the bundle');
  return entries;
}

function entryOf(pattern: z.output<typeof Pattern>): DocumentEntry | null {
  const references = pattern.external_references;
  const capec_id = externalId(references, 'capec');
  if (capec_id === null || !CAPEC_ID.test(capec_id) || WITHDRAWN.has(pattern.x_capec_status ?? '')) return null;
  const idsOf = (source: string, form: RegExp): string[] => {
    const ids = references.filter(({ source_name }) => source_name === source).map(({ external_id }) => external_id);
    return [...new Set(ids.filter((id) => id !== undefined && form.test(id)))] as string[];
  };
  const body: CapecPattern = {
    capec_id,
    name: displayText(pattern.name, 200),
    abstraction: displayLineOrNull(pattern.x_capec_abstraction, 40),
    likelihood: displayLineOrNull(pattern.x_capec_likelihood_of_attack, 40),
    severity: displayLineOrNull(pattern.x_capec_typical_severity, 40),
    cwe_ids: idsOf('cwe', CWE_ID),
    technique_ids: idsOf('ATTACK', TECHNIQUE_ID),
  };
  return {
    collection: 'attack_capec',
    id: capec_id,
    title: body.name,
    text: capec_id,
    links: [
      ...body.cwe_ids.map((value) => ({ kind: 'cwe', value })),
      { kind: 'has_technique', value: body.technique_ids.length > 0 ? 'yes' : 'no' },
    ],
    body,
  };
}
