import type { z } from 'zod';
import { parseIndicator } from '../../analysis/indicators/parse-indicator.ts';
import { describeNearMiss, type RecognizedText, textKindPhrase } from '../../analysis/recognize-text.ts';
import { formatPercent } from '../../engine/summary.ts';
import { bulkCveLookup } from '../../operations/cve/bulk-cve-lookup.ts';
import { getCvssDetails } from '../../operations/cve/get-cvss-details.ts';
import type { CveRecord } from '../../operations/cve/lib/schemas.ts';
import { bulkIocLookup } from '../../operations/indicators/bulk-ioc-lookup.ts';
import type { iocLookup } from '../../operations/indicators/ioc-lookup.ts';
import { html, join, type Html, type HtmlValue } from '../html.ts';
import { foreignLink, link } from '../links.ts';
import { pageOfText } from '../page-of-text.ts';
import type { PageContext } from '../page.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { errorNote } from '../parts/states.ts';

/** Lines that are answered at once. */
export const MAX_LINES = 200;
/** Of a bulk call. */
const MAX_ITEMS = 50;

type CveAnswer = z.output<typeof CveRecord>;
type IocAnswer = z.output<(typeof iocLookup)['output']>;
interface ItemOutcome<Answer> {
  status: string;
  answer: Answer | null;
  message: string | null;
}
/** Outcomes by item, and why the others have none. */
interface Outcomes<Answer> {
  byItem: ReadonlyMap<string, ItemOutcome<Answer>>;
  missing: string;
  fault: Html | null;
}

/** Whether lists outside are asked about one of these. */
export function needsLiveAnswers(lines: readonly RecognizedText[]): boolean {
  return lines.some((line) => indicatorOf(line) !== null);
}

/** A row for each line: what it is, where its page is, and the verdict in a few words. */
export async function answersTable(lines: readonly RecognizedText[], context: PageContext): Promise<Html> {
  const cveIds = lines.flatMap(({ kind, value }) => (kind === 'cve' ? [value.toUpperCase()] : []));
  const indicators = lines.flatMap((line) => indicatorOf(line) ?? []);
  const [cves, iocs] = await Promise.all([
    askInBulk<CveAnswer>(cveIds, 'CVEs', (ids) => context.tryAsk(bulkCveLookup, { cve_ids: ids }), ['cve_id', 'cve']),
    askInBulk<IocAnswer>(indicators, 'Threat lists', (some) => context.tryAsk(bulkIocLookup, { indicators: some }), [
      'indicator',
      'ioc',
    ]),
  ]);
  const rows = await Promise.all(
    lines.map(async (line) => {
      const page = pageOfText(line);
      const shown = html`<span class="id">${line.value}</span>`;
      return html`<tr><th scope="row">${page === null ? shown : link(page, line.kind === 'words' ? line.value : shown)}</th><td>${describeKind(line)}</td><td>${await verdictOf(line, cves, iocs, context)}</td></tr>`;
    }),
  );
  return html`${cves.fault}${iocs.fault}<div class="scroll" tabindex="0" role="region" aria-label="What each line is"><table data-rows><thead><tr><th scope="col">Line</th><th scope="col">It is</th><th scope="col">Verdict</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function describeKind({ kind, isDefanged }: RecognizedText): string {
  if (kind === 'words') return 'no known identifier';
  return `${textKindPhrase(kind)}${isDefanged ? ', defanged' : ''}`;
}

function indicatorOf({ kind, value }: RecognizedText): string | null {
  return ['ip', 'domain', 'url', 'hash'].includes(kind) ? (parseIndicator(value)?.value ?? null) : null;
}

async function verdictOf(
  line: RecognizedText,
  cves: Outcomes<CveAnswer>,
  iocs: Outcomes<IocAnswer>,
  context: PageContext,
): Promise<HtmlValue> {
  const { kind, value } = line;
  if (kind === 'cve') return outcomeText(value.toUpperCase(), cves, 'no source here knows it', cveVerdict);
  const indicator = indicatorOf(line);
  if (indicator !== null) return outcomeText(indicator, iocs, 'not known', ({ summary }) => summary);
  switch (kind) {
    case 'ip':
      return 'not a public address: threat lists say nothing of it';
    case 'cvss_vector': {
      const { answer, error } = await context.tryAskCatalog(getCvssDetails, { vector: value });
      return answer === null ? error.baseMessage : severityBadge(answer.base_severity, answer.base_score);
    }
    case 'ghsa':
      return html`see ${foreignLink(`https://github.com/advisories/${value}`, 'the advisory')}, which names its CVE`;
    case 'words':
      return describeNearMiss(value) ?? 'search titles, descriptions and products';
    default:
      return html`<span class="unknown">see its page</span>`;
  }
}

function outcomeText<Answer>(
  item: string,
  { byItem, missing }: Outcomes<Answer>,
  notFound: string,
  describe: (answer: Answer) => HtmlValue,
): HtmlValue {
  const outcome = byItem.get(item);
  if (outcome === undefined) return html`<span class="unknown">not known: ${missing}</span>`;
  if (outcome.answer !== null) return describe(outcome.answer);
  return html`<span class="unknown">${outcome.status === 'not_found' ? notFound : `not known: ${outcome.message ?? outcome.status}`}</span>`;
}

function cveVerdict({ rejected, severity, cvss_v3, kev, epss, action }: CveAnswer): HtmlValue {
  if (rejected) return 'rejected: it is no vulnerability';
  const parts: HtmlValue[] = [severityBadge(severity, cvss_v3)];
  if (kev.in_kev === true) parts.push(exploitedBadge(kev.date_added));
  if (epss.score !== null) parts.push(`EPSS ${formatPercent(epss.score)}`);
  if (action.deadline !== null) parts.push(html`act by <time datetime="${action.deadline}">${action.deadline}</time>`);
  return join(parts, ' ');
}

async function askInBulk<Answer>(
  items: readonly string[],
  what: string,
  ask: (items: string[]) => ReturnType<PageContext['tryAsk']>,
  [itemField, answerField]: readonly [string, string],
): Promise<Outcomes<Answer>> {
  if (items.length === 0) return { byItem: new Map(), missing: '', fault: null };
  const { answer, error } = await ask(items.slice(0, MAX_ITEMS));
  if (answer === null) return { byItem: new Map(), missing: 'it was not asked', fault: errorNote(error, what) };
  const { results, skipped_due_to_rate_limit: skipped } = answer as unknown as {
    results: { [field: string]: unknown; status: string; error: { message: string } | null }[];
    skipped_due_to_rate_limit: string[];
  };
  const byItem = new Map(
    results.map((row) => [
      String(row[itemField]),
      { status: row.status, answer: row[answerField] as Answer | null, message: row.error?.message ?? null },
    ]),
  );
  const missing = skipped.length > 0 ? 'the quota of this hour is used up' : `${MAX_ITEMS} are asked at once`;
  return { byItem, missing, fault: null };
}
