import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteOfHost } from '../../src/analysis/domain-name.ts';
import { gradeHeaders } from '../../src/analysis/headers/grade-headers.ts';
import { HEADER_ISSUES } from '../../src/analysis/headers/header-issues.ts';
import { collectPageSecurity } from '../../src/analysis/page/page-security.ts';
import { readPage } from '../../src/analysis/page/read-page.ts';
import type { AnalysisQuality, CorpusQuality, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { blindBatches } from '../blind-batches.ts';
import { commonestMistakes, type WrongCase } from '../counts.ts';
import { type HeaderCase, type HeaderPeer, loadObservatory } from '../headers/observatory-peer.ts';
import { type ObservatoryCase, observatoryOutcome, OTHERWISE, TRANSLATIONS } from '../headers/observatory-outcomes.ts';

/** The topic that readers know each of our headers by. */
const TOPICS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': 'csp',
  'Strict-Transport-Security': 'hsts',
  'X-Frame-Options': 'framing',
  'X-Content-Type-Options': 'content_type_options',
  'Referrer-Policy': 'referrer',
  'Permissions-Policy': 'permissions',
  'Set-Cookie': 'cookies',
  'Access-Control-Allow-Origin': 'cors',
  'Cross-Origin-Opener-Policy': 'coop',
  'Cross-Origin-Embedder-Policy': 'coep',
  'Cross-Origin-Resource-Policy': 'corp',
  'Reporting-Endpoints': 'reporting',
  'Report-To': 'reporting',
  NEL: 'reporting',
  'Clear-Site-Data': 'clear_site_data',
  'Origin-Agent-Cluster': 'origin_agent_cluster',
};

/** Readers' labels are about topics: a problem is found where its topic has a finding, and a false alarm is one of LOW or more in a topic that is fine. */
export const measureQuality: MeasureQuality = async ({ suites, peers }): Promise<AnalysisQuality> => {
  const mistakes: WrongCase[] = [];
  const notes: string[] = [
    'Labels name problems by topic (a header, or what it is about). A topic counts as found once, however many problems it has. An INFO finding is an observation: it finds a problem, and is no false alarm.',
  ];
  const peer = await loadObservatory(peers);
  if (peer === null) notes.push('MDN HTTP Observatory was not run beside it.');
  else
    notes.push(
      `${peer.name} knows no Permissions-Policy, COOP, COEP, reporting or Trusted Types, and its preload list is empty here.`,
    );
  const corpora: CorpusQuality[] = [];
  for (const { name, folder, origin } of blindBatches('headers')) {
    const cases = JSON.parse(readFileSync(join(folder, 'cases.json'), 'utf8')) as HeaderCase[];
    corpora.push(await measureBatch({ name, origin }, cases, peer, mistakes));
  }
  if (suites === null) notes.push('The public suite was not given.');
  else corpora.push(measureSuite(join(suites, 'headers'), mistakes));
  return { title: 'Response headers', corpora, mistakes: commonestMistakes(mistakes), notes };
};

async function measureBatch(
  { name, origin }: Pick<CorpusQuality, 'name' | 'origin'>,
  cases: readonly HeaderCase[],
  peer: HeaderPeer | null,
  mistakes: WrongCase[],
): Promise<CorpusQuality> {
  const own = judge('Sextant', cases, topicsNamed, mistakes);
  const results = peer === null ? [own] : [own, judge(peer.name, cases, (one) => peer.topicsNamed(one), null)];
  return { name, origin, size: `${cases.length} responses`, results };
}

/** Topics by the worst that is said of them: `problem` or `remark`. */
type Named = ReadonlyMap<string, 'problem' | 'remark'>;

