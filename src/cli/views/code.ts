import { displayLine } from '../../analysis/display-text.ts';
import { formatCount } from '../../engine/summary.ts';
import { describeUnnamed } from '../../operations/code/lib/unnamed-packages.ts';
import { describeStep } from '../../operations/code/lib/upgrade-texts.ts';
import type { checkDependencies } from '../../operations/code/check-dependencies.ts';
import type { checkInjection } from '../../operations/code/check-injection.ts';
import type { checkSecrets } from '../../operations/code/check-secrets.ts';
import { percentCell } from './cve-parts.ts';
import { type AnswerOf, defineView, findings, table, textLines } from './view.ts';

const MAX_TITLE_CHARS = 200;
const MAX_MATCH_CHARS = 80;
const MAX_FIX_CHARS = 300;

const dependenciesView = defineView<typeof checkDependencies>('check_dependencies', (check) => ({
  title: subjectOf(check),
  verdict: [
    check.total === 0
      ? check.packages_checked === 0
        ? 'not checked'
        : check.unnamed_total === check.packages_checked && check.possible_total + check.undecided_total === 0
          ? `not known: ${describeUnnamed(check.unnamed_total, check.packages_checked, check.packages_given)}`
          : check.verdict.completeness === 'complete'
            ? `no known flaws ${check.data.text}`
            : check.possible_total + check.undecided_total > 0
              ? `no certain flaw ${check.data.text}`
              : `no known flaw in what could be asked, ${check.data.text}`
      : formatCount(check.total, 'known flaw'),
    ...Object.entries(check.by_severity).map(([severity, count]) => (count === 0 ? null : `${count} ${severity}`)),
    countMalicious(check),
    countExploited(check),
    check.possible_total === 0
      ? null
      : `${formatCount(check.possible_total, 'CVE')} may affect ${check.packages_given === 1 ? 'it' : 'them'}`,
    check.unnamed_total === 0 ? null : `${formatCount(check.unnamed_total, 'package')} named by no source`,
    check.unchecked.length === 0 ? null : `${formatCount(check.unchecked.length, 'package')} not checked`,
    check.unsupported.length === 0 ? null : `${formatCount(check.unsupported.length, 'package')} without support`,
  ],
  facts: {
    do: check.plan.slice(0, 8).map(describeStep),
  },
  sections: [
    table(
      null,
      check.findings,
      [
        { title: 'package', cell: (row) => `${row.package} ${row.version}` },
        { title: 'severity', cell: ({ severity }) => severity ?? 'UNKNOWN', rank: 1 },
        { title: 'id', cell: ({ cve_id, evidence }) => cve_id ?? evidence[0], min: Infinity, rank: 1 },
        { title: 'EPSS', cell: ({ epss_score }) => percentCell(epss_score), align: 'right', rank: 4 },
        {
          title: 'exploited',
          cell: ({ in_kev }) => (in_kev === true ? 'yes' : in_kev === false ? 'no' : null),
          mark: 'alarm',
          rank: 3,
        },
        { title: 'fixed in', cell: ({ fixed_in }) => fixed_in ?? 'none known', rank: 2 },
        { title: 'title', cell: ({ title }) => (title === null ? null : displayLine(title, MAX_TITLE_CHARS)), rank: 5 },
      ],
      { total: check.total },
    ),
    table(
      'possible, by CPE names alone',
      check.possible,
      [
        { title: 'package', cell: (row) => `${row.package} ${row.version}` },
        { title: 'CVE', cell: ({ cve_id }) => cve_id },
        {
          title: 'exploited',
          cell: ({ in_kev }) => (in_kev === true ? 'yes' : in_kev === false ? 'no' : null),
          mark: 'alarm',
        },
        {
          title: 'because',
          cell: ({ status, reason }) => (status === 'affected' ? reason : `cannot be told: ${reason}`),
          wrap: true,
        },
      ],
      { limit: 8, total: check.possible_total },
    ),
    table(
      'not decided',
      check.undecided,
      [
        { title: 'package', cell: (row) => `${row.package} ${row.version}` },
        { title: 'CVE', cell: ({ cve_id }) => cve_id },
        { title: 'because', cell: ({ reason }) => reason, wrap: true },
      ],
      { limit: 5, total: check.undecided_total },
    ),
    textLines(
      'named by no source, which is no sign that nothing affects them',
      check.unnamed.map((row) => `${row.package} ${row.version}`),
    ),
    table('not checked', check.unchecked, [
      { title: 'package', cell: (row) => row.package },
      { title: 'because', cell: ({ reason }) => reason, wrap: true },
    ]),
  ],
}));

type Check = AnswerOf<typeof checkDependencies>;

/** The package, or how many there are. */
function subjectOf({ packages_given, packages_vulnerable, findings, possible, undecided, unnamed }: Check): string {
  const only = packages_given === 1 ? [...findings, ...possible, ...undecided, ...unnamed][0] : undefined;
  if (only !== undefined) return `${only.package} ${only.version}`;
  return `${packages_vulnerable} of ${formatCount(packages_given, 'package')} with known flaws`;
}

function countMalicious({ findings }: Check): string | null {
  const count = new Set(findings.filter(({ malicious }) => malicious).map((one) => `${one.package} ${one.version}`))
    .size;
  return count === 0 ? null : formatCount(count, 'MALICIOUS PACKAGE');
}

function countExploited({ findings }: Check): string | null {
  const count = findings.filter(({ in_kev }) => in_kev === true).length;
  return count === 0 ? null : `${count} KNOWN EXPLOITED`;
}

type CodeFinding = Pick<
  AnswerOf<typeof checkSecrets>['findings'][number],
  'severity' | 'line' | 'description' | 'match' | 'remediation'
>;

function codeFindings(rows: readonly CodeFinding[]) {
  return findings(
    null,
    rows,
    ({ severity, line, description, match, remediation }) => ({
      severity,
      text: `line ${line}: ${description} ${displayLine(match, MAX_MATCH_CHARS)}`,
      remedy: remediation,
    }),
    20,
  );
}

const secretsView = defineView<typeof checkSecrets>('check_secrets', (check) => ({
  sections: [codeFindings(check.findings)],
}));
const injectionView = defineView<typeof checkInjection>('check_injection', (check) => ({
  sections: [codeFindings(check.findings.map(withFix))],
}));

/** The advice with the mended lines, where there are some. */
function withFix(finding: AnswerOf<typeof checkInjection>['findings'][number]): CodeFinding {
  const { fix, remediation } = finding;
  return fix === null
    ? finding
    : { ...finding, remediation: `${remediation} Here: ${displayLine(fix, MAX_FIX_CHARS)}` };
}

export const CODE_VIEWS = [dependenciesView, secretsView, injectionView];
