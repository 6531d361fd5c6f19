import { describeNearMiss } from '../../analysis/recognize-text.ts';
import { quoteInput } from '../../engine/input/identifiers.ts';
import { parseInput } from '../../engine/input/parse-input.ts';
import type { Operation, OperationInput } from '../../engine/operation.ts';
import type { RunnerDeps } from '../../engine/runner.ts';
import { ApiError } from '../../errors.ts';
import { CliError } from '../../exit-codes.ts';
import type { TryAsk } from '../../operations/cve/lib/find-product.ts';
import { cveSearch } from '../../operations/cve/cve-search.ts';
import { iocLookup } from '../../operations/indicators/ioc-lookup.ts';
import { OPERATIONS } from '../../operations/list.ts';
import { questionOfText, questionOfWords, siteOfUrl, type TextQuestion } from '../../operations/question-of-text.ts';
import type { PrintOptions } from '../print-options.ts';
import { runHere, viewInputOf } from '../run-and-print.ts';
import type { Thing } from './read-things.ts';
import { vectorAnswer } from './vector-answer.ts';

type Answer = Record<string, unknown>;

/** What one thing is, by the question that was asked about it. `operation`: null where no operation was needed. */
export interface Found {
  readonly operation: Operation | null;
  readonly input: OperationInput;
  readonly answer: Answer;
}

/** How questions are asked. */
export interface LookupOptions {
  /** One of many: what is known of an indicator, instead of a whole report. */
  readonly isBrief: boolean;
  readonly print: PrintOptions;
}

/** Looks up one thing. Throws `CliError` where it is not recognised, or where nothing is found by words; `ApiError`. */
export async function lookUp(thing: Thing, deps: RunnerDeps, { isBrief, print }: LookupOptions): Promise<Found> {
  const vector = thing.kind === 'cvss_vector' ? vectorAnswer(thing.value) : null;
  if (vector !== null) return { operation: null, input: { vector: vector.vector }, answer: { ...vector } };
  const { operation, input: given } = await questionAbout(thing, deps, isBrief);
  const viewInput = isBrief ? {} : await viewInputOf(operation, print);
  const input = parseInput(operation, { ...viewInput, ...given }, OPERATIONS);
  const answer = await runHere(operation, input, deps);
  if (operation.id === cveSearch.id && answer['total'] === 0)
    throw new CliError('not_found', `${quoteInput(thing.given)}: ${String(answer['summary'])}`);
  return { operation, input, answer };
}

async function questionAbout(thing: Thing, deps: RunnerDeps, isBrief: boolean): Promise<TextQuestion> {
  const indicator = isBrief ? indicatorOf(thing) : null;
  if (indicator !== null) return { operation: iocLookup as unknown as Operation, input: { indicator } };
  const question = questionOfText(thing);
  if (question !== null) return question;
  const nearMiss = describeNearMiss(thing.value);
  if (nearMiss !== null) throw new CliError('usage', `${quoteInput(thing.given)} is not recognised. ${nearMiss}`);
  return questionOfWords(thing.value, tryAskOf(deps));
}

/** What threat lists are asked about; a list of domains is no request for a report about each. */
function indicatorOf({ kind, value }: Thing): string | null {
  if (kind === 'url') return siteOfUrl(value) ?? value;
  return kind === 'ip' || kind === 'domain' || kind === 'hash' ? value : null;
}

/** Asks an operation in this process; its errors are no answer. */
export function tryAskOf(deps: RunnerDeps): TryAsk {
  return async (operation, input) => {
    try {
      const general = operation as unknown as Operation;
      const answer = await runHere(general, parseInput(general, input, OPERATIONS), deps);
      return { answer: answer as never };
    } catch (error) {
      if (error instanceof ApiError) return { answer: null };
      throw error;
    }
  };
}
