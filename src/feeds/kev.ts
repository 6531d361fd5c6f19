import { z } from 'zod';
import type { KevEntry } from './entries.ts';
import { type Feed, type FeedFile, FeedFormatError, type ParseReporter } from './feed.ts';
import { CanonicalCveId, firstIssue, CleanedText, readJson, parseUtcTime } from './fields.ts';

const FILE_NAME = 'known_exploited_vulnerabilities.json';
const MAX_BYTES = 32 * 1024 * 1024;
const CWE_ID = /^CWE-\d+$/;

const KevCatalog = z.object({
  catalogVersion: z.string(),
  dateReleased: z.string(),
  count: z.int().nonnegative(),
  vulnerabilities: z.array(z.unknown()),
});

const Row = z.object({
  cveID: CanonicalCveId,
  vendorProject: CleanedText,
  product: CleanedText,
  vulnerabilityName: CleanedText,
  dateAdded: z.iso.date(),
  shortDescription: CleanedText,
  requiredAction: CleanedText,
  dueDate: z.iso.date().nullish(),
  knownRansomwareCampaignUse: z.string().nullish(),
  notes: CleanedText.nullish(),
  cwes: z.array(z.string()).nullish(),
});

/** CISA's catalog of Known Exploited Vulnerabilities, one JSON document. */
export const kevFeed: Feed<'kev'> = {
  id: 'kev',
  kind: 'kev',
  title: 'CISA Known Exploited Vulnerabilities catalog',
  addresses: [
    'https://www.cisa.gov/sites/default/files/feeds/',
    'https://raw.githubusercontent.com/cisagov/kev-data/develop/',
  ],
  folder: 'kev',
  everyHours: 2,
  maxBytes: MAX_BYTES,
  maxUnpackedBytes: MAX_BYTES,
  staleAfterDays: 30,
  async files(): Promise<FeedFile[]> {
    return [{ name: FILE_NAME, path: FILE_NAME, fingerprint: null, extent: 'whole', sha256: null }];
  },
  parse,
};

async function* parse(
  bytes: AsyncIterable<Uint8Array>,
  _file: FeedFile,
  tally: ParseReporter,
): AsyncIterable<KevEntry[]> {
  const document = KevCatalog.safeParse(await readJson(bytes, MAX_BYTES));
  if (!document.success) throw new FeedFormatError(`JSON, but not a KEV catalog: ${firstIssue(document.error)}`);
  const catalog = document.data;
  tally.setExpectedCount(catalog.count);
  tally.setDataTime(parseUtcTime(catalog.dateReleased) ?? catalog.catalogVersion.replaceAll('.', '-'));
  tally.setNote('catalog_version', catalog.catalogVersion);
  const entries: KevEntry[] = [];
  for (const [index, raw] of catalog.vulnerabilities.entries()) {
    const row = Row.safeParse(raw);
    if (row.success) entries.push(entryOf(row.data));
    else tally.skip(nameOf(raw) ?? `row ${index + 1}`, firstIssue(row.error));
  }
  yield entries;
}

function entryOf(row: z.infer<typeof Row>): KevEntry {
  return {
    cve_id: row.cveID,
    vendor_project: row.vendorProject,
    product: row.product,
    vulnerability_name: row.vulnerabilityName,
    date_added: row.dateAdded,
    due_date: row.dueDate ?? null,
    required_action: row.requiredAction,
    short_description: row.shortDescription,
    known_ransomware_use: row.knownRansomwareCampaignUse?.toLowerCase() === 'known',
    notes: row.notes || null,
    cwes: (row.cwes ?? []).filter((cwe) => CWE_ID.test(cwe)),
  };
}

function nameOf(raw: unknown): string | null {
  const id = (raw as { cveID?: unknown } | null)?.cveID;
  return typeof id === 'string' ? id.slice(0, 30) : null;
}
