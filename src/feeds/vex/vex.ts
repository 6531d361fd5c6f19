import { parseBoundedJson } from '../../analysis/bounded-json.ts';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { firstIssue } from '../fields.ts';
import { openFirstExisting } from '../open-first-existing.ts';
import { readTar } from '../read-tar.ts';
import { gunzip } from '../unpack.ts';
import { OpenVexDocument, statementsOf, timeOf } from './openvex.ts';

const ARCHIVE = 'vexhub-main.tar.gz';
const DOCUMENT = /\/pkg\/.*\.json$/;
const MANIFEST = /\/manifest\.json$/;
const MAX_DOCUMENTS = 50_000;
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

/** VEX Hub: what makers of packages and images say of CVEs in them, as OpenVEX documents in one archive. */
export const vexFeed: Feed<'vex'> = {
  id: 'vex',
  kind: 'vex',
  title: 'VEX Hub',
  addresses: ['https://codeload.github.com/aquasecurity/vexhub/tar.gz/refs/heads/'],
  folder: 'vex',
  everyHours: 24,
  maxBytes: 128 * 1024 * 1024,
  maxUnpackedBytes: 1024 ** 3,
  staleAfterDays: null,
  async files(upstream) {
    const paths = upstream.layout === 'origin' ? ['main'] : [ARCHIVE];
    return [feedFile(ARCHIVE, { open: (validator) => openFirstExisting(upstream, paths, validator) })];
  },
  async *parse(bytes, _file, reporter) {
    const limits = { maxFiles: MAX_DOCUMENTS, maxFileBytes: MAX_DOCUMENT_BYTES };
    const isDocument = (path: string): boolean => DOCUMENT.test(path) && !MANIFEST.test(path);
    let documents = 0;
    let newest = '';
    for await (const { name, content } of readTar(gunzip(bytes, vexFeed), limits, isDocument)) {
      const what = name.slice(-100);
      const document = OpenVexDocument.safeParse(parseOrNull(content.toString('utf8')));
      if (!document.success) {
        reporter.skip(what, firstIssue(document.error));
        continue;
      }
      documents++;
      const time = timeOf(document.data) ?? '';
      if (time > newest) newest = time;
      yield statementsOf(document.data, (why) => reporter.skip(what, why));
    }
    if (documents === 0) throw new FeedFormatError('no OpenVEX document in the archive');
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
