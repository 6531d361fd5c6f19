import { z } from 'zod';
import { ForeignText } from './foreign-text.ts';
import type { IdentifierKind } from '../analysis/identifier-kind.ts';
import type { Context, PersonalContext } from './context.ts';
import { Verdict } from './evidence.ts';

/** What can be asked, defined once. Every surface (REST, OpenAPI, MCP, command line, reference) derives from this object. */
export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodObject = z.ZodObject> {
  /** OpenAPI operationId, MCP tool name, command name (with `-`). */
  readonly id: string;
  readonly area: Area;
  /** A few words for lists. */
  readonly title: string;
  /** One to three sentences: what it answers, and what it does not cover. */
  readonly description: string;
  /**
   * `GET /v1/cve/:cve_id`. `:name` are path parameters; a GET or DELETE takes the rest from the query, a POST or PATCH from the body (but
   * `include`).
   * Null: it is not asked over REST.
   */
  readonly route: HttpRoute | null;
  /** The input field that names one thing, and the kind of thing: how error messages find this operation. */
  readonly subject?: { kind: IdentifierKind; field: string };
  readonly input: In;
  readonly output: Out;
  /** Tokens of the caller's quota for one call; a function where it depends on the input (bulk). */
  readonly cost: number | ((input: z.output<In>) => number);
  /** The answer depends on input and catalog alone, not on time: it may be cached for the life of the catalog generation. */
  readonly cacheable: boolean;
  /** Of an operation that is not cacheable: whether the answer to this input is. */
  readonly cacheableWhen?: (input: z.output<In>) => boolean;
  /** The longest time for an answer; what is missing then becomes a gap in it. */
  readonly deadlineMs: number;
  /**
   * A call over many items: the input field with the list, the form in which two items are the same, the field of each result that
   * holds what was found, and the most important fields of that.
   */
  readonly bulk?: {
    listField: string;
    canonical: (item: unknown) => string;
    answerField?: string;
    briefFields?: readonly string[];
  };
  /**
   * Reads what must be read before the price of a call is known: the packages of a lockfile. Throws `ApiError` 422. Input without a
   * document is returned unchanged.
   */
  prepareInput?(input: OperationInput): Promise<OperationInput>;
  /** Whether `prepareInput` is quick: then it runs before the quota is checked. Default: no. */
  isQuickToPrepare?(input: OperationInput): boolean;
  /**
   * The answer is about the caller. `anyone`: any caller; `pro`: only with a Pro key; both not on surfaces without callers (command
   * line). `owner`: it is about what the caller keeps here, for callers who are known again: with a key or an access token, and local
   * callers without a limit. `optional`: it remembers something for the caller, and answers on every surface.
   */
  readonly personal?: 'anyone' | 'pro' | 'owner' | 'optional';
  readonly examples: readonly Example<z.input<In>>[];
  /** MCP; absent: REST and command line only. */
  readonly tool?: McpToolOptions;
  /** Fields of the answer that a reader can verify at the source. */
  readonly falsifiableFields: readonly string[];
  answer(input: z.output<In>, context: Context): Answer<Out> | Promise<Answer<Out>>;
  /** Further operations that this answer makes useful. */
  nextCalls?(answer: Answer<Out>, input: z.output<In>): NextCall[];
}

/** Areas of operations, with their descriptions for lists of operations and tools. */
export const AREAS = {
  cve: 'CVEs, weaknesses, exploitation and public exploits.',
  attack: 'Attack techniques, and what sees and stops them (MITRE ATT&CK).',
  atlas: 'Attack techniques against AI systems, and case studies (MITRE ATLAS).',
  d3fend: 'Defenses, and what they defend against (MITRE D3FEND).',
  sigma: 'Detection rules (SigmaHQ).',
  domain: 'Domains: DNS, registration, certificates, subdomains, history, and reports that join them.',
  ip: 'IP addresses and networks: reputation, exposure, routing.',
  email: 'Mail: posture of a domain, disposable and verifiable addresses.',
  web: 'Web sites: headers, technologies, redirects, robots.txt, how pages present themselves.',
  indicators: 'Threat indicators, file hashes, phishing, breached passwords, phones and usernames.',
  code: 'Code, headers and packages checked before they ship.',
  watches: 'What is watched for its owner: what changed about it, and where that is delivered.',
  service: 'The service itself: its sources, and what it stores about the caller.',
} as const;
export type Area = keyof typeof AREAS;
export type HttpMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type HttpRoute = `${HttpMethod} /${string}`;

