/** Secrets in texts: labelled files of our own and of blind writers, sample strings of gitleaks, published sources of packages; beside secretlint. */
import { extname, join } from 'node:path';
import { scanSecrets } from '../../src/analysis/secrets/scan-secrets.ts';
import type { AnalysisQuality, CorpusQuality, Counts, MeasureQuality, ToolResult } from '../analysis-quality.ts';
import { blindBatches } from '../blind-batches.ts';
import { commonestMistakes, countsOf, type WrongCase } from '../counts.ts';
import { judgeFindings, lineStarts, type ReportedPlace } from '../secrets/judge-findings.ts';
import { packageSources } from '../secrets/package-sources.ts';
import { publicSamples } from '../secrets/public-samples.ts';
import type { SecretCase } from '../secrets/secret-case.ts';
import { installSecretlint, runSecretlint } from '../secrets/secretlint.ts';

const LABELLED: readonly (Pick<CorpusQuality, 'name' | 'origin'> & { module: string })[] = [
  { name: 'files beside the rules', origin: 'own', module: '../secrets/own-cases.ts' },
  ...blindBatches('secrets').map(({ name, folder, origin }) => ({ name, origin, module: join(folder, 'make.mjs') })),
];

interface Tool {
  readonly name: string;
  readonly run: (cases: readonly SecretCase[]) => { reported: readonly ReportedPlace[][]; seconds: number };
}

export const measureQuality: MeasureQuality = async ({ suites, peers }) => {
  const notes: string[] = [];
  const mistakes: WrongCase[] = [];
  const tools = [{ name: 'Sextant', run: runOurs }, ...peerTools(peers, notes)];
  const corpora: CorpusQuality[] = [];
  for (const { name, origin, module } of LABELLED) {
    const { cases } = (await import(module)) as { cases: () => SecretCase[] };
    corpora.push(measureCases({ name, origin }, cases(), tools, mistakes));
  }
  const sources = packageSources(join(import.meta.dirname, '../../node_modules'));
  corpora.push(
    measureCases({ name: 'installed packages, for false alarms', origin: 'public' }, sources, [tools[0]!], mistakes),
  );
  if (suites === null) notes.push('sample strings of gitleaks: no folder of suites was given.');
  else corpora.push(measureSamples(suites, tools));
  notes.push(
    'A secret is found when a finding covers its line and its value; every finding that covers none is a false alarm. Sample strings of gitleaks are judged whole: any finding.',
    'An access key id with its secret beside it is one finding, that of the secret; tokens of documentation and of tests of public libraries are none.',
    'Neither npm nor Debian has gitleaks, CredSweeper or detect-secrets. As published by the authors of CredData, F1 there is 0.33 for gitleaks and 0.86 for CredSweeper; that corpus is not here.',
  );
  return { title: 'Secrets', corpora, mistakes: commonestMistakes(mistakes), notes } satisfies AnalysisQuality;
};

/** This service on one thread, as `sextant check` reads a file. */
function runOurs(cases: readonly SecretCase[]): ReturnType<Tool['run']> {
  let milliseconds = 0;
  const reported = cases.map(({ path, text }) => {
    const started = performance.now();
    const { findings } = scanSecrets({ code: text, language: extname(path).slice(1) || 'auto', path });
    milliseconds += performance.now() - started;
    const starts = lineStarts(text);
    return findings.map(({ line, column, length = 0 }) => {
      const start = starts[line - 1]! + column - 1;
      return { line, start, end: start + length };
    });
  });
  return { reported, seconds: milliseconds / 1000 };
}

function peerTools(folder: string | null, notes: string[]): Tool[] {
  const secretlint = installSecretlint(folder);
  if (secretlint === null) {
    notes.push('secretlint was not run beside it.');
    return [];
  }
  return [{ name: `${secretlint.tool}, recommended preset`, run: (cases) => runSecretlint(secretlint, cases) }];
}

function measureCases(
  { name, origin }: Pick<CorpusQuality, 'name' | 'origin'>,
  cases: readonly SecretCase[],
  tools: readonly Tool[],
  mistakes: WrongCase[],
): CorpusQuality {
  const bytes = cases.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const secrets = cases.reduce((sum, one) => sum + one.secrets.length, 0);
  const clean = cases.reduce((sum, one) => sum + one.clean.length, 0);
  const size = `${cases.length} files, ${secrets} secrets, ${clean} look-alikes`;
  const results = tools.map(({ name: tool, run }, index): ToolResult => {
    const { reported, seconds } = run(cases);
    let trueNegatives = 0;
    const counts = {
      truePositives: 0,
      falsePositives: 0,
      falseNegatives: 0,
    };
    cases.forEach((one, at) => {
      const { found, missed, reportedClean, leftAlone, elsewhere } = judgeFindings(one, reported[at]!);
      counts.truePositives += found.length;
      counts.falseNegatives += missed.length;
      counts.falsePositives += reportedClean.length + elsewhere.length;
      trueNegatives += leftAlone.length;
      if (index !== 0) return;
      for (const { line } of missed) mistakes.push({ kind: `${one.about}: missed`, name: `${one.path}:${line}` });
      for (const { line } of [...reportedClean, ...elsewhere])
        mistakes.push({ kind: `${one.about}: false alarm`, name: `${one.path}:${line}` });
    });
    const rest = { trueNegatives: clean === 0 ? null : trueNegatives };
    return {
      tool,
      counts: { ...counts, ...rest } satisfies Counts,
      seconds,
      speed: `${(bytes / 1e6 / seconds).toPrecision(2)} MB/s`,
    };
  });
  return { name, origin, size, results };
}

function measureSamples(suites: string, tools: readonly Tool[]): CorpusQuality {
  const samples = publicSamples(suites);
  const cases = samples.map((one) => ({ ...one, path: one.path || 'sample.txt', secrets: [], clean: [] }));
  const asGiven = samples.map((one) => ({ ...one, secrets: [], clean: [] }));
  const results = tools.map(({ name, run }, index): ToolResult => {
    // A peer reads files, which have names.
    const { reported, seconds } = run(index === 0 ? asGiven : cases);
    const decisions = samples.map(({ hasSecret }, at) => ({
      isThere: hasSecret,
      isReported: reported[at]!.length > 0,
    }));
    return { tool: name, counts: countsOf(decisions), seconds, speed: null };
  });
  const there = samples.filter(({ hasSecret }) => hasSecret).length;
  return {
    name: 'sample strings of the rules of gitleaks',
    origin: 'public',
    size: `${there} texts with a secret, ${samples.length - there} without`,
    results,
  };
}
