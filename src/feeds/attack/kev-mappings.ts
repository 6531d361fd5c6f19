import { z } from 'zod';
import { displayLineOrNull } from '../../analysis/display-text.ts';
import type { DocumentCollection, DocumentEntry } from '../entries.ts';
import { FeedFormatError, type ParseReporter } from '../feed.ts';
import { CanonicalCveId, firstIssue, parseRecords, readJson } from '../fields.ts';
import type { MappingRole } from '../../analysis/detection/technique-evidence.ts';
import type { CveTechniqueMapping } from './attack-entries.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_COMMENT_CHARS = 400;
const ROLES: readonly MappingRole[] = ['exploitation_technique', 'primary_impact', 'secondary_impact', 'uncategorized'];

const Document = z.object({
  metadata: z.object({ attack_version: z.string().max(20), mapping_framework_version: z.string().max(20) }),
  mapping_objects: z.array(z.unknown()).max(100_000),
});
const Mapping = z.object({
  capability_id: CanonicalCveId,
  mapping_type: z.string(),
  attack_object_id: z.string().regex(/^T\d{4}(?:\.\d{3})?$/),
  attack_object_name: z.string().nullish(),
  comments: z.string().nullish(),
});

/** Mappings Explorer: the techniques by which a known-exploited CVE is exploited, and what the exploitation leads to. */
export async function readKevMappings(
  bytes: AsyncIterable<Uint8Array>,
  collection: DocumentCollection,
  reporter: ParseReporter,
): Promise<DocumentEntry[]> {
  const document = Document.safeParse(await readJson(bytes, MAX_BYTES));
  if (!document.success) throw new FeedFormatError(`JSON, but no mappings to ATT&CK: ${firstIssue(document.error)}`);
  const { metadata, mapping_objects } = document.data;
  // Some objects name a CVE without a mapped technique.
  const named = mapping_objects.filter((raw) => (raw as { attack_object_id?: unknown } | null)?.attack_object_id);
  const mappings = parseRecords(Mapping, named, reporter, { what: 'mapping', idField: 'capability_id' });
  reporter.setNote('kev_mappings', `${metadata.mapping_framework_version}, to ATT&CK ${metadata.attack_version}`);
  const rows = mappings.map(({ capability_id, mapping_type, attack_object_id, attack_object_name, comments }) => ({
    cve_id: capability_id,
    technique_id: attack_object_id,
    name: displayLineOrNull(attack_object_name),
    role: ROLES.find((role) => role === mapping_type) ?? 'uncategorized',
    comment: displayLineOrNull(comments, MAX_COMMENT_CHARS),
  }));
  return mappingEntries(rows, collection);
}

/** One document for each CVE. */
export function mappingEntries(
  rows: readonly ({ cve_id: string } & CveTechniqueMapping['techniques'][number])[],
  collection: DocumentCollection,
): DocumentEntry[] {
  return [...Map.groupBy(rows, ({ cve_id }) => cve_id)].map(([cve_id, ofCve]) => {
    const body: CveTechniqueMapping = { cve_id, techniques: ofCve.map(({ cve_id: _, ...technique }) => technique) };
    const links = body.techniques.map(({ technique_id }) => ({ kind: 'technique', value: technique_id }));
    return { collection, id: cve_id, title: cve_id, text: '', links, body };
  });
}
