import * as analysis from '../analysis/injection/check-injection.ts';
import { parseSyntax } from './syntax-parser.ts';

/** Checks code for injections in the calling thread, without a time limit of its own; the parser is loaded on first use. */
export function checkInjectionInThisThread(input: analysis.InjectionInput): Promise<analysis.InjectionOutput> {
  return analysis.checkInjection(input, parseSyntax);
}
