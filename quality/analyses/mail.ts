import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkHost } from '../../src/analysis/email/spf/check-host.ts';
import type { CorpusQuality, Counts, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { type BlindBatch, blindBatches } from '../blind-batches.ts';
import { commonestMistakes } from '../counts.ts';
import { askMailauthDmarc, askMailauthSpf, askPyspf, type SpfQuestion } from '../mail/peers.ts';
import { FAULT_FINDINGS, findingsFor } from '../mail/problem-words.ts';
import { readSpfSuite } from '../mail/spf-suite.ts';
import { type MailSurvey, surveyMail } from '../mail/survey.ts';
import { type Zone, zoneDns } from '../mail/zone-dns.ts';
import { installNpmPeer, type NpmPeer } from '../npm-peer.ts';

const MAILAUTH_VERSION = '7.1.0';

interface LabelledZone {
  domain: string;
  zone: Zone;
  policy_file: string | null;
  expected: {
    spf?: string;
    spf_senders?: string[];
    dmarc?: string;
    dmarc_applies_from?: string | null;
    dkim?: { selector: string; state: string; or?: string }[];
    mta_sts?: string;
    tls_rpt?: boolean;
    bimi?: string;
    problems?: string[];
  };
}

interface Decision {
  what: string;
  domain: string;
  verdict: 'right' | 'wrong' | 'missed' | 'invented' | 'left alone';
}

/** Mail: the state of each protocol and the faults of labelled zones; SPF by the suite of RFC 7208, message by message. */
export const measureQuality: MeasureQuality = async ({ suites, peers }) => {
  const notes = [
    'Batch 1 was read before it was measured: rules about MX hosts, BIMI records and redirects beside `all` were added for kinds of faults seen in it, and the table from the words of faults to findings was written from it. Only batch 2 measures what is unseen.',
    'Zones: each of SPF result, senders, DMARC policy and its place, DKIM key, MTA-STS, TLS-RPT and BIMI is a decision, and so is each fault; a zone without a fault is left alone if none is reported. Mail servers are not connected to.',
  ];
  const mailauth = installNpmPeer(peers, 'mailauth', MAILAUTH_VERSION);
  if (peers !== null && mailauth === null) notes.push('mailauth could not be installed.');
  const mistakes: { kind: string; name: string }[] = [];
  const corpora: CorpusQuality[] = [];
  for (const batch of blindBatches('mail')) corpora.push(...(await measureZones(batch, mailauth, mistakes)));
  const suite = suites === null ? null : join(suites, 'spf/rfc7208-tests.yml');
  if (suite !== null && existsSync(suite)) corpora.push(await measureSuite(suite, peers !== null, mailauth, notes));
  else notes.push('The public suite of RFC 7208 was not there.');
  return { title: 'Mail', corpora, mistakes: commonestMistakes(mistakes), notes };
};

async function measureZones(
  { name: batch, folder, origin }: BlindBatch,
  mailauth: NpmPeer | null,
  mistakes: { kind: string; name: string }[],
): Promise<CorpusQuality[]> {
  const zones = JSON.parse(readFileSync(join(folder, 'zones.json'), 'utf8')) as LabelledZone[];
  const started = performance.now();
  const surveys: MailSurvey[] = [];
  for (const { domain, zone, policy_file } of zones) surveys.push(await surveyMail(domain, zone, policy_file));
  const seconds = (performance.now() - started) / 1000;
  const decisions = zones.flatMap((labelled, at) => decide(labelled, surveys[at]!));
  for (const { what, domain, verdict } of decisions)
    if (verdict !== 'right' && verdict !== 'left alone') mistakes.push({ kind: `${what}: ${verdict}`, name: domain });
  const base = { origin, size: `${zones.length} zones` } as const;
  const speed = `${Math.round(zones.length / seconds)} zones/s`;
  return [
    {
      ...base,
      name: batch,
      results: [{ tool: 'Sextant', counts: countsOf(decisions), seconds, speed }],
    },
    {
      ...base,
      name: `${batch}, SPF and DMARC alone`,
      results: [
        {
          tool: 'Sextant',
          counts: countsOf(decisions.filter(({ what }) => what === 'SPF' || what === 'DMARC')),
          seconds: null,
          speed: null,
        },
        ...(mailauth === null ? [] : [await measureMailauth(mailauth, zones)]),
      ],
    },
  ];
}

function decide({ domain, expected }: LabelledZone, survey: MailSurvey): Decision[] {
  const decisions: Decision[] = [];
  const decideField = (what: string, label: unknown, found: unknown): void => {
    if (label !== undefined)
      decisions.push({ what, domain, verdict: JSON.stringify(label) === JSON.stringify(found) ? 'right' : 'wrong' });
  };
  decideField('SPF', expected.spf, survey.spf);
  decideField('SPF senders', expected.spf_senders?.toSorted(), survey.spfSenders);
  decideField('DMARC', expected.dmarc, survey.dmarc);
  decideField('place of the DMARC record', expected.dmarc_applies_from, survey.dmarcFrom);
  decideField('MTA-STS', expected.mta_sts, survey.mtaSts);
  decideField('TLS-RPT', expected.tls_rpt, survey.tlsRpt);
  decideField('BIMI', expected.bimi, survey.bimi);
  for (const { selector, state, or } of expected.dkim ?? []) {
    const found = survey.dkim.get(selector);
    decideField('DKIM key', found === or && or !== undefined ? or : state, found);
  }
  if (expected.problems !== undefined) decisions.push(...decideFaults(domain, expected.problems, survey.findings));
  return decisions;
}

function decideFaults(domain: string, problems: readonly string[], findings: readonly string[]): Decision[] {
  const expected = new Set(problems.flatMap(findingsFor));
  const invented = findings.filter((id) => FAULT_FINDINGS.has(id) && !expected.has(id));
  if (problems.length === 0 && invented.length === 0) return [{ what: 'fault', domain, verdict: 'left alone' }];
  return [
    ...problems.map((problem): Decision => {
      const found = findingsFor(problem).some((id) => findings.includes(id));
      return { what: found ? 'fault' : `fault "${problem}"`, domain, verdict: found ? 'right' : 'missed' };
    }),
    ...invented.map((id): Decision => ({ what: `finding ${id}`, domain, verdict: 'invented' })),
  ];
}

async function measureMailauth(mailauth: NpmPeer, zones: readonly LabelledZone[]): Promise<ToolResult> {
  const questions = zones.map(
    ({ domain, zone }): SpfQuestion => ({ zone, ip: '198.18.255.254', sender: `someone@${domain}`, helo: domain }),
  );
  const { tool, results, seconds } = await askMailauthSpf(mailauth, questions);
  const decisions: Decision[] = [];
  for (const [at, { domain, zone, expected }] of zones.entries()) {
    const spf = results[at] === 'pass' ? 'pass_all' : results[at];
    const dmarc = await askMailauthDmarc(mailauth, domain, zone);
    // It knows no state between a record and none.
    const policy = expected.dmarc === 'malformed' ? 'none_found' : expected.dmarc;
    decisions.push({ what: 'SPF', domain, verdict: spf === expected.spf ? 'right' : 'wrong' });
    decisions.push({ what: 'DMARC', domain, verdict: dmarc === policy ? 'right' : 'wrong' });
  }
  return { tool, counts: countsOf(decisions), seconds, speed: null };
}

async function measureSuite(
  path: string,
  withPeers: boolean,
  mailauth: NpmPeer | null,
  notes: string[],
): Promise<CorpusQuality> {
  const cases = readSpfSuite(path);
  const judge = (tool: string, given: readonly string[], seconds: number): ToolResult => ({
    tool,
    counts: countsOf(
      cases.map(({ name, results }, at) => ({
        what: 'SPF',
        domain: name,
        verdict: results.includes(given[at]!) ? 'right' : 'wrong',
      })),
    ),
    seconds,
    speed: `${Math.round(cases.length / seconds)} messages/s`,
  });
  const started = performance.now();
  const own: string[] = [];
  for (const { zone, ip, sender, helo } of cases)
    own.push((await checkHost({ ip, sender, helo }, zoneDns(zone))).result);
  const tools = [judge('Sextant', own, (performance.now() - started) / 1000)];
  const pyspf = withPeers ? askPyspf(cases) : null;
  if (withPeers && pyspf === null) notes.push('pyspf (Debian: python3-spf) is not installed.');
  for (const peer of [mailauth === null ? null : await askMailauthSpf(mailauth, cases), pyspf])
    if (peer !== null) tools.push(judge(peer.tool, peer.results, peer.seconds));
  return { name: 'RFC 7208 suite', origin: 'public', size: `${cases.length} messages`, results: tools };
}

/** A decision that is wrong is a false positive, and a miss. */
function countsOf(decisions: readonly Decision[]): Counts {
  const number = (...verdicts: Decision['verdict'][]): number =>
    decisions.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const leftAlone = number('left alone');
  return {
    truePositives: number('right'),
    falsePositives: number('wrong', 'invented'),
    falseNegatives: number('wrong', 'missed'),
    trueNegatives: leftAlone === 0 ? null : leftAlone,
  };
}
