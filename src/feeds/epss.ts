import type { EpssEntry } from './entries.ts';
import { type Feed, feedFile, FeedFormatError, type ParseReporter } from './feed.ts';
import { canonicalCveId, parseUtcTime } from './fields.ts';
import { readLines } from './read-lines.ts';
import { gunzip } from './unpack.ts';

const FILE_NAME = 'epss_scores-current.csv.gz';
const HEADER = 'cve,epss,percentile';

/** FIRST's EPSS scores of all CVEs: `#model_version:…,score_date:…`, a header, then one row a CVE. */
export const epssFeed: Feed<'epss'> = {
  id: 'epss',
  kind: 'epss',
  title: 'FIRST EPSS scores',
  addresses: ['https://epss.empiricalsecurity.com/'],
  folder: 'epss',
  everyHours: 2,
  maxBytes: 64 * 1024 * 1024,
  maxUnpackedBytes: 256 * 1024 * 1024,
  staleAfterDays: 4,
  files: async () => [feedFile(FILE_NAME)],
  async *parse(bytes, _file, reporter) {
    let lineNumber = 0;
    for await (const lines of readLines(gunzip(bytes, epssFeed))) {
      const entries: EpssEntry[] = [];
      for (const line of lines) {
        lineNumber++;
        if (lineNumber === 1) readModelLine(line, reporter);
        else if (lineNumber === 2) requireHeader(line);
        else if (line !== '') {
          const entry = parseRow(line);
          if (entry !== null) entries.push(entry);
          else reporter.skip(`line ${lineNumber}`, `not a CVE id and two numbers from 0 to 1: ${line.slice(0, 60)}`);
        }
      }
      yield entries;
    }
    if (lineNumber < 2) throw new FeedFormatError('the file has no rows');
  },
};

function readModelLine(line: string, reporter: ParseReporter): void {
  const model = /^#\s*model_version:([^,]+),\s*score_date:(.+)$/.exec(line);
  const scoreDate = parseUtcTime(model?.[2]?.trim());
  if (model?.[1] === undefined || scoreDate === null) {
    throw new FeedFormatError('the first line is not "#model_version:…,score_date:…"');
  }
  reporter.setNote('model_version', model[1].trim());
  reporter.setDataTime(scoreDate);
}

function requireHeader(line: string): void {
  if (line !== HEADER) throw new FeedFormatError(`the second line is not "${HEADER}"`);
}

/** Null if the line is not a CVE id and two numbers from 0 to 1. */
function parseRow(line: string): EpssEntry | null {
  const first = line.indexOf(',');
  const second = line.indexOf(',', first + 1);
  if (first === -1 || second === -1) return null;
  const cveId = canonicalCveId(line.slice(0, first));
  const score = parseFraction(line.slice(first + 1, second));
  const percentile = parseFraction(line.slice(second + 1));
  return cveId === null || score === null || percentile === null ? null : { cve_id: cveId, score, percentile };
}

function parseFraction(text: string): number | null {
  const value = text === '' ? Number.NaN : Number(text);
  return value >= 0 && value <= 1 ? value : null;
}
