import { randomUUID } from 'node:crypto';
import { sortWithUniqueFingerprints } from '../../operations/code/lib/report/problem.ts';
import { markdownSummary } from '../../operations/code/lib/report/markdown.ts';
import { sarifLog } from '../../operations/code/lib/report/sarif.ts';
import { cycloneDxVex, openVexDocument } from '../../operations/code/lib/report/vex.ts';
import { ApiError } from '../../errors.ts';
import { formatCsv } from '../csv.ts';
import { html, type Html } from '../html.ts';
import { link } from '../links.ts';
import type { PageFile } from '../page.ts';
import type { DependencyAnswer, TextResult } from './text-result.ts';

type File = PageFile['file'];
type Package = Pick<DependencyAnswer['unchecked'][number], 'package' | 'version' | 'ecosystem'>;

const CSV_COLUMNS = ['check', 'id', 'severity', 'cvss', 'file', 'line', 'message', 'remediation'];
const PACKAGE_COLUMNS = [
  'package',
  'version',
  'ecosystem',
  'epss',
  'known_exploited',
  'fixed_in',
  'brought_by',
  'scope',
  'malicious',
];

/** Forms of the result to save. The last two are about packages alone. */
const FORMATS: Readonly<Record<string, { title: string; make: (results: readonly TextResult[], now: Date) => File }>> =
  {
    sarif: { title: 'SARIF', make: toSarif },
    csv: { title: 'CSV', make: toCsv },
    markdown: { title: 'Markdown, to send', make: toMarkdown },
    openvex: { title: 'OpenVEX', make: (results, now) => toVex('openvex', openVexDocument, results, now) },
    cyclonedx: { title: 'CycloneDX VEX', make: (results, now) => toVex('cdx', cycloneDxVex, results, now) },
  };
const NO_KNOWN_FLAW = 'no known flaw';
const VEX_FORMATS: readonly string[] = ['openvex', 'cyclonedx'];

/** The result as a file. Throws `ApiError` for a format that there is not, and for VEX of what has no packages. */
export function resultFile(format: string, results: readonly TextResult[], now: Date): File {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known === undefined) {
    throw new ApiError('invalid_argument', `There is no such format: ${Object.keys(FORMATS).join(', ')}.`);
  }
  return known.make(results, now);
}

/** Options of a select of what the answer is. */
export function formatOptions(): Html {
  return html`<option value="">a page</option>${Object.entries(FORMATS).map(([format, { title }]) => html`<option value="${format}">${title}</option>`)}`;
}

/** Buttons that save the result. The texts travel in the form (`packed`), because nothing is stored. */
export function downloads(packed: string | null, results: readonly TextResult[]): Html {
  const hasPackages = results.some(({ dependencies }) => dependencies !== null);
  const formats = Object.entries(FORMATS).filter(([format]) => hasPackages || !VEX_FORMATS.includes(format));
  const body =
    packed === null
      ? html`<p>The text is too long to travel along with this page: go back, and choose the form of the answer beside the button.</p>`
      : html`<form class="form" method="post" action="/check" enctype="multipart/form-data"><input type="hidden" name="packed" value="${packed}">${formats.map(
          ([format, { title }]) => html`<button name="format" value="${format}">${title}</button>`,
        )}</form>
<p class="note">The text is sent again and checked again, and costs the same again: nothing was stored.</p>${
          hasPackages &&
          html`
<form class="form" method="post" action="/watches" enctype="multipart/form-data"><input type="hidden" name="packed" value="${packed}"><button>Watch these packages</button> <span class="note">and be told what changes about them: their names and versions are then kept</span></form>`
        }`;
  return html`<section id="save"><h2>Save the result</h2>
<p>A result of pasted text has no link that you could send: nothing is stored. Save it as a file, or print this page.</p>
${body}
<p class="note">Elsewhere: <code>sextant check &lt;folder&gt;</code> in a terminal or a build, <code>POST /v1/check/…</code>, and the tools check_dependencies, check_headers, check_secrets and check_injection over MCP (${link('/docs', 'API')}).</p></section>`;
}

function toSarif(results: readonly TextResult[]): File {
  const problems = sortWithUniqueFingerprints(results.flatMap((result) => result.problems));
  const answers = results.flatMap(({ dependencies }) => dependencies ?? []);
  const notes = answers.flatMap(({ verdict }) => verdict.gaps);
  const body = JSON.stringify(sarifLog({ problems, notes, unread: [] }), null, 1);
  return { type: 'application/sarif+json', name: 'sextant-check.sarif', body };
}

