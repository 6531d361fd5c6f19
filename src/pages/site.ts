import { ApiError } from '../errors.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import type { Operation } from '../engine/operation.ts';
import type { PageCall, PageCallContext, PageResponse } from '../engine/page-call-context.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { createLruCache } from '../lru-cache.ts';
import { findAsset } from './assets.ts';
import { documentEnd, documentStart } from './document.ts';
import { errorPage } from './error-page.ts';
import { renderLateParts } from './late-parts.ts';
import { acceptsHtml, preferredType } from './negotiation.ts';
import { RecordingPageContext } from './page-context.ts';
import type { LatePart, Page, PageContent, PageFile, PageRequest } from './page.ts';
import { evidenceFoot } from './parts/evidence-foot.ts';
import { errorNote } from './parts/states.ts';
import { questionPath } from './question-text.ts';
import { readForm } from './read-form.ts';

/** Pages that are kept for a moment. */
const MAX_KEPT = 50;
const HTML = { 'content-type': 'text/html; charset=utf-8', vary: 'Accept' } as const;

/** The pages of the service: finds them, asks their questions, and puts them into their frame. */
export class PageSite {
  readonly pages: readonly Page[];
  readonly #operations: readonly Operation[];
  readonly #runnerDeps: RunnerDeps;
  /** Pages that are free, by origin and address. */
  readonly #kept = createLruCache<string, { response: PageResponse; untilMs: number }>(MAX_KEPT);

  constructor(pages: readonly Page[], operations: readonly Operation[], runnerDeps: RunnerDeps) {
    this.pages = pages;
    this.#operations = operations;
    this.#runnerDeps = runnerDeps;
  }

  /** The file at a path below `/assets`; null if there is none. */
  findAsset(path: string): { type: string; body: string } | null {
    return findAsset(path);
  }

  /** True where a client that sends this Accept header is to get errors as pages. */
  acceptsHtml(accept: string | undefined): boolean {
    return acceptsHtml(accept);
  }

  /** True where a client wants the data of a page. */
  prefersJson(accept: string | undefined): boolean {
    return preferredType(accept) === 'json';
  }

  /** Answers a request for one of the pages. Throws `ApiError` to clients that prefer JSON. */
  async answer(page: Page, call: PageCall, callContext: PageCallContext): Promise<PageResponse> {
    const request = await toPageRequest(call);
    if (page.question !== undefined && call.method === 'GET' && this.prefersJson(call.accept)) {
      return answerAsJson(page.question(request), callContext, this.#operations);
    }
    const key = `${call.origin} ${call.url}`;
    const nowMs = this.#runnerDeps.now().getTime();
    const kept = call.method === 'GET' && call.notice === null ? this.#kept.get(key) : undefined;
    if (kept !== undefined && nowMs < kept.untilMs) return kept.response;
    const context = new RecordingPageContext(this.#operations, this.#runnerDeps, callContext);
    try {
      const content = await page.render(request, context);
      const response = toResponse(content, request, context);
      if (page.keptMs !== undefined && !context.isCharged && mayBeKept(call, response)) {
        this.#kept.set(key, { response, untilMs: nowMs + page.keptMs });
      }
      return response;
    } catch (thrown) {
      if (this.prefersJson(call.accept)) throw thrown;
      return this.renderError(context.toReportedError(thrown), call);
    }
  }

  /** The page of an error: what was wrong, and what would be right. */
  renderError(error: ApiError, call: Pick<PageCall, 'url' | 'origin' | 'requestId' | 'notice'>): PageResponse {
    const request: PageRequest = { method: 'GET', params: {}, query: queryOf(call.url), form: null, ...call };
    const content = errorPage(error, request, call.requestId, this.pages);
    const body = `${documentStart(content, request)}${content.main}${documentEnd(null)}`;
    return { status: error.status, headers: { ...HTML }, body };
  }
}

/** Of a free page: it is whole, and the same for all. */
function mayBeKept({ method, notice }: PageCall, { status, body }: PageResponse): boolean {
  return method === 'GET' && notice === null && status === 200 && typeof body === 'string';
}

function queryOf(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start));
}

async function toPageRequest({ body, ...call }: PageCall): Promise<PageRequest> {
  const { method, url, params, query, origin, notice } = call;
  return { method, url, params, query, origin, notice, form: body === null ? null : await readForm(body) };
}

async function answerAsJson(
  { operation, input }: ReturnType<NonNullable<Page['question']>>,
  callContext: PageCallContext,
  operations: readonly Operation[],
): Promise<PageResponse> {
  const body = await callContext.ask(operation, () => parseInput(operation, { ...input }, operations, []));
  const path = questionPath(operation, input);
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      vary: 'Accept',
      ...(path !== null && { 'content-location': path }),
    },
    body,
  };
}

function toResponse(content: PageContent, request: PageRequest, context: RecordingPageContext): PageResponse {
  if ('redirectTo' in content)
    return { status: 303, headers: { ...content.headers, location: ownPath(content.redirectTo) }, body: '' };
  if ('file' in content)
    return { status: 200, headers: { ...content.headers, ...fileHeaders(content.file) }, body: content.file.body };
  const { status = 200, headers = {}, parts = [] } = content;
  const start = `${documentStart(content, request)}${content.main}`;
  const end = (): string => String(documentEnd(evidenceFoot(context.answered, request.origin, content.hidesInput)));
  const body = parts.length === 0 ? start + end() : renderInPieces(start, withoutFailure(parts, context), end);
  return { status, headers: { ...HTML, ...headers }, body };
}

/** The parts, where one that fails says so: a reader who has left must not leave an error behind that nobody handles. */
function withoutFailure(parts: readonly LatePart[], context: RecordingPageContext): LatePart[] {
  return parts.map((part) => ({
    ...part,
    content: part.content.catch((thrown: unknown) => errorNote(context.toReportedError(thrown), 'This part')),
  }));
}

async function* renderInPieces(start: string, parts: readonly LatePart[], end: () => string): AsyncGenerator<string> {
  yield start;
  for await (const piece of renderLateParts(parts)) yield String(piece);
  yield end();
}

/** A redirect leads to this service alone: two slashes or a backslash would name another host. */
function ownPath(path: string): string {
  if (!/^\/(?![/\\])[^\\\s]*$/.test(path)) throw new Error('a page redirects to a path of this service only');
  return path;
}

function fileHeaders({ type, name }: PageFile['file']): Record<string, string> {
  return {
    'content-type': type,
    ...(name !== null && { 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}"` }),
  };
}
