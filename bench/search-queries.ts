import { KeepAliveClient } from './http-client.ts';
import { Dice } from './statistics.ts';

const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];
const SORTS = ['published_desc', 'epss_desc', 'cvss_desc'];
const FIRST_YEAR = 1999;
const LAST_YEAR = 2025;

/** What lists of products, vendors and weaknesses are drawn from: those of CVEs drawn at random, so the common ones prevail. */
interface Known {
  rows: { vendor: string; product: string }[];
  cwes: string[];
}

/**
 * Searches over every filter and sort: each filter alone under each sort, and mixtures of two to five filters up to
 * `count`. One in eight asks for a page of 200, one in eight for the verbose form, one in eight for a later page.
 */
export async function drawQueries(port: number, cveIds: readonly string[], count: number): Promise<string[]> {
  const known = await readKnown(port, cveIds);
  const dice = new Dice(4_711);
  const filters = filtersOf(known, dice);
  const alone = [() => ({}), ...filters].flatMap((filter) => SORTS.map((sort) => queryOf([filter], sort, dice)));
  const mixed = Array.from({ length: Math.max(0, count - alone.length) }, () =>
    queryOf(dice.sample(filters, dice.between(2, 5)), dice.pick(SORTS), dice),
  );
  return [...alone, ...mixed];
}

type Filter = () => Record<string, string>;

function filtersOf({ rows, cwes }: Known, dice: Dice): Filter[] {
  return [
    () => ({ product: dice.pick(rows).product }),
    () => ({ vendor: dice.pick(rows).vendor }),
    () => ({ ...dice.pick(rows) }),
    () => ({ product: dice.pick(rows).product, tagged: 'true' }),
    () => ({ severity: dice.pick(SEVERITIES) }),
    () => ({ published_after: `${dice.between(FIRST_YEAR, LAST_YEAR)}-01-01` }),
    () => ({ published_before: `${dice.between(FIRST_YEAR, LAST_YEAR)}-12-31` }),
    () => ({ days: String(dice.between(30, 3650)) }),
    () => ({ kev: 'true' }),
    () => ({ epss_min: (dice.next() ** 2).toFixed(3) }),
    () => ({ cvss_min: dice.between(0, 9).toFixed(1) }),
    () => ({ cvss_max: dice.between(2, 10).toFixed(1) }),
    () => ({ cwe_id: dice.pick(cwes) }),
    () => ({ include_rejected: 'true' }),
  ];
}

function queryOf(filters: readonly Filter[], sort: string, dice: Dice): string {
  const query: Record<string, string> = Object.assign({ sort }, ...filters.map((filter) => filter()));
  if (dice.chance(1 / 8)) query['limit'] = '200';
  if (dice.chance(1 / 8)) query['include'] = 'full';
  if (dice.chance(1 / 8)) query['offset'] = String(dice.between(1, 5000));
  // An empty range would be refused.
  if (query['cvss_min'] !== undefined && Number(query['cvss_max']) < Number(query['cvss_min']))
    delete query['cvss_max'];
  if ((query['published_after'] ?? '') > (query['published_before'] ?? '9')) delete query['published_before'];
  return `/v1/cves?${new URLSearchParams(query).toString()}`;
}

async function readKnown(port: number, cveIds: readonly string[]): Promise<Known> {
  const client = new KeepAliveClient(port);
  const known: Known = { rows: [], cwes: [] };
  for (const id of cveIds) {
    const { status, body } = await client.ask(`/v1/cve/${id}`);
    if (status !== 200) throw new Error(`${id} is answered with ${status}: ${body.toString()}`);
    const record = JSON.parse(body.toString()) as {
      cwe_id: string | null;
      affected_products: { vendor: string | null; product: string | null }[];
    };
    const { vendor, product } = record.affected_products[0] ?? {};
    // Shorter names are not accepted.
    if (vendor && product && vendor.length > 1 && product.length > 1) known.rows.push({ vendor, product });
    if (record.cwe_id?.startsWith('CWE-')) known.cwes.push(record.cwe_id);
  }
  client.close();
  return known;
}
