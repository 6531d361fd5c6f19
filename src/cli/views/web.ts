import { displayLine, displayLineOrNull } from '../../analysis/display-text.ts';
import { productName } from '../../analysis/cve/product-name.ts';
import { describeExtent } from '../../engine/catalog-extent.ts';
import { describeScore, formatCount } from '../../engine/summary.ts';
import type { checkHeaders } from '../../operations/code/check-headers.ts';
import type { contrastScan } from '../../operations/web/contrast-scan.ts';
import type { domainVulns } from '../../operations/web/domain-vulns.ts';
import type { scanHeaders } from '../../operations/web/scan-headers.ts';
import type { techFingerprint } from '../../operations/web/tech-fingerprint.ts';
import type { techStackCveAudit } from '../../operations/web/tech-stack-cve-audit.ts';
import type { redirectChain } from '../../operations/web/redirect-chain.ts';
import { percentCell } from './cve-parts.ts';
import { guideSteps } from './fix-guide.ts';
import {
  type AnswerOf,
  defineView,
  type FindingSection,
  findings,
  table,
  textLines,
  type View,
  type ViewColumn,
} from './view.ts';

const MAX_TEXT_CHARS = 300;
/** Of one technology. */
const MAX_CVES = 5;

type Technology = AnswerOf<typeof techFingerprint>['technologies'][number];

export const TECHNOLOGY_COLUMNS: readonly ViewColumn<Technology>[] = [
  { title: 'technology', cell: ({ name }) => name },
  { title: 'version', cell: ({ version }) => version, rank: 1 },
  { title: 'kind', cell: ({ category }) => category, rank: 2 },
  { title: 'seen in', cell: ({ source }) => source, rank: 3 },
  { title: 'CPE', cell: ({ cpe }) => (cpe === null ? null : productName(cpe)), rank: 4 },
];

type HeaderFinding = AnswerOf<typeof scanHeaders>['findings'][number];

/** Headers that are missing or do not protect. */
export function headerFindings(title: string, rows: readonly HeaderFinding[], limit?: number): FindingSection | null {
  const wrong = rows.filter(({ severity, valid }) => severity !== 'INFO' && !valid);
  const toFinding = ({ severity, description, remediation, header, value }: HeaderFinding) => ({
    severity,
    text: `${header}: ${description}${value === null ? '' : ` (${displayLine(value, 60)})`}`,
    remedy: remediation,
  });
  return findings(title, wrong, toFinding, limit);
}

const ALL_FINDINGS = 40;

const headersView = defineView<typeof scanHeaders>('scan_headers', (scan) => ({
  title: scan.url,
  verdict: [`headers grade ${scan.grade}`, describeScore(scan.score, 'higher'), `status ${scan.status_code}`],
  facts: { protecting: scan.headers_present.join(', ') },
  sections: [headerFindings('what to mend', scan.findings, ALL_FINDINGS)],
}));

const givenHeadersView = defineView<typeof checkHeaders>('check_headers', (check) => ({
  title: 'The given headers',
  verdict: [check.grade === null ? null : `grade ${check.grade}`, describeScore(check.score, 'higher')],
  sections: [
    headerFindings('what to mend', check.findings, ALL_FINDINGS),
    textLines('lines to add', check.lines_to_add ?? []),
  ],
}));

const SCAN_MODULES = [
  ['ssl', 'TLS'],
  ['redirect', 'redirect to HTTPS'],
  ['headers', 'headers'],
  ['csp_analysis', 'content security policy'],
  ['cookies', 'cookies'],
  ['cors', 'CORS'],
  ['html', 'markup'],
  ['dns', 'DNS'],
  ['dnssec', 'DNSSEC'],
  ['methods', 'methods'],
  ['disclosure', 'disclosure'],
] as const;

const scanView = defineView<typeof contrastScan>('contrast_scan', (scan) => {
  const modules = SCAN_MODULES.map(([field, name]) => ({ name, module: scan[field] }));
  return {
    title: scan.domain,
    verdict: [
      scan.grade === null ? 'not graded' : `grade ${scan.grade}`,
      describeScore(scan.total_score, 'higher', scan.max_score),
      formatCount(scan.findings.length, 'finding'),
    ],
    sections: [
      findings(
        'what to mend, the worst first',
        scan.findings,
        ({ severity, title, description, remediation, how_to_fix }) => ({
          severity,
          text: `${title}. ${description}`,
          remedy: remediation,
          ...guideSteps(how_to_fix),
        }),
      ),
      table('modules', modules, [
        { title: 'module', cell: ({ name }) => name },
        {
          title: 'points',
          cell: ({ module }) => (module?.score == null ? 'not known' : `${module.score} of ${module.max}`),
          align: 'right',
        },
        {
          title: 'seen',
          cell: ({ module }) => (module === null ? null : displayLineOrNull(module.details[0], MAX_TEXT_CHARS)),
        },
      ]),
    ],
  };
});

