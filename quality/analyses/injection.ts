import { performance } from 'node:perf_hooks';
import { checkInjectionInThisThread } from '../../src/threads/check-injection-in-this-thread.ts';
import { labelledSnippets } from '../../test/analysis/injection/labelled.ts';
import type { AnalysisQuality, CorpusQuality, Material, ToolResult } from '../analysis-quality.ts';
import { blindBatches } from '../blind-batches.ts';
import { commonestMistakes, countsOf } from '../counts.ts';
import { banditPeer, eslintPeer, type InjectionPeer } from '../injection/injection-peers.ts';
import { describeSpeed } from '../injection/injection-speed.ts';
import { type LabelledProgram, type LabelledSink, readLabelledPrograms } from '../injection/labelled-programs.ts';

/** What the service says of one program. */
interface Answer {
  readonly found: ReadonlySet<string>;
  readonly isComplete: boolean;
}

const isFound = ({ line, also = [], type }: LabelledSink, found: ReadonlySet<string>): boolean =>
  [line, ...also].some((each) => found.has(`${each} ${type}`));

/** The injection analysis on labelled programs: a sink is found where a finding of its type is on its line. */
export async function measureQuality({ peers: folder }: Material): Promise<AnalysisQuality> {
  const notes: string[] = [];
  const peers = folder === null ? [] : availablePeers(folder, notes);
  const corpora: CorpusQuality[] = [];
  const mistakes: { kind: string; name: string }[] = [];
  for (const { name: batch, folder: place, origin } of blindBatches('injection')) {
    const programs = readLabelledPrograms(place);
    for (const [language, own] of Map.groupBy(programs, (program) => program.language)) {
      const { quality, answers } = await measureLanguage({ name: `${batch}: ${language}`, origin }, own, peers);
      corpora.push(quality);
      for (const [index, program] of own.entries()) mistakes.push(...mistakesIn(batch, program, answers[index]!));
      notes.push(...completenessNote(`${batch}: ${language}`, own, answers));
    }
  }
  corpora.push(await measureSnippets());
  notes.push(...(await speedNotes()));
  return { title: 'Injection', corpora, mistakes: commonestMistakes(mistakes), notes };
}

function availablePeers(folder: string, notes: string[]): InjectionPeer[] {
  const bandit = banditPeer();
  const eslint = eslintPeer(folder);
  if (bandit === null) notes.push('bandit (Debian) is not installed here: no peer for Python.');
  if (eslint === null) notes.push('eslint-plugin-security could not be installed: no peer for JavaScript.');
  notes.push(
    'For Java, PHP, Go, Ruby and C# no peer was found that npm or Debian has and that runs without a network. `@bearer/cli` of npm is another program than the scanner of that name; `@microsoft/eslint-plugin-sdl` has no rule for these three kinds.',
  );
  return [bandit, eslint].filter((peer) => peer !== null);
}

async function measureLanguage(
  { name, origin }: Pick<CorpusQuality, 'name' | 'origin'>,
  programs: readonly LabelledProgram[],
  peers: readonly InjectionPeer[],
): Promise<{ quality: CorpusQuality; answers: Answer[] }> {
  const started = performance.now();
  const answers: Answer[] = [];
  for (const { code, language } of programs) {
    const { findings, gaps } = await checkInjectionInThisThread({ code, language });
    answers.push({ found: new Set(findings.map(({ line, id }) => `${line} ${id}`)), isComplete: gaps.length === 0 });
  }
  const seconds = (performance.now() - started) / 1000;
  const own: ToolResult = {
    tool: 'Sextant',
    counts: countsOf(
      decisions(
        programs,
        answers.map(({ found }) => found),
      ),
    ),
    seconds,
    speed: speedOf(programs, seconds),
  };
  const others = peers
    .filter(({ languages }) => languages.includes(programs[0]!.language))
    .map((peer): ToolResult => {
      const begun = performance.now();
      const found = peer.check(programs);
      const taken = (performance.now() - begun) / 1000;
      return {
        tool: peer.tool,
        counts: countsOf(decisions(programs, found)),
        seconds: taken,
        speed: speedOf(programs, taken),
      };
    });
  const sinks = programs.reduce((sum, { unsafe, safe }) => sum + unsafe.length + safe.length, 0);
  const size = `${programs.length} programs, ${sinks} sinks`;
  return { quality: { name, origin, size, results: [own, ...others] }, answers };
}

