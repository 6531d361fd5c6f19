import * as analysis from '../analysis/injection/check-injection.ts';
import { parseSyntax } from './syntax-parser.ts';

/** The check for injections, with the parser that runs in a thread. */
export function checkInjection(input: analysis.InjectionInput): Promise<analysis.InjectionOutput> {
  return analysis.checkInjection(input, parseSyntax);
}
