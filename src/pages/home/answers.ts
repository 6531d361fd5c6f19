import type { z } from 'zod';
import { parseIndicator } from '../../analysis/indicators/parse-indicator.ts';
import { describeNearMiss, type RecognizedText, textKindPhrase } from '../../analysis/recognize-text.ts';
import { formatCount, formatPercent } from '../../engine/summary.ts';
import { affectedCheck } from '../../operations/cve/affected-check.ts';
import { advisoryLookup } from '../../operations/cve/advisory-lookup.ts';
import { bulkCveLookup } from '../../operations/cve/bulk-cve-lookup.ts';
import { getCvssDetails } from '../../operations/cve/get-cvss-details.ts';
import type { CveRecord } from '../../operations/cve/lib/schemas.ts';
import { bulkIocLookup } from '../../operations/indicators/bulk-ioc-lookup.ts';
import type { iocLookup } from '../../operations/indicators/ioc-lookup.ts';
import { html, join, type Html, type HtmlValue } from '../html.ts';
import { foreignLink, link, paths } from '../links.ts';
import { pageOfSubject, subjectOfWords } from './page-of-words.ts';
import { pageOfText } from '../page-of-text.ts';
import type { Outcome, PageContext } from '../page.ts';
import { productName } from '../../analysis/cve/product-name.ts';
import type { NamedChoice, NamedSubject } from '../../operations/cve/lib/find-product.ts';
import { candidateName } from '../../operations/cve/lib/product-candidates.ts';
import { exploitedBadge, severityBadge } from '../parts/severity.ts';
import { errorNote } from '../parts/states.ts';

/** Lines that are answered at once. */
export const MAX_LINES = 200;
/** Of a bulk call. */
const MAX_ITEMS = 50;
/** Lines of words that are looked up as products with their versions. */
const MAX_PRODUCTS = 20;

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

/** Products and packages with their versions that lines of words name, by their line. */
export type Subjects = ReadonlyMap<RecognizedText, NamedSubject>;

/** What the lines of words name, as far as CVEs know it. */
export async function subjectsOf(lines: readonly RecognizedText[], context: PageContext): Promise<Subjects> {
  const subjects = new Map<RecognizedText, NamedSubject>();
  const words = lines.filter(({ kind, value }) => kind === 'words' && describeNearMiss(value) === null);
  for (const line of words.slice(0, MAX_PRODUCTS)) {
    const subject = await subjectOfWords(line.value, context);
    if (subject !== null) subjects.set(line, subject);
  }
  return subjects;
}

