import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { firstIssue, parseUtcTime } from '../fields.ts';
import { openFirstExisting } from '../open-first-existing.ts';
import { readBytesUpTo, unzip } from '../unpack.ts';
import { CsafDocument, statementsOf } from './csaf-advisory.ts';

const ARCHIVE = 'CSAF-develop.zip';
const ADVISORY = /\/csaf_files\/[^/]+\/white\/\d{4}\/[^/]+\.json$/;
const MAX_FILES = 200_000;
const MAX_ADVISORY_BYTES = 32 * 1024 * 1024;

/** CISA's security advisories and VEX documents in CSAF 2.0, one archive: which products of which vendors a CVE affects. */
export const csafFeed: Feed<'vex'> = {
  id: 'csaf',
  kind: 'vex',
  title: 'CISA CSAF advisories',
  addresses: ['https://codeload.github.com/cisagov/CSAF/zip/refs/heads/'],
  folder: 'csaf',
  everyHours: 24,
  maxBytes: 256 * 1024 * 1024,
  maxUnpackedBytes: 2 * 1024 ** 3,
  staleAfterDays: null,
  async files(upstream) {
    const paths = upstream.layout === 'origin' ? ['develop'] : [ARCHIVE];
    return [feedFile(ARCHIVE, { open: (validator) => openFirstExisting(upstream, paths, validator) })];
  },
  async *parse(bytes, _file, reporter) {
    let documents = 0;
    let newest = '';
    for await (const entry of unzip(bytes, { ...csafFeed, maxEntries: MAX_FILES })) {
      if (!ADVISORY.test(entry.name)) continue;
      const content = await readBytesUpTo(entry.bytes, MAX_ADVISORY_BYTES);
      const document = CsafDocument.safeParse(content === null ? null : parseOrNull(content.toString('utf8')));
      if (!document.success) {
        reporter.skip(entry.name.slice(-100), firstIssue(document.error));
        continue;
      }
      documents++;
      const time = parseUtcTime(document.data.document.tracking.current_release_date) ?? '';
      if (time > newest) newest = time;
      yield statementsOf(document.data);
    }
    if (documents === 0) throw new FeedFormatError('no CSAF document in the archive');
    if (newest !== '') reporter.setDataTime(newest);
  },
};

function parseOrNull(text: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch {
    return null;
  }
}
