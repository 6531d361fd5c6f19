import type { CveFacts } from '../../analysis/cve/cve-facts.ts';
import { verifySha256 } from '../verify-sha256.ts';
import {
  type Feed,
  type FeedFile,
  feedFile,
  FeedFormatError,
  type ParseReporter,
  type PreviousSync,
  recordFeed,
  type RecordText,
} from '../feed.ts';
import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { gunzip } from '../unpack.ts';
import type { Upstream } from '../upstream.ts';
import { factsOfNvdRecord } from './record.ts';
import { splitRecords } from './split-records.ts';

const FIRST_YEAR = 2002;
const MAX_RECORD_BYTES = 32 * 1024 * 1024;

/**
 * NVD JSON 2.0 data feeds: one file a year, and `modified` and `recent` with the changes of the last eight days.
 * Each has a `.meta` file with the SHA-256 of its content: a file is fetched only when that has changed.
 */
export const nvdFeed: Feed<'cve'> = {
  id: 'nvd',
  kind: 'cve',
  title: 'NVD JSON 2.0 feeds',
  addresses: ['https://nvd.nist.gov/feeds/json/cve/2.0/'],
  folder: 'nvd',
  everyHours: 2,
  maxBytes: 256 * 1024 * 1024,
  maxUnpackedBytes: 2 * 1024 ** 3,
  staleAfterDays: 3,
  files,
  ...recordFeed({ split, parseRecord }),
};

async function* split(
  bytes: AsyncIterable<Uint8Array>,
  file: FeedFile,
  reporter: ParseReporter,
): AsyncIterable<RecordText[]> {
  const content = verifySha256(gunzip(bytes, nvdFeed), file.sha256);
  for await (const parts of splitRecords(content, MAX_RECORD_BYTES)) {
    const records: RecordText[] = [];
    for (const { kind, json } of parts) {
      if (kind === 'head') readDocumentHead(json.toString(), reporter);
      else records.push({ name: null, json });
    }
    yield records;
  }
}

async function files(upstream: Upstream, previous: PreviousSync): Promise<FeedFile[]> {
  const years: FeedFile[] = [];
  // The list ends at the first year without a file, so a new year is found without a change here.
  for (let year = FIRST_YEAR; ; year++) {
    const file = await fileOf(upstream, String(year), 'whole');
    if (file === null) break;
    years.push(file);
  }
  if (years.length === 0) throw new FeedFormatError(`no nvdcve-2.0-${FIRST_YEAR}.meta at this address`);
  // A missing year in the middle must not be taken for the end of the list.
  const end = FIRST_YEAR + years.length;
  const hadLaterYears = [...previous.files].some((name) => Number(/-(\d{4})\.json/.exec(name)?.[1]) >= end);
  if (hadLaterYears || (await upstream.readText(`nvdcve-2.0-${end + 1}.meta`)) !== null) {
    throw new FeedFormatError(`nvdcve-2.0-${end}.meta is missing, and later years are not`);
  }
  const changes = [await fileOf(upstream, 'modified', 'delta'), await fileOf(upstream, 'recent', 'delta')];
  return [...years, ...changes.filter((file) => file !== null)];
}

async function fileOf(upstream: Upstream, part: string, extent: FeedFile['extent']): Promise<FeedFile | null> {
  const meta = await upstream.readText(`nvdcve-2.0-${part}.meta`);
  if (meta === null) return null;
  const sha256 = /^sha256:([0-9a-f]{64})\s*$/im.exec(meta)?.[1]?.toLowerCase();
  if (sha256 === undefined) throw new FeedFormatError(`nvdcve-2.0-${part}.meta has no sha256 line`);
  return feedFile(`nvdcve-2.0-${part}.json.gz`, { fingerprint: sha256, extent, sha256 });
}

function readDocumentHead(json: string, reporter: ParseReporter): void {
  let head: { format?: unknown; timestamp?: unknown; totalResults?: unknown; vulnerabilities?: unknown };
  try {
    head = parseBoundedJson(json) as typeof head;
  } catch {
    throw new FeedFormatError('not a JSON document');
  }
  if (head.format !== 'NVD_CVE' || !Array.isArray(head.vulnerabilities)) {
    throw new FeedFormatError('JSON, but not an NVD CVE 2.0 feed ("format": "NVD_CVE" with "vulnerabilities")');
  }
  if (typeof head.timestamp === 'string') reporter.setDataTime(`${head.timestamp.replace(/Z$/, '')}Z`);
  if (typeof head.totalResults === 'number') reporter.setExpectedCount(head.totalResults);
}

function utf8Text({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString();
}

function parseRecord({ json }: RecordText, reporter: Pick<ParseReporter, 'skip'>): CveFacts | null {
  try {
    return factsOfNvdRecord(parseBoundedJson(utf8Text(json)));
  } catch (error) {
    const id = /"id"\s*:\s*"(CVE-[\d-]{1,30})"/.exec(utf8Text(json.subarray(0, 400)))?.[1] ?? 'a record without an id';
    reporter.skip(id, error instanceof Error ? error.message : String(error));
    return null;
  }
}
