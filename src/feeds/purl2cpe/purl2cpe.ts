import { normalizeCpeToken } from '../../analysis/cve/cpe.ts';
import type { ProductPurlsEntry } from '../entries.ts';
import { type Feed, feedFile, FeedFormatError } from '../feed.ts';
import { openFirstExisting } from '../open-first-existing.ts';
import { readTar } from '../read-tar.ts';
import { gunzip } from '../unpack.ts';

const ARCHIVE = 'purl2cpe-main.tar.gz';
const PURLS_FILE = /^[^/]+\/data\/([^/]+)\/([^/]+)\/purls\.yml$/;
const MAX_PRODUCTS = 200_000;
const MAX_FILE_BYTES = 256 * 1024;
const MAX_PURL_CHARS = 512;
/** `- pkg:type/namespace/name`, one a line: the only form that these files have. */
const PURL_LINE = /^\s*-\s+["']?(pkg:[a-z0-9.+-]+\/[^\s"'?#]+)/i;
/** Not types of package URLs, or misspelt ones, in the data. */
const TYPE_SPELLINGS: Readonly<Record<string, string>> = { githubm: 'github', dokcer: 'docker', nugget: 'nuget' };

/**
 * SCANOSS purl2cpe: the package URLs of the products that CPE names denote. In the archive a folder is `vendor/product`; its
 * list of CPE names only repeats that, with all versions, and is not read.
 */
export const purl2cpeFeed: Feed<'product_purls'> = {
  id: 'purl2cpe',
  kind: 'product_purls',
  title: 'SCANOSS purl2cpe',
  addresses: ['https://codeload.github.com/scanoss/purl2cpe/tar.gz/refs/heads/'],
  folder: 'purl2cpe',
  everyHours: 168,
  maxBytes: 64 * 1024 * 1024,
  maxUnpackedBytes: 1024 ** 3,
  staleAfterDays: null,
  async files(upstream) {
    const paths = upstream.layout === 'origin' ? ['main'] : [ARCHIVE];
    return [feedFile(ARCHIVE, { open: (validator) => openFirstExisting(upstream, paths, validator) })];
  },
  async *parse(bytes, _file, reporter) {
    const limits = { maxFiles: MAX_PRODUCTS, maxFileBytes: MAX_FILE_BYTES };
    let products = 0;
    for await (const { name, content } of readTar(gunzip(bytes, purl2cpeFeed), limits, (path) =>
      PURLS_FILE.test(path),
    )) {
      const [, vendor = '', product = ''] = PURLS_FILE.exec(name) ?? [];
      const purls = purlsIn(content.toString('utf8'));
      if (purls.length === 0) {
        reporter.skip(`${vendor}/${product}`.slice(0, 100), 'it has no package URL');
        continue;
      }
      products++;
      const entry: ProductPurlsEntry = {
        vendor: normalizeCpeToken(vendor),
        product: normalizeCpeToken(product),
        purls,
      };
      yield [entry];
    }
    if (products === 0) throw new FeedFormatError('no list of package URLs in the archive');
  },
};

function purlsIn(text: string): string[] {
  const purls = text.split('\n').flatMap((line) => {
    const purl = PURL_LINE.exec(line)?.[1];
    return purl === undefined || purl.length > MAX_PURL_CHARS ? [] : [normalizePurl(purl)];
  });
  return [...new Set(purls)];
}

/** In lower case and without a version, which these should not have. */
function normalizePurl(purl: string): string {
  const [type = '', ...path] = purl.slice('pkg:'.length).toLowerCase().split('/');
  return `pkg:${TYPE_SPELLINGS[type] ?? type}/${path.join('/').replace(/(?<=.)@[^/@]*$/, '')}`;
}