/** Input that satisfies the operation's schema. */
export type OperationInput = Record<string, unknown>;

export interface Example<Input> {
  title: string;
  input: Input;
}

export interface McpToolOptions {
  /** For a model: when to use it, and when a similar tool fits better. */
  readonly description: string;
  /** True where answering leaves this machine. */
  readonly openWorld: boolean;
  /** May take many seconds: clients may run it as a task. Bulk operations may, too. */
  readonly longRunning?: boolean;
  /** Default inputs for MCP where they differ from REST, because the context of a model is short. */
  readonly inputDefaults?: Readonly<Record<string, unknown>>;
}

/** What `answer` returns: the output without what the runner adds. */
export type Answer<Out extends z.ZodObject> = Omit<z.output<Out>, 'verdict' | 'next_calls'>;

export const NextCall = z
  .object({
    tool: z.string(),
    input: z.string(),
    value: z.string().meta({ description: 'As input.' }),
    reason: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'NextCall' });
/** As operations give it; the runner adds `value`. */
export type NextCall = Omit<z.infer<typeof NextCall>, 'value'>;

type OptionalField = 'falsifiableFields' | 'cacheable' | 'deadlineMs';
type OperationDefinition<In extends z.ZodObject, Out extends z.ZodObject> = Omit<Operation<In, Out>, OptionalField> &
  Partial<Pick<Operation<In, Out>, OptionalField>>;
/** An answer with a verdict must say which of its fields can be verified. */
type RequiredWithVerdict<Out extends z.ZodObject> = 'verdict' extends keyof Out['shape']
  ? Pick<Operation, 'falsifiableFields'>
  : unknown;

const DEFAULT_DEADLINE_MS = 20_000;

/** Defines an operation; types of input and answer follow from the schemas. */
export function defineOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  given: OperationDefinition<In, Out> & RequiredWithVerdict<Out>,
): Operation<In, Out> {
  return { falsifiableFields: [], cacheable: false, deadlineMs: DEFAULT_DEADLINE_MS, ...given };
}

/** Defines an operation about its caller: only its context has `self`. */
export function definePersonalOperation<In extends z.ZodObject, Out extends z.ZodObject>(
  given: Omit<OperationDefinition<In, Out>, 'answer' | 'personal'> &
    RequiredWithVerdict<Out> & {
      personal: 'anyone' | 'pro' | 'owner';
      answer(input: z.output<In>, context: PersonalContext): Answer<Out> | Promise<Answer<Out>>;
    },
): Operation<In, Out> {
  // The runner adds `self` to the context of personal operations.
  return defineOperation(given as unknown as OperationDefinition<In, Out> & RequiredWithVerdict<Out>);
}

/** Areas whose operations ask the target or live sources, where the operation does not say it for models. */
const OUTSIDE_AREAS: ReadonlySet<Area> = new Set(['domain', 'ip', 'email', 'web', 'indicators']);

/** Whether answering may leave this machine. */
export function asksOutside({ area, tool }: Pick<Operation, 'area' | 'tool'>): boolean {
  return tool?.openWorld ?? OUTSIDE_AREAS.has(area);
}

/** Whether an operation needs a known caller. */
export function needsCaller({ personal }: Operation): boolean {
  return personal !== undefined && personal !== 'optional';
}

/** Whether callers without a key or an access token are refused; those of `owner` may also be local ones without a limit. */
export function needsCredentials({ personal }: Pick<Operation, 'personal'>): boolean {
  return personal === 'pro' || personal === 'owner';
}

/** The output of a look-up: its fields, and what the runner adds to every look-up. */
export function lookupOutputSchema<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object({ ...shape, summary: SummaryField, verdict: Verdict, next_calls: z.array(NextCall) }).meta({ id });
}

export const SummaryField = ForeignText.max(300).meta({ description: 'The answer in a sentence or two.' });