const techView = defineView<typeof techFingerprint>('tech_fingerprint', ({ technologies, count }) => ({
  sections: [table(null, technologies, TECHNOLOGY_COLUMNS, { limit: 50, total: count })],
}));

type Vulnerable = Pick<AnswerOf<typeof domainVulns>, 'vulnerabilities' | 'catalog'> & {
  technologies: readonly Pick<AnswerOf<typeof domainVulns>['technologies'][number], 'name' | 'version' | 'support'>[];
};

/** The technologies with the CVEs of their versions, then the riskiest CVEs of each. */
function vulnerableView({ vulnerabilities, technologies, catalog }: Vulnerable): View {
  const worst = vulnerabilities.flatMap(({ technology, cves, version_unknown }) =>
    cves.slice(0, MAX_CVES).map((cve) => ({ ...cve, technology, version_unknown })),
  );
  const ended = technologies.filter(({ support }) => support?.is_supported === false);
  return {
    facts: {
      'looked for in': describeExtent(catalog),
      'no more fixes': ended.map(
        ({ name, version, support }) =>
          `${name} ${version}${support?.ends_at == null ? '' : `, since ${support.ends_at}`}`,
      ),
    },
    sections: [
      table('technologies with known vulnerabilities', vulnerabilities, [
        { title: 'technology', cell: ({ technology }) => technology },
        { title: 'version', cell: ({ version }) => version ?? 'not known', rank: 1 },
        { title: 'CVEs', cell: ({ cve_count }) => cve_count, align: 'right', rank: 1 },
        {
          title: 'update to',
          cell: ({ update }) => update?.version,
          rank: 2,
        },
        {
          title: 'gets fixes',
          cell: ({ support }) =>
            support == null
              ? null
              : support.is_supported
                ? 'yes'
                : support.ends_at === null
                  ? 'no'
                  : `no, since ${support.ends_at}`,
          rank: 3,
        },
        { title: 'not decided', cell: ({ undecided_count }) => undecided_count || null, align: 'right', rank: 5 },
      ]),
      table('the riskiest', worst, [
        { title: 'CVE', cell: ({ cve_id }) => cve_id },
        { title: 'severity', cell: ({ severity }) => severity, rank: 1 },
        { title: 'CVSS', cell: ({ cvss_v3 }) => cvss_v3?.toFixed(1), align: 'right', rank: 4 },
        { title: 'EPSS', cell: ({ epss_score }) => percentCell(epss_score), align: 'right', rank: 3 },
        {
          title: 'exploited',
          cell: ({ in_kev }) => (in_kev === true ? 'yes' : in_kev === false ? 'no' : null),
          mark: 'alarm',
          rank: 1,
        },
        { title: 'act by', cell: ({ action }) => action?.deadline ?? action?.urgency, rank: 5 },
        {
          title: 'technology',
          cell: ({ technology, version_unknown }) =>
            `${technology}${version_unknown ? ', if of an affected version' : ''}`,
          rank: 2,
        },
      ]),
    ],
  };
}

const vulnsView = defineView<typeof domainVulns>('domain_vulns', (answer) => vulnerableView(answer));
const stackView = defineView<typeof techStackCveAudit>('tech_stack_cve_audit', (answer) => vulnerableView(answer));

const redirectView = defineView<typeof redirectChain>('redirect_chain', ({ hops, stopped_because }) => ({
  facts: { stopped: stopped_because },
  sections: [
    table(null, hops, [
      { title: 'URL', cell: ({ url }) => url },
      { title: 'status', cell: ({ status_code }) => status_code, align: 'right' },
      { title: 'leads to', cell: ({ location }) => location },
      { title: 'ms', cell: ({ latency_ms }) => latency_ms, align: 'right' },
    ]),
  ],
}));

export const WEB_VIEWS = [headersView, givenHeadersView, scanView, techView, vulnsView, stackView, redirectView];
