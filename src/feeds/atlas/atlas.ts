import { load } from 'js-yaml';
import type { z } from 'zod';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { firstIssue, parseRecords } from '../fields.ts';
import { looksLikeHtml, unexpectedContentError, readAllBytes } from '../unpack.ts';
import { caseStudyEntry } from './case-study.ts';
import { AtlasMatrix } from './matrix.ts';
import { CaseStudyRecord, AtlasDocument, MitigationRecord, TacticRecord, TechniqueRecord } from './schema.ts';
import { techniqueEntry } from './technique.ts';

const FILE_NAME = 'ATLAS.yaml';
const YAML_LIMITS = { maxDepth: 40, maxAliases: 10 };

/** MITRE ATLAS: techniques against AI systems and case studies of their use, one YAML document. */
export const atlasFeed: Feed<'document'> = {
  id: 'atlas',
  kind: 'document',
  title: 'MITRE ATLAS',
  addresses: ['https://raw.githubusercontent.com/mitre-atlas/atlas-data/main/dist/'],
  folder: 'atlas',
  everyHours: 168,
  maxBytes: 32 * 1024 * 1024,
  maxUnpackedBytes: 32 * 1024 * 1024,
  staleAfterDays: null,
  files: async () => [feedFile(FILE_NAME)],
  async *parse(bytes, _file, reporter) {
    const document = AtlasDocument.safeParse(parseYaml(await readAllBytes(bytes, atlasFeed.maxUnpackedBytes)));
    if (!document.success) throw new FeedFormatError(`YAML, but not the ATLAS catalog: ${firstIssue(document.error)}`);
    const { version, matrices, 'case-studies': caseStudies } = document.data;
    const read = <Schema extends z.ZodType>(schema: Schema, records: readonly unknown[]): z.output<Schema>[] =>
      parseRecords(schema, records, reporter, { what: 'record', idField: 'id' });
    const tactics = matrices.flatMap((part) => part.tactics);
    const techniques = matrices.flatMap((part) => part.techniques);
    const mitigations = matrices.flatMap((part) => part.mitigations ?? []);
    const matrix = new AtlasMatrix(
      read(TacticRecord, tactics),
      read(TechniqueRecord, techniques),
      read(MitigationRecord, mitigations),
    );
    const studies = read(CaseStudyRecord, caseStudies);
    const newest = matrix.techniques
      .flatMap(({ created_date, modified_date }) => modified_date ?? created_date ?? [])
      .sort()
      .at(-1);
    if (newest !== undefined) reporter.setDataTime(newest);
    reporter.setNote('version', version);
    yield matrix.techniques.map((technique) => techniqueEntry(technique, matrix));
    yield studies.map((study) => caseStudyEntry(study, matrix));
  },
};

function parseYaml(content: Buffer): unknown {
  if (content.length === 0 || looksLikeHtml(content)) throw unexpectedContentError('YAML', content);
  try {
    return load(new TextDecoder().decode(content), YAML_LIMITS);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new FeedFormatError(`the YAML cannot be read: ${reason.slice(0, 120)}`);
  }
}
