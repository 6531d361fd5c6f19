import { PagingLimitError, UnexpectedResponseError } from './errors.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { type PreparedRequest, Transport } from './transport.ts';

/** How an operation is called. */
export interface OperationRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/v1/cve/{cve_id}`. */
  path: string;
  /** Of a request with a body: fields that are sent in the query all the same. */
  query?: readonly string[];
  /** Of a list: the field with its rows. */
  rows?: string;
}

/** Types of one operation. `row`: of lists alone; null: it has pages, but not of one kind of row. */
export interface OperationTypes {
  input: object;
  answer: object;
  row?: unknown;
}
type OperationTable<Operations> = { [Id in keyof Operations]: OperationTypes };

/** Ids of operations that answer in pages. */
export type PagedId<Operations extends OperationTable<Operations>> = {
  [Id in keyof Operations]: Operations[Id] extends { row: unknown } ? Id : never;
}[keyof Operations];
/** Ids of operations that list rows. */
export type ListId<Operations extends OperationTable<Operations>> = {
  [Id in keyof Operations]: Operations[Id] extends { row: object } ? Id : never;
}[keyof Operations];

interface Page {
  next_offset: number | null;
  truncated?: boolean;
  total?: number;
}

/** Calls operations by their id. */
export class BaseClient<Operations extends OperationTable<Operations>> {
  readonly #routes: Readonly<Record<keyof Operations, OperationRoute>>;
  readonly #transport: Transport;

  constructor(routes: Readonly<Record<keyof Operations, OperationRoute>>, options: ClientOptions, product: string) {
    this.#routes = routes;
    this.#transport = new Transport(options, product);
  }

  /** The answer of an operation, called by its id: `call('cve_lookup', { cve_id })`. Errors: see `SextantError`. */
  async call<Id extends keyof Operations & string>(
    id: Id,
    input: Operations[Id]['input'],
    options: CallOptions = {},
  ): Promise<Operations[Id]['answer']> {
    const answer = await this.#transport.send(this.#prepare(id, input), options);
    if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer;
    throw new UnexpectedResponseError(id, 200, `${id}: the answer is no JSON object: is this a Sextant?`);
  }

  /**
   * The answers of an operation page by page, from `offset` of the input on. Each page is one call, made when it is asked for. A last
   * page that is `truncated` says that the service pages no further.
   */
  pages<Id extends PagedId<Operations> & string>(
    id: Id,
    input: Operations[Id]['input'],
    options: CallOptions = {},
  ): AsyncGenerator<Operations[Id]['answer'], void, undefined> {
    return this.#pages(id, input, options);
  }

  /**
   * The rows of a list, from all pages, in order; give `limit` for the size of the pages. Throws `PagingLimitError` after the last row
   * that can be had, where that is not the last one.
   */
  async *rows<Id extends ListId<Operations> & string>(
    id: Id,
    input: Operations[Id]['input'],
    options: CallOptions = {},
  ): AsyncGenerator<NonNullable<Operations[Id]['row']>, void, undefined> {
    const field = this.#routes[id].rows!;
    let received = (input as { offset?: number }).offset ?? 0;
    for await (const page of this.#pages(id, input, options)) {
      const rows = (page as Record<string, unknown>)[field] as NonNullable<Operations[Id]['row']>[];
      yield* rows;
      received += rows.length;
      const { next_offset, truncated, total = 0 } = page as Page;
      if (next_offset === null && truncated === true) throw new PagingLimitError(id, received, total);
    }
  }

  async *#pages<Id extends keyof Operations & string>(
    id: Id,
    input: Operations[Id]['input'],
    options: CallOptions,
  ): AsyncGenerator<Operations[Id]['answer'], void, undefined> {
    let offset = (input as { offset?: number }).offset ?? 0;
    for (let asked = input; ; asked = { ...input, offset }) {
      const page = await this.call(id, asked, options);
      yield page;
      const { next_offset: next } = page as Page;
      if (next === null) return;
      // An offset that does not grow would never end.
      if (!(next > offset)) throw new UnexpectedResponseError(id, 200, `${id}: its pages repeat.`);
      offset = next;
    }
  }

  #prepare(id: keyof Operations & string, input: object): PreparedRequest {
    const { method, path, query: queryNames } = this.#routes[id];
    const rest = { ...(input as Record<string, unknown>) };
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = rest[name];
      delete rest[name];
      // Without it the path would be that of another operation.
      if (value === undefined || value === null || value === '') throw new TypeError(`${id} needs ${name}.`);
      return encodePathPart(urlText(id, name, value));
    });
    const hasBody = method === 'POST' || method === 'PATCH';
    const query = new URLSearchParams();
    const body: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(rest)) {
      if (value === undefined) continue;
      if (hasBody && queryNames?.includes(name) !== true) body[name] = value;
      else query.append(name, urlText(id, name, value));
    }
    const search = query.toString();
    return {
      operation: id,
      method,
      path: search === '' ? filled : `${filled}?${search}`,
      body: hasBody ? JSON.stringify(body) : null,
    };
  }
}

/** A value as text of a URL. Throws a TypeError for a list or an object, which has no such text. */
function urlText(id: string, name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`${id}: ${name} is sent in the URL and must be a text, a number, true or false.`);
}

/** A part of a path; `.` and `..` would be taken as steps in the path, however they are encoded. */
function encodePathPart(value: string): string {
  if (value === '.' || value === '..') throw new TypeError(`"${value}" cannot be a part of a path.`);
  return encodeURIComponent(value);
}
