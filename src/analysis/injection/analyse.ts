import { compile } from './rules/compiled-rules.ts';
import { type Finding, Findings } from './findings.ts';
import { Flow } from './flow/flow-analysis.ts';
import type { Language } from './languages.ts';
import { lowerProgram } from './lowering/lower-program.ts';
import type { SyntaxNode } from './syntax-tree.ts';

export interface TreeResult {
  readonly findings: Finding[];
  readonly gaps: string[];
  /** Places where a value goes out of sight. */
  readonly unfollowed: { line: number; says: string }[];
}

/** Findings from the syntax tree of the code, in order of lines; without `parameters`, not what only a parameter brings. `gaps`: what was left out because of a bound. */
export function analyseTree(
  root: SyntaxNode,
  code: string,
  { grammar, rules }: Language,
  parameters: boolean,
): TreeResult {
  const findings = new Findings(code);
  const program = lowerProgram(root, code, grammar);
  const flow = new Flow(program, compile(rules), findings);
  flow.run();
  const gaps: string[] = [];
  if (program.tooDeep > 0) gaps.push('the code is nested so deeply that its innermost parts were left out');
  if (flow.exhausted) gaps.push('the code has too many steps to be followed to its end');
  return { findings: findings.list(parameters), gaps, unfollowed: findings.unfollowed() };
}
