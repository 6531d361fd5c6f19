import type { CveFacts } from '../../analysis/cve/cve-facts.ts';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { type Feed, type FeedFile, FeedFormatError, type ParseReporter, recordFeed, type RecordText } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import { readAllBytes, unzip, type ZipEntry } from '../unpack.ts';
import { unzipStream } from '../unzip-stream.ts';
import { factsOfCveRecord } from './record.ts';
import { type CvelistFile, cvelistFiles, dataTimeOf, isBaseline } from './releases.ts';
import { CveRecord } from './schema.ts';

const RECORD_PATH = /(?:^|\/)CVE-\d{4}-\d{4,19}\.json$/;
const MAX_RECORD_BYTES = 16 * 1024 * 1024;
/** A delta is held in memory; a baseline is not. */
const DELTA_LIMITS = { maxBytes: 256 * 1024 ** 2, maxUnpackedBytes: 2 * 1024 ** 3, maxEntries: 400_000 };
const BASELINE_LIMITS = { maxUnpackedBytes: 16 * 1024 ** 3, maxEntries: 2_000_000 };
const BATCH_SIZE = 100;

/** The CVE List's releases: one baseline with all records, and deltas after it. */
export const cvelistFeed: Feed<'cve'> = {
  id: 'cvelist',
  kind: 'cve',
  title: 'CVE List V5',
  addresses: ['https://api.github.com/repos/CVEProject/cvelistV5/'],
  folder: 'cvelistV5',
  everyHours: 2,
  maxBytes: 1024 ** 3,
  maxUnpackedBytes: BASELINE_LIMITS.maxUnpackedBytes,
  staleAfterDays: 3,
  files: cvelistFiles,
  ...recordFeed({ split, parseRecord }),
};

async function* split(
  bytes: AsyncIterable<Uint8Array>,
  file: FeedFile,
  reporter: ParseReporter,
): AsyncIterable<RecordText[]> {
  const dataTime = dataTimeOf(file);
  if (dataTime !== null) reporter.setDataTime(dataTime);
  let records = 0;
  let batch: RecordText[] = [];
  for await (const entry of isBaseline(file) ? baselineEntries(bytes) : unzip(bytes, DELTA_LIMITS)) {
    if (!RECORD_PATH.test(entry.name)) continue;
    records++;
    const json = await readAllBytes(entry.bytes, MAX_RECORD_BYTES);
    batch.push({ name: entry.name.slice(entry.name.lastIndexOf('/') + 1), json });
    if (batch.length < BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
  if (records === 0 && isBaseline(file)) throw new FeedFormatError('the baseline holds no records');
  for (const [name, text] of Object.entries(notesOf(file))) reporter.setNote(name, text);
}

function notesOf(file: FeedFile | CvelistFile): Record<string, string> {
  return 'notes' in file ? file.notes : {};
}

/** The files of the zip in the zip. */
async function* baselineEntries(bytes: AsyncIterable<Uint8Array>): AsyncIterable<ZipEntry> {
  for await (const entry of unzipStream(bytes, { ...BASELINE_LIMITS, maxEntries: 10 })) {
    if (entry.name.endsWith('.zip')) yield* unzipStream(entry.bytes, BASELINE_LIMITS);
  }
}

function parseRecord({ name, json }: RecordText, reporter: Pick<ParseReporter, 'skip'>): CveFacts | null {
  let document: unknown;
  try {
    document = parseBoundedJson(new TextDecoder().decode(json));
  } catch {
    reporter.skip(name!, 'malformed JSON');
    return null;
  }
  const record = CveRecord.safeParse(document);
  if (record.success) return factsOfCveRecord(record.data);
  reporter.skip(name!, firstIssue(record.error));
  return null;
}