function judge(
  tool: string,
  cases: readonly HeaderCase[],
  name: (one: HeaderCase) => Named,
  mistakes: WrongCase[] | null,
): ToolResult {
  const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
  const started = performance.now();
  for (const one of cases) {
    const named = name(one);
    for (const topic of new Set(one.expected.problems.map((problem) => problem.topic))) {
      if (named.has(topic)) counts.truePositives++;
      else {
        counts.falseNegatives++;
        mistakes?.push({ kind: `${topic}: problem not named`, name: one.about });
      }
    }
    for (const topic of one.expected.fine) {
      if (named.get(topic) !== 'problem') counts.trueNegatives++;
      else {
        counts.falsePositives++;
        mistakes?.push({ kind: `${topic}: a problem named that is none`, name: one.about });
      }
    }
  }
  const seconds = (performance.now() - started) / 1000;
  return { tool, counts, seconds, speed: `${Math.round(cases.length / seconds)} responses/s` };
}

function topicsNamed({ headers, url, html, request_headers }: HeaderCase): Named {
  const page =
    html === undefined ? null : readPage({ bytes: Buffer.from(html), url, contentType: 'text/html', truncated: false });
  const asked = request_headers?.find(([name]) => name.toLowerCase() === 'origin')?.[1];
  const { findings } = gradeHeaders(groupHeaders(headers), {
    https: url.startsWith('https:'),
    metaCsp: page?.csp ?? [],
    metaReferrer: page?.metas['referrer'],
    ...(asked !== undefined && isForeign(asked, url) && { foreignOrigin: asked }),
  });
  const named = new Map<string, 'problem' | 'remark'>();
  const add = (topic: string, isRemark: boolean): void => {
    if (!isRemark || !named.has(topic)) named.set(topic, isRemark ? 'remark' : 'problem');
  };
  for (const { header, issues, description } of findings) {
    for (const code of issues) {
      const isRemark = HEADER_ISSUES[code].severity === 'INFO';
      add(TOPICS[header] ?? (code === 'deprecated_header' ? 'deprecated' : 'disclosure'), isRemark);
      if (code.startsWith('csp_trusted_types')) add('trusted_types', isRemark);
      if (code === 'csp_unknown_reporting_endpoint') add('reporting', isRemark);
      if (code === 'csp_meta_directive_ignored' && description.includes('report-uri')) add('reporting', isRemark);
    }
  }
  const { without_integrity = [], integrity_without_cors = [] } = page === null ? {} : collectPageSecurity(page);
  if (without_integrity.length + integrity_without_cors.length > 0) add('sri', false);
  return named;
}

/** Whether the site has no reason to trust that origin: it is of another site. */
function isForeign(origin: string, url: string): boolean {
  const host = URL.parse(origin)?.hostname;
  return host === undefined || siteOfHost(host) !== siteOfHost(new URL(url).hostname);
}

function groupHeaders(headers: HeaderCase['headers']): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const [name, value] of headers) (groups[name.toLowerCase()] ??= []).push(value);
  return groups;
}

/** Each case of the suite is about one header: its outcome has to be the same, or stand in the list of differences with a reason. */
function measureSuite(folder: string, mistakes: WrongCase[]): CorpusQuality {
  const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
  let cases = 0;
  const started = performance.now();
  for (const translation of TRANSLATIONS) {
    const all = JSON.parse(readFileSync(join(folder, `${translation.file}.json`), 'utf8')) as ObservatoryCase[];
    for (const { key, n, given, expected } of all) {
      if (expected.result === undefined) continue;
      cases++;
      const isSame = observatoryOutcome(given, translation) === expected.result;
      const isProblem = expected.pass === false;
      if (isSame) counts[isProblem ? 'truePositives' : 'trueNegatives']++;
      else {
        counts[isProblem ? 'falseNegatives' : 'falsePositives']++;
        const why = OTHERWISE[`${key}#${n}`];
        mistakes.push({
          kind: `public suite: judged otherwise${why === undefined ? '' : ', with a reason'}`,
          name: `${key}#${n}`,
        });
      }
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const results = [{ tool: 'Sextant', counts, seconds, speed: `${Math.round(cases / seconds)} cases/s` }];
  return { name: 'MDN HTTP Observatory, its tests', origin: 'public', size: `${cases} cases`, results };
}
