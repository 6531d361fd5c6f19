import type { ApiError } from '../errors.ts';
import type { PageCall, PageCallContext, PageResponse } from '../engine/page-call-context.ts';

/** A page as far as HTTP is concerned. */
export interface PageRoute {
  /** With `:name` for parameters; `*name` at the end takes the rest. */
  readonly path: string;
  readonly methods?: readonly ('GET' | 'POST')[];
}

/** Answers requests for pages. An interface, because src/http does not import src/pages; src/server connects them. */
export interface PageRequestHandler<Page extends PageRoute = PageRoute> {
  readonly pages: readonly Page[];
  findAsset(path: string): { type: string; body: string } | null;
  /** A browser: it names HTML, so that it gets errors of unknown paths as pages too. */
  acceptsHtml(accept: string | undefined): boolean;
  prefersJson(accept: string | undefined): boolean;
  answer(page: Page, call: PageCall, callContext: PageCallContext): Promise<PageResponse>;
  renderError(error: ApiError, call: Pick<PageCall, 'url' | 'origin' | 'requestId' | 'notice'>): PageResponse;
}
