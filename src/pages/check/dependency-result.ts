import { toDependencyProblem } from '../../operations/code/lib/report/to-problem.ts';
import { dependencyBody, dependencySentence } from './dependency-flaws.ts';
import { PACKAGE_LINKS } from './package-links.ts';
import type { DependencyAnswer, FindingsShown, TextResult } from './text-result.ts';

/** Flaws of packages: which upgrades mend most, then a table by risk, then what is not known. `id` is unique on the page. */
export function dependencyResult(
  answer: DependencyAnswer,
  file: string,
  id: string,
  shown: Omit<FindingsShown, 'links'> = { from: 0, pageFrom: null, hasFiles: true },
): TextResult {
  const { findings, total } = answer;
  return {
    sentence: dependencySentence(answer),
    body: dependencyBody(answer, id, { ...shown, links: PACKAGE_LINKS }),
    problems: findings.map((finding) => toDependencyProblem({ ...finding, file })),
    dependencies: total === 0 && answer.packages_given === 0 ? null : answer,
  };
}
