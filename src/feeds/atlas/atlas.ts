import { load } from 'js-yaml';
import type { z } from 'zod';
import type { DocumentEntry } from '../entries.ts';
import { type Feed, type FeedFile, FeedFormatError, type ParseReporter } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import { looksLikeHtml, unexpectedContentError, readAllBytes } from '../unpack.ts';
import { caseStudyEntry } from './case-study.ts';
import { AtlasMatrix } from './matrix.ts';
import { CaseStudyRecord, AtlasDocument, MitigationRecord, TacticRecord, TechniqueRecord } from './schema.ts';
import { techniqueEntry } from './technique.ts';

const FILE_NAME = 'ATLAS.yaml';
const MAX_BYTES = 32 * 1024 * 1024;
const YAML_LIMITS = { maxDepth: 40, maxAliases: 10 };

/** MITRE ATLAS: techniques against AI systems and case studies of their use, one YAML document. */
export const atlasFeed: Feed<'document'> = {
  id: 'atlas',
  kind: 'document',
  title: 'MITRE ATLAS',
  addresses: ['https://raw.githubusercontent.com/mitre-atlas/atlas-data/main/dist/'],
  folder: 'atlas',
  everyHours: 168,
  maxBytes: MAX_BYTES,
  maxUnpackedBytes: MAX_BYTES,
  staleAfterDays: null,
  async files(): Promise<FeedFile[]> {
    return [{ name: FILE_NAME, path: FILE_NAME, fingerprint: null, extent: 'whole', sha256: null }];
  },
  parse,
};

async function* parse(
  bytes: AsyncIterable<Uint8Array>,
  _file: FeedFile,
  tally: ParseReporter,
): AsyncIterable<DocumentEntry[]> {
  const document = AtlasDocument.safeParse(parseYaml(await readAllBytes(bytes, MAX_BYTES)));
  if (!document.success) throw new FeedFormatError(`YAML, but not the ATLAS catalog: ${firstIssue(document.error)}`);
  const { version, matrices, 'case-studies': caseStudies } = document.data;
  const matrix = new AtlasMatrix(
    parseRecords(
      TacticRecord,
      matrices.flatMap(({ tactics }) => tactics),
      tally,
    ),
    parseRecords(
      TechniqueRecord,
      matrices.flatMap(({ techniques }) => techniques),
      tally,
    ),
    parseRecords(
      MitigationRecord,
      matrices.flatMap(({ mitigations }) => mitigations ?? []),
      tally,
    ),
  );
  const studies = parseRecords(CaseStudyRecord, caseStudies, tally);
  const newest = matrix.techniques
    .flatMap(({ created_date, modified_date }) => modified_date ?? created_date ?? [])
    .sort()
    .at(-1);
  if (newest !== undefined) tally.setDataTime(newest);
  tally.setNote('version', version);
  yield matrix.techniques.map((technique) => techniqueEntry(technique, matrix));
  yield studies.map((study) => caseStudyEntry(study, matrix));
}

function parseYaml(content: Buffer): unknown {
  if (content.length === 0 || looksLikeHtml(content)) throw unexpectedContentError('YAML', content);
  try {
    return load(new TextDecoder().decode(content), YAML_LIMITS);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new FeedFormatError(`the YAML cannot be read: ${reason.slice(0, 120)}`);
  }
}

/** The records that fit their schema; the others are skipped and counted. */
function parseRecords<Schema extends z.ZodType>(
  schema: Schema,
  records: readonly unknown[],
  tally: ParseReporter,
): z.output<Schema>[] {
  const fitting: z.output<Schema>[] = [];
  for (const [index, raw] of records.entries()) {
    const record = schema.safeParse(raw);
    if (record.success) fitting.push(record.data);
    else tally.skip(recordName(raw) ?? `record ${index + 1}`, firstIssue(record.error));
  }
  return fitting;
}

function recordName(raw: unknown): string | null {
  const id = (raw as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? id.slice(0, 30) : null;
}
