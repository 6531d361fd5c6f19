import type { AnalysisQuality, CorpusQuality, Mistake } from './analysis-quality.ts';
import { f1Of, falsePositiveRateOf, precisionOf, recallOf } from './counts.ts';

export interface Circumstances {
  readonly cores: number;
  /** Load average of the last minute, before the run. */
  readonly load: number;
  readonly node: string;
  readonly day: Date;
}

const ORIGINS: Readonly<Record<CorpusQuality['origin'], string>> = {
  own: 'own, written beside the rules',
  blind: 'blind, written by someone who had not read the rules',
  read: 'blind, but read since to learn what is missed',
  public: 'public suite',
  lab: 'servers of the lab',
};

/** The text of docs/quality.md: for each analysis its corpora with a row for each tool, and the commonest mistakes. */
export function renderQuality(analyses: readonly AnalysisQuality[], { cores, load, node, day }: Circumstances): string {
  return [
    '# Quality of the analyses',
    `What each analysis gets right and wrong, on material whose answers are known. Made by \`npm run quality\`; do not edit. One run on ${day.toISOString().slice(0, 10)}, ${cores} cores, load before it ${load.toFixed(1)}, Node ${node.slice(1)}.`,
    'Figures of material that was written beside the rules, or read since, flatter; those of blind material and of other projects count. TP: found, and there. FP: found, and not there. FN: there, and not found. FPR: share of what is to be left alone that was reported.',
    ...analyses.flatMap(renderAnalysis),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderAnalysis({ title, corpora, mistakes, notes }: AnalysisQuality): string[] {
  return [
    `## ${title}`,
    renderCorpora(corpora),
    ...(mistakes.length === 0 ? [] : ['The commonest mistakes that are left:', renderMistakes(mistakes)]),
    ...(notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join('\n')]),
  ];
}

function renderCorpora(corpora: readonly CorpusQuality[]): string {
  const rows = corpora.flatMap(({ name, origin, size, results }) =>
    results.map(({ tool, counts, speed, seconds }, at) => [
      at === 0 ? `${name} (${ORIGINS[origin]}; ${size})` : '',
      tool,
      String(counts.truePositives),
      String(counts.falsePositives ?? ''),
      String(counts.falseNegatives),
      ...[precisionOf(counts), recallOf(counts), f1Of(counts), falsePositiveRateOf(counts)].map(formatShare),
      seconds === null ? '' : `${seconds.toPrecision(2)} s`,
      speed ?? '',
    ]),
  );
  return renderTable(['corpus', 'tool', 'TP', 'FP', 'FN', 'precision', 'recall', 'F1', 'FPR', 'time', 'speed'], rows);
}

function renderMistakes(mistakes: readonly Mistake[]): string {
  return renderTable(
    ['mistake', 'cases', 'example'],
    mistakes.map(({ kind, count, example }) => [kind, String(count), `\`${example}\``]),
  );
}

function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function formatShare(share: number | null): string {
  return share === null ? '' : share.toFixed(3);
}
