import { dependencyBody, dependencySentence } from '../check/dependency-flaws.ts';
import type { DependencyAnswer, FindingsShown } from '../check/text-result.ts';
import { html, type Html } from '../html.ts';
import { paths } from '../links.ts';
import { inViewFrame } from './view-frame.ts';

/** A view is small: it has not what package URLs are made with, so that its CVEs are those of any version. */
const SHOWN: FindingsShown = {
  from: 0,
  pageFrom: null,
  hasFiles: false,
  links: { cve: (cveId) => paths.cve(cveId), package: () => null },
};

/** Flaws of packages, from the answer of `check_dependencies`. */
export function renderAnswer(answer: DependencyAnswer): Html {
  return inViewFrame(answer, html`<h1>${dependencySentence(answer)}</h1>${dependencyBody(answer, 'packages', SHOWN)}`);
}
