import { z } from 'zod';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { defenseEntries } from './defense-entries.ts';
import { readJsonSequence } from './json-sequence.ts';
import { addMappings, type MappedDefense, MappingsDocument } from './mappings.ts';
import { type Ontology, parseOntology } from './ontology.ts';
import { MAX_PART_BYTES, openD3fendSequence } from './open-d3fend-sequence.ts';

const MissingAnswer = z.object({ missing: z.string() });

/**
 * MITRE D3FEND: defensive techniques and the ATT&CK techniques that they counter. The ontology describes the techniques, the
 * inferred mappings connect them with ATT&CK. Both are read as one file: a sequence of JSON texts (RFC 7464).
 */
export const d3fendFeed: Feed<'document'> = {
  id: 'd3fend',
  kind: 'document',
  title: 'MITRE D3FEND',
  addresses: ['https://d3fend.mitre.org/'],
  folder: 'd3fend',
  everyHours: 168,
  maxBytes: MAX_PART_BYTES,
  maxUnpackedBytes: MAX_PART_BYTES,
  staleAfterDays: null,
  files: async (upstream) => [feedFile('d3fend', { open: (validator) => openD3fendSequence(upstream, validator) })],
  async *parse(bytes, _file, reporter) {
    let ontology: Ontology | null = null;
    const mapped = new Map<string, MappedDefense>();
    for await (const document of readJsonSequence(bytes, MAX_PART_BYTES)) {
      if (typeof document === 'object' && document !== null && '@graph' in document) {
        ontology = parseOntology(document);
        continue;
      }
      const missing = MissingAnswer.safeParse(document);
      const mappings = MappingsDocument.safeParse(document);
      if (mappings.success) addMappings(mappings.data.results.bindings, mapped, reporter);
      else if (missing.success) reporter.skip(missing.data.missing, 'nothing at its address');
      else throw new FeedFormatError('JSON, but neither an ontology nor mappings');
    }
    if (ontology === null || ontology.techniques.size === 0)
      throw new FeedFormatError('there is no ontology of defenses in it');
    if (mapped.size === 0) throw new FeedFormatError('there are no mappings in it');
    reporter.setRecordCount([...mapped.values()].reduce((pairs, { attacks }) => pairs + attacks.size, 0));
    if (ontology.released !== null) reporter.setDataTime(ontology.released);
    if (ontology.version !== null) reporter.setNote('version', ontology.version);
    yield defenseEntries(ontology, mapped);
  },
};
