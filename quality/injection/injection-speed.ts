import { FlowAnalysis } from '../../src/analysis/injection/flow/flow-analysis.ts';
import { Findings } from '../../src/analysis/injection/findings.ts';
import { SourceText } from '../../src/analysis/injection/source-text.ts';
import { languageNamed } from '../../src/analysis/injection/languages.ts';
import { lowerProgram } from '../../src/analysis/injection/lowering/lower-program.ts';
import { compileRules } from '../../src/analysis/injection/rules/compiled-rules.ts';
import { parseSyntax } from '../../src/threads/syntax-parser.ts';

/** Rounds, of which the fastest counts: the first ones are slow until the code is compiled. */
const ROUNDS = 6;
const SIZE = 512 * 1024;
const MAX_ERRORS = 40;
/** Between programs: each file of PHP begins outside of PHP. */
const BETWEEN: Readonly<Record<string, string>> = { php: '\n?>\n' };

/** CPU time of this thread, in milliseconds. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The text with other names of its classes and functions, so that it is more code and not the same once more. Short names may be keywords. */
function renamed(source: string, round: number): string {
  const declared = source.matchAll(
    /\b(?:class|interface|record|struct|enum|module|type|func|def|function|void|const)\s+(?!string\b)(\w{5,})/g,
  );
  const names = new Set([...declared].map(([, name]) => name!));
  return source.replaceAll(/\b\w+\b/g, (word) => (names.has(word) ? `${word}${round}` : word));
}

/** How long half a megabyte of the programs takes, said in words: parsing alone, and the analysis of the tree. */
export async function describeSpeed(name: string, programs: readonly string[]): Promise<string> {
  const language = languageNamed(name)!;
  const source = programs.map((program) => `${program}${BETWEEN[name] ?? '\n'}`).join('');
  const rounds = Array.from({ length: Math.ceil(SIZE / source.length) }, (_, round) => renamed(source, round));
  const text = rounds.join('').slice(0, SIZE);
  let [parsing, following] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    const started = cpuMs();
    const tree = await parseSyntax(text, language.parsers[0]!);
    const parsed = cpuMs();
    if (tree === null) return `${name}: could not be parsed in its time`;
    // The last program is cut, and the corpus has what a grammar does not know; more would measure how errors are skipped.
    if (tree.truncatedAtOffset !== null || tree.errorCount > MAX_ERRORS)
      return `${name}: not measured, as the parser read it with ${tree.errorCount} errors`;
    const program = lowerProgram(tree.root, text, language.grammar);
    new FlowAnalysis(program, compileRules(language.rules), new Findings(new SourceText(text))).run();
    parsing = Math.min(parsing, parsed - started);
    following = Math.min(following, cpuMs() - parsed);
  }
  const rate = (ms: number): string => `${(text.length / 1e3 / ms).toFixed(1)} MB/s`;
  return `${name}: parsing ${parsing.toFixed(0)} ms (${rate(parsing)}), the analysis of the tree ${following.toFixed(0)} ms (${rate(following)})`;
}
