import { DISTRIBUTIONS } from '../../analysis/packages/distributions.ts';
import { ECOSYSTEMS, findEcosystem } from '../../analysis/packages/ecosystems.ts';
import { UnreadableVersionError } from '../../analysis/packages/affected-range.ts';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { firstIssue, parseUtcTime } from '../fields.ts';
import { JsonDepthError, parseBoundedJson } from '../../analysis/bounded-json.ts';
import { readAllBytes, unzip } from '../unpack.ts';
import type { Upstream } from '../upstream.ts';
import { packageEntries, OsvAdvisory } from './advisory.ts';

const ARCHIVE = 'all.zip';
const ECOSYSTEMS_FILE = 'ecosystems.txt';
/** The largest archive is npm's: it has some hundred thousand small advisories of malicious packages. */
const MAX_FILES = 2_000_000;
const MAX_ADVISORY_BYTES = 16 * 1024 * 1024;

/** OSV: package advisories, one archive for each ecosystem; an archive is read only when it changed. */
export const osvFeed: Feed<'package_advisory'> = {
  id: 'osv',
  kind: 'package_advisory',
  title: 'OSV package advisories',
  addresses: ['https://osv-vulnerabilities.storage.googleapis.com/'],
  folder: 'osv',
  everyHours: 24,
  maxBytes: 512 * 1024 * 1024,
  maxUnpackedBytes: 4 * 1024 * 1024 * 1024,
  staleAfterDays: 7,
  async files(upstream) {
    return (await listEcosystems(upstream)).map((name) => feedFile(`${name}/${ARCHIVE}`));
  },
  async *parse(bytes, file, reporter) {
    const ecosystem = findEcosystem(file.name.slice(0, -`/${ARCHIVE}`.length));
    if (ecosystem === null) throw new FeedFormatError(`${file.name} is of no known ecosystem`);
    const limits = { ...osvFeed, maxEntries: MAX_FILES };
    let newest = '';
    let advisories = 0;
    for await (const entry of unzip(bytes, limits)) {
      if (!entry.name.endsWith('.json')) continue;
      advisories++;
      const what = entry.name.slice(0, 100);
      try {
        const text = (await readAllBytes(entry.bytes, MAX_ADVISORY_BYTES)).toString();
        const advisory = OsvAdvisory.safeParse(parseBoundedJson(text));
        if (!advisory.success) {
          reporter.skip(what, firstIssue(advisory.error));
          continue;
        }
        const modified = parseUtcTime(advisory.data.modified) ?? '';
        if (modified > newest) newest = modified;
        yield packageEntries(advisory.data, ecosystem);
      } catch (error) {
        if (!isRecordError(error)) throw error;
        reporter.skip(what, error.message.slice(0, 200));
      }
    }
    if (advisories === 0) throw new FeedFormatError(`no advisory in ${file.name}`);
    if (newest !== '') reporter.setDataTime(newest);
  },
};

/**
 * The supported ecosystems that the upstream lists (a mirror may have only some); those of languages if it has no list. The largest
 * distributions are read from mirrors alone.
 */
async function listEcosystems(upstream: Upstream): Promise<string[]> {
  const known = ECOSYSTEMS.map(({ name }) => name);
  const listed = await upstream.readText(ECOSYSTEMS_FILE);
  if (listed === null) return known;
  const offered = new Set(listed.split('\n').map((line) => line.trim()));
  const isOrigin = upstream.layout === 'origin';
  const distributions = DISTRIBUTIONS.filter(({ isMirroredOnly }) => !isOrigin || !isMirroredOnly);
  const names = [...known, ...distributions.map(({ name }) => name)].filter((name) => offered.has(name));
  if (names.length === 0) throw new FeedFormatError(`${ECOSYSTEMS_FILE} names none of ${known.join(', ')}`);
  return names;
}

/** Errors that concern one advisory; others concern the whole archive. */
function isRecordError(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof JsonDepthError || error instanceof UnreadableVersionError;
}
