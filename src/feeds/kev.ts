import { z } from 'zod';
import { CWE_ID } from './cve-fields.ts';
import type { KevEntry } from './entries.ts';
import { type Feed, feedFile, FeedFormatError } from './feed.ts';
import { CanonicalCveId, CleanedText, firstIssue, parseRecords, parseUtcTime, readJson } from './fields.ts';

const FILE_NAME = 'known_exploited_vulnerabilities.json';

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
  maxBytes: 32 * 1024 * 1024,
  maxUnpackedBytes: 32 * 1024 * 1024,
  staleAfterDays: 30,
  files: async () => [feedFile(FILE_NAME)],
  async *parse(bytes, _file, reporter) {
    const document = KevCatalog.safeParse(await readJson(bytes, kevFeed.maxUnpackedBytes));
    if (!document.success) throw new FeedFormatError(`JSON, but not a KEV catalog: ${firstIssue(document.error)}`);
    const catalog = document.data;
    reporter.setExpectedCount(catalog.count);
    reporter.setDataTime(parseUtcTime(catalog.dateReleased) ?? catalog.catalogVersion.replaceAll('.', '-'));
    reporter.setNote('catalog_version', catalog.catalogVersion);
    const rows = parseRecords(Row, catalog.vulnerabilities, reporter, { what: 'row', idField: 'cveID' });
    yield rows.map(entryOf);
  },
};

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