function toMarkdown(results: readonly TextResult[]): File {
  const answers = results.flatMap(({ dependencies }) => dependencies ?? []);
  const body = markdownSummary({
    problems: sortWithUniqueFingerprints(results.flatMap((result) => result.problems)),
    upgrades: answers.flatMap(({ upgrades }) => upgrades),
    plan: answers.flatMap(({ plan }) => plan),
    possible: answers.flatMap(({ possible }) => possible),
    totals: results.map(({ sentence, dependencies }) => dependencies?.summary ?? `${sentence}.`),
    data: [...new Set(answers.map(({ data }) => data.text))],
    notes: answers.flatMap(({ verdict }) => verdict.gaps),
  });
  return { type: 'text/markdown; charset=utf-8', name: 'sextant-check.md', body };
}

function toCsv(results: readonly TextResult[]): File {
  const rows = results.flatMap(({ problems, dependencies }) =>
    problems.map(({ check, rule, severity, score, file, line, message, remediation }, at) => {
      const finding = dependencies?.findings[at];
      const {
        package: name,
        version,
        ecosystem,
        epss_score,
        in_kev,
        fixed_in,
        brought_by,
        scope,
        malicious,
      } = finding ?? {};
      const common = [check, rule, severity, score, file, line, message, remediation];
      const own = [name, version, ecosystem, epss_score, in_kev, fixed_in, brought_by?.join('; '), scope, malicious];
      return [...common, ...own.map((cell) => cell ?? null)];
    }),
  );
  return {
    type: 'text/csv; charset=utf-8',
    name: 'sextant-check.csv',
    body: formatCsv([...CSV_COLUMNS, ...PACKAGE_COLUMNS], [...rows, ...otherRows(results)]),
  };
}

/** The packages without a finding, each with why: so that nobody takes what was not checked, what is possible and what is open for free of flaws. */
function otherRows(results: readonly TextResult[]) {
  const rowOf = (id: string, reason: string, row: Package, more: (string | number | boolean | null)[]) => {
    const common = ['dependencies', id, id === NO_KNOWN_FLAW ? null : 'UNKNOWN', null, null, null, reason, null];
    return [...common, row.package, row.version, row.ecosystem, ...more, null, null, null];
  };
  return results.flatMap(({ dependencies }) => [
    ...(dependencies?.unchecked ?? []).map((row) => rowOf('not checked', row.reason, row, [null, null, null])),
    ...(dependencies?.possible ?? []).map((row) => {
      const { cve_id, reason, epss_score, in_kev, fixed_in } = row;
      return rowOf(cve_id, `May affect it, by CPE name alone: ${reason}`, row, [epss_score, in_kev, fixed_in]);
    }),
    ...(dependencies?.undecided ?? []).map((row) =>
      rowOf(row.cve_id, `Not decided: ${row.reason}`, row, [null, null, null]),
    ),
    ...(dependencies?.unnamed ?? []).map((row) =>
      rowOf('nothing known', 'No source names the package', { ...row, ecosystem: null }, [null, null, null]),
    ),
    ...(dependencies?.no_known_flaw ?? []).map((row) =>
      rowOf(NO_KNOWN_FLAW, 'No flaw is known in this version', { ...row, ecosystem: null }, [null, null, null]),
    ),
  ]);
}

function toVex(
  ending: string,
  make: (answer: DependencyAnswer, options: { id: string; now: Date }) => object,
  results: readonly TextResult[],
  now: Date,
): File {
  const answers = results.flatMap(({ dependencies }) => dependencies ?? []);
  const [first, ...others] = answers;
  if (first === undefined) throw new ApiError('invalid_argument', 'VEX is about packages, and this text lists none.');
  const all = others.reduce(
    (joined, { findings, possible, undecided, denied }) => ({
      ...joined,
      findings: [...joined.findings, ...findings],
      possible: [...joined.possible, ...possible],
      undecided: [...joined.undecided, ...undecided],
      denied: [...joined.denied, ...denied],
    }),
    first,
  );
  const document = make(all, { id: `urn:uuid:${randomUUID()}`, now });
  return { type: 'application/json', name: `sextant-check.${ending}.json`, body: JSON.stringify(document, null, 1) };
}
