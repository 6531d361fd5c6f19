import type { z } from 'zod';
import type { Verdict } from '../engine/evidence.ts';
import { asksOutside, type Operation, type OperationInput } from '../engine/operation.ts';
import type { PageCallContext } from '../engine/page-call-context.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runOperation, runOperationToJson, type RunnerDeps } from '../engine/runner.ts';
import { toApiError, type ApiError } from '../errors.ts';
import type { Answered, Outcome, PageContext } from './page.ts';

/** The context of one page: it notes what was answered, for the foot. */
export class RecordingPageContext implements PageContext {
  readonly now: Date;
  readonly operations: readonly Operation[];
  readonly answered: Answered[] = [];
  /** The caller was charged, or was to be. */
  isCharged = false;
  readonly #runnerDeps: RunnerDeps;
  readonly #call: PageCallContext;

  constructor(operations: readonly Operation[], runnerDeps: RunnerDeps, call: PageCallContext) {
    this.operations = operations;
    this.#runnerDeps = runnerDeps;
    this.#call = call;
    this.now = runnerDeps.now();
  }

  async ask<In extends z.ZodObject, Out extends z.ZodObject>(
    operation: Operation<In, Out>,
    input: z.input<In>,
  ): Promise<z.output<Out>> {
    this.isCharged = true;
    const general = operation as unknown as Operation;
    return this.#note(general, input, parseAnswer(await this.#call.ask(general, () => this.#parse(general, input))));
  }

  async askWithKey<In extends z.ZodObject, Out extends z.ZodObject>(
    key: string,
    operation: Operation<In, Out>,
    input: z.input<In>,
  ): Promise<z.output<Out>> {
    const general = operation as unknown as Operation;
    const json = await this.#call.askWithKey(key, general, () => this.#parse(general, input));
    return this.#note(general, input, parseAnswer(json));
  }

  async askCatalog<In extends z.ZodObject, Out extends z.ZodObject>(
    operation: Operation<In, Out>,
    input: z.input<In>,
  ): Promise<z.output<Out>> {
    const general = operation as unknown as Operation;
    if (asksOutside(general)) throw new Error(`${general.id} may ask outside: it is charged, so ask it by "ask"`);
    const call = {
      disconnectSignal: () => this.#call.disconnectSignal(),
      reportInternalError: (error: unknown) => this.#call.reportInternalError(error),
    };
    const parsed = this.#parse(general, input);
    // The response cache holds JSON; what it does not hold needs no detour.
    const answer = general.cacheable
      ? parseAnswer(await runOperationToJson(general, parsed, this.#runnerDeps, call))
      : await runOperation(general, parsed, this.#runnerDeps, call);
    return this.#note(general, input, answer);
  }

  tryAsk<In extends z.ZodObject, Out extends z.ZodObject>(
    operation: Operation<In, Out>,
    input: z.input<In>,
  ): Promise<Outcome<z.output<Out>>> {
    return this.#outcomeOf(this.ask(operation, input));
  }

  tryAskCatalog<In extends z.ZodObject, Out extends z.ZodObject>(
    operation: Operation<In, Out>,
    input: z.input<In>,
  ): Promise<Outcome<z.output<Out>>> {
    return this.#outcomeOf(this.askCatalog(operation, input));
  }

  #parse(operation: Operation, input: OperationInput): OperationInput {
    return parseInput(operation, withoutUndefined(input), this.operations, []);
  }

  #note<Answer>(operation: Operation, input: OperationInput, answer: Record<string, unknown>): Answer {
    const { verdict = null } = answer as { verdict?: Verdict };
    this.answered.push({ operation, input: withoutUndefined(input), verdict });
    return answer as Answer;
  }

  async #outcomeOf<T>(asked: Promise<T>): Promise<Outcome<T>> {
    try {
      return { answer: await asked, error: null };
    } catch (thrown) {
      return { answer: null, error: this.toReportedError(thrown) };
    }
  }

  /** The error for the reader; a fault of this service is logged. */
  toReportedError(thrown: unknown): ApiError {
    const error = toApiError(thrown);
    if (error.code === 'internal_error') this.#call.reportInternalError(thrown);
    return error;
  }
}

function parseAnswer(json: Buffer): Record<string, unknown> {
  return JSON.parse(json.toString());
}

function withoutUndefined(input: OperationInput): OperationInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