/** A row for each line: what it is, where its page is, and the verdict in a few words. */
export async function answersTable(
  lines: readonly RecognizedText[],
  subjects: Subjects,
  context: PageContext,
): Promise<Html> {
  const cveIds = lines.flatMap(({ kind, value }) => (kind === 'cve' ? [value.toUpperCase()] : []));
  const indicators = lines.flatMap((line) => indicatorOf(line) ?? []);
  const [cves, iocs] = await Promise.all([
    askInBulk<CveAnswer>(cveIds, 'CVEs', (ids) => context.tryAsk(bulkCveLookup, { cve_ids: ids }), ['cve_id', 'cve']),
    askInBulk<IocAnswer>(indicators, 'Threat lists', (some) => context.tryAsk(bulkIocLookup, { indicators: some }), [
      'indicator',
      'ioc',
    ]),
  ]);
  const rowsOfSubjects = new Map<RecognizedText, Html>();
  // One after another: a product may have thousands of CVEs.
  for (const [line, subject] of subjects) rowsOfSubjects.set(line, await subjectRow(line, subject, context));
  const rows = await Promise.all(
    lines.map(async (line) => {
      const named = rowsOfSubjects.get(line);
      if (named !== undefined) return named;
      const page = pageOfText(line);
      const shown = html`<span class="id">${line.value}</span>`;
      return html`<tr><th scope="row">${page === null ? shown : link(page, line.kind === 'words' ? line.value : shown)}</th><td>${describeKind(line)}</td><td>${await verdictOf(line, cves, iocs, context)}</td></tr>`;
    }),
  );
  return html`${cves.fault}${iocs.fault}<div class="scroll" tabindex="0" role="region" aria-label="What each line is"><table data-rows><thead><tr><th scope="col">Line</th><th scope="col">It is</th><th scope="col">Verdict</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

async function subjectRow({ value }: RecognizedText, subject: NamedSubject, context: PageContext): Promise<Html> {
  if ('choices' in subject) return choiceRow(value, subject);
  const { cveIds } = subject;
  const isVersion = 'purl' in subject || subject.version !== null;
  const name = 'purl' in subject ? subject.purl : [productName(subject), subject.version].filter(Boolean).join(' ');
  const kind = `${'purl' in subject ? 'a package' : 'a product'}${isVersion ? ' with its version' : ''}${cveIds.length > 0 ? ', and a CVE' : ''}: ${name}`;
  const row = (verdict: HtmlValue): Html =>
    html`<tr><th scope="row">${link(pageOfSubject(subject), value)}</th><td>${kind}</td><td>${verdict}</td></tr>`;
  if (!isVersion && cveIds.length === 0) return row(html`<span class="unknown">see its page</span>`);
  const { cveIds: _, ...named } = subject;
  const asked = 'version' in named ? { ...named, version: named.version ?? undefined } : named;
  const about = cveIds.length === 0 ? {} : { cve_ids: [...cveIds] };
  const { answer, error } = await context.tryAsk(affectedCheck, { ...asked, ...about, limit: 1 });
  if (error !== null) return row(html`<span class="unknown">not known: ${error.baseMessage}</span>`);
  return row(subjectVerdict(answer));
}

/** Each product that the words may mean, with the version that was asked about. */
function choiceRow(line: string, { name, choices }: NamedChoice): Html {
  const rows = choices.map((choice) => {
    const { cves, known_exploited, vendor } = choice.candidate;
    const exploited = known_exploited > 0 && `, ${known_exploited} known exploited`;
    return html`<li>${link(pageOfSubject(choice), candidateName(choice.candidate))}: ${formatCount(cves, vendor === null ? 'advisory' : 'CVE')}${exploited}</li>`;
  });
  return html`<tr><th scope="row"><span class="id">${line}</span></th><td>a name of several products: which “${name}” is meant?</td><td><ul>${rows}</ul></td></tr>`;
}

/** One CVE: whether it affects the version; all: how many do. */
function subjectVerdict({ counts, total, results, summary }: z.output<typeof affectedCheck.output>): HtmlValue {
  const [first] = results;
  if (first === undefined) return html`<span class="unknown">${summary}</span>`;
  if (total === 1) return summary;
  const parts: HtmlValue[] = [`affected by ${counts.affected} of ${formatCount(total, 'CVE')}`];
  if (counts.unknown > 0) parts.push(`not known of ${counts.unknown}`);
  if (first.status === 'affected' && first.kev.in_kev === true) parts.push(exploitedBadge());
  return join(parts, ', ');
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
      return advisoryVerdict(await context.tryAskCatalog(advisoryLookup, { ghsa_id: value }));
    case 'words':
      return describeNearMiss(value) ?? 'search titles, descriptions and products';
    default:
      return html`<span class="unknown">see its page</span>`;
  }
}

function advisoryVerdict({ answer, error }: Outcome<z.output<typeof advisoryLookup.output>>): HtmlValue {
  if (answer === null) return html`<span class="unknown">not known: ${error.baseMessage}</span>`;
  const { cve_id, severity, withdrawn, title, url, packages } = answer;
  const [first] = packages;
  return join(
    [
      severityBadge(severity),
      withdrawn !== null && 'withdrawn',
      cve_id === null ? foreignLink(url, title) : html`${link(paths.cve(cve_id), cve_id)} ${title}`,
      first !== undefined &&
        `${first.name}: ${first.fixed_in === null ? 'no fixed version is named' : `fixed in ${first.fixed_in}`}`,
    ].filter((part) => part !== false),
    ', ',
  );
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