function speedOf(programs: readonly { readonly code: string }[], seconds: number): string {
  const bytes = programs.reduce((sum, { code }) => sum + code.length, 0);
  return `${(bytes / 1e6 / seconds).toFixed(2)} MB/s`;
}

function* decisions(
  programs: readonly LabelledProgram[],
  found: readonly ReadonlySet<string>[],
): Generator<{ isThere: boolean; isReported: boolean }> {
  for (const [index, { unsafe, safe }] of programs.entries()) {
    for (const sink of unsafe) yield { isThere: true, isReported: isFound(sink, found[index]!) };
    for (const sink of safe) yield { isThere: false, isReported: isFound(sink, found[index]!) };
  }
}

function mistakesIn(
  batch: string,
  { file, language, about, unsafe, safe }: LabelledProgram,
  { found }: Answer,
): { kind: string; name: string }[] {
  const missed = unsafe.filter((sink) => !isFound(sink, found));
  const madeUp = safe.filter((sink) => isFound(sink, found));
  const name = ({ line }: LabelledSink): string => `${batch}/${file}:${line}`;
  return [
    ...missed.map((sink) => ({ kind: `${language}: ${about}: missed`, name: name(sink) })),
    ...madeUp.map((sink) => ({ kind: `${language}: ${about}: false`, name: name(sink) })),
  ];
}

/** How often an answer had no gap although an injection was missed. */
function completenessNote(name: string, programs: readonly LabelledProgram[], answers: readonly Answer[]): string[] {
  const wrong = programs.filter(
    ({ unsafe }, index) => answers[index]!.isComplete && unsafe.some((sink) => !isFound(sink, answers[index]!.found)),
  );
  if (wrong.length === 0) return [];
  const complete = answers.filter(({ isComplete }) => isComplete).length;
  return [`${name}: ${wrong.length} of ${complete} answers without a gap missed an injection.`];
}

/** The snippets of the tests: each line has its labels, all others are to be left alone. */
async function measureSnippets(): Promise<CorpusQuality> {
  const snippets = labelledSnippets();
  const started = performance.now();
  let [truePositives, falsePositives, falseNegatives] = [0, 0, 0];
  for (const { code, language, expected } of snippets) {
    const { findings } = await checkInjectionInThisThread({ code, language });
    const found = new Set(findings.map(({ line, id }) => `${line} ${id}`));
    for (const label of found) {
      if (expected.includes(label)) truePositives++;
      else falsePositives++;
    }
    falseNegatives += expected.filter((label) => !found.has(label)).length;
  }
  const counts = { truePositives, falsePositives, falseNegatives, trueNegatives: null };
  const seconds = (performance.now() - started) / 1000;
  return {
    name: 'snippets of the tests',
    origin: 'own',
    size: `${snippets.length} snippets in ${new Set(snippets.map(({ language }) => language)).size} languages`,
    results: [{ tool: 'Sextant', counts, seconds, speed: speedOf(snippets, seconds) }],
  };
}

/** Half a megabyte of each language, made of the programs of the first batch. */
async function speedNotes(): Promise<string[]> {
  const programs = readLabelledPrograms(blindBatches('injection')[0]!.folder);
  const texts = Map.groupBy(programs, ({ language }) => language);
  const lines: string[] = [];
  for (const [language, own] of texts) {
    lines.push(
      await describeSpeed(
        language,
        own.map(({ code }) => code),
      ),
    );
  }
  return lines.length === 0 ? [] : [`Half a megabyte, CPU time: ${lines.join('; ')}.`];
}
