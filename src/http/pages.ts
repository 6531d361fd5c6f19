import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import { clearedKeyCookie } from '../access/key-cookie.ts';
import { isForeignForm } from '../access/origin-policy.ts';
import { ApiError } from '../errors.ts';
import type { PageCall, PageCallContext, PageResponse } from '../engine/page-call-context.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import type { RunnerDeps } from '../engine/runner.ts';
import { hasOptedOutOfTracking } from './caller-identification.ts';
import { type ContentCoding, acceptedCoding, encodeBody, encodePieces } from './content-coding.ts';
import { fromFrameworkError, sendError } from './error-responses.ts';
import { logInternalError } from './log-internal-error.ts';
import { disconnectSignalOf } from './operation-routes.ts';
import type { PageRequestHandler, PageRoute } from './page-request-handler.ts';
import { setQuotaHeaders } from './quota-headers.ts';
import { countRefusedRequest } from './refused-requests.ts';
import { requestOrigin } from './request-origin.ts';

/** Everything comes from this service, nothing is inline, no page may frame these, and forms are sent here alone. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // With no-referrer, browsers would send forms with "Origin: null", which is nobody's own page.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' } as const;

interface PagesDeps {
  handler: PageRequestHandler;
  access: Access;
  runnerDeps: RunnerDeps;
}

/** Mounts the pages and the files that they load. Their errors are pages too. */
export function mountPages(app: FastifyInstance, deps: PagesDeps): void {
  const { handler } = deps;
  app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { parseAs: 'buffer' },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.setErrorHandler((thrown, request, reply) => {
      if (handler.prefersJson(request.headers.accept)) {
        return sendError(deps.access, thrown, request, reply.header('vary', 'Accept'));
      }
      const error = thrown instanceof ApiError ? thrown : fromFrameworkError(thrown);
      if (error.code === 'internal_error') logInternalError(request, thrown);
      return sendErrorPage(deps, error, request, reply);
    });
    scope.addHook('onRequest', (request, _reply, next) => {
      if (request.method !== 'POST' || !isForeignForm(request.headers)) return next();
      next(
        new ApiError('origin_not_allowed', 'This form was sent by a page of another site. Nothing was done with it.'),
      );
    });
    for (const page of handler.pages) {
      scope.route({
        method: [...(page.methods ?? ['GET'])],
        url: page.path.replace(/\*.*$/, '*'),
        config: { page },
        handler: async (request, reply) => {
          const response = await handler.answer(page, toPageCall(page, request), callContextOf(request, reply, deps));
          if (response.status >= 400 && response.status < 500) countRefusedRequest(deps.access, request);
          return sendPage(response, request, reply);
        },
      });
    }
    const encodedAssets = new Map<string, Promise<Buffer | null>>();
    scope.get('/assets/:name', async (request, reply) => {
      const asset = handler.findAsset(request.url);
      if (asset === null) throw new ApiError('not_found', 'There is no such file.');
      const coding = acceptedCoding(request.headers['accept-encoding']);
      const body = Buffer.from(asset.body);
      const key = `${coding} ${request.url}`;
      const encoding = encodedAssets.get(key) ?? encodeBody(body, coding, true);
      encodedAssets.set(key, encoding);
      reply.headers({ ...ASSET_HEADERS, 'content-type': asset.type });
      return sendEncoded(reply, body, coding, await encoding);
    });
    done();
  });
}

/** Sends an error as a page. */
export async function sendErrorPage(
  { handler, access }: Pick<PagesDeps, 'handler' | 'access'>,
  error: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (error.status < 500) countRefusedRequest(access, request);
  if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds));
  const call = {
    url: request.url,
    origin: requestOrigin(request.headers),
    requestId: request.id,
    notice: noticeFor(request),
  };
  return sendPage(handler.renderError(error, call), request, reply);
}

async function sendPage(
  { status, headers, body }: PageResponse,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const coding = acceptedCoding(request.headers['accept-encoding']);
  const vary = [reply.getHeader('vary') ?? [], headers.vary ?? [], 'Accept-Encoding'].flat().join(', ');
  reply.code(status).headers({ ...PAGE_HEADERS, ...signOutHeaders(request, status), ...headers, vary });
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    const bytes = Buffer.from(body);
    return sendEncoded(reply, bytes, coding, await encodeBody(bytes, coding));
  }
  if (coding !== null) reply.header('content-encoding', coding);
  return reply.send(encodePieces(body, coding));
}

/** Why the reader is no longer signed in; null where nothing has changed. */
function noticeFor({ signOutReason }: FastifyRequest): string | null {
  return signOutReason === null ? null : `You are no longer signed in. ${signOutReason.message}`;
}

/** Removes a key that is no longer valid, once the reader has been told: a redirect shows nothing. */
function signOutHeaders({ signOutReason, headers }: FastifyRequest, status: number): Record<string, string> {
  const cookie = signOutReason === null || status === 303 ? null : clearedKeyCookie(requestOrigin(headers));
  return cookie === null ? {} : { 'set-cookie': cookie };
}

function sendEncoded(reply: FastifyReply, plain: Buffer, coding: ContentCoding, encoded: Buffer | null): FastifyReply {
  if (encoded !== null) reply.header('content-encoding', coding);
  return reply.send(encoded ?? plain);
}

function toPageCall({ path }: PageRoute, request: FastifyRequest): PageCall {
  const { method, url, headers, body } = request;
  const start = url.indexOf('?');
  const { '*': rest, ...params } = request.params as Record<string, string>;
  const restName = /\*(\w+)$/.exec(path)?.[1];
  return {
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    params: restName === undefined ? params : { ...params, [restName]: rest ?? '' },
    query: new URLSearchParams(start === -1 ? '' : url.slice(start)),
    body: Buffer.isBuffer(body) ? { type: headers['content-type'] ?? '', bytes: body } : null,
    accept: headers.accept,
    origin: requestOrigin(request.headers),
    requestId: request.id,
    notice: noticeFor(request),
  };
}

function callContextOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { access, runnerDeps }: PagesDeps,
): PageCallContext {
  let signal: AbortSignal | undefined;
  const disconnectSignal = (): AbortSignal => (signal ??= disconnectSignalOf(reply));
  const reportInternalError = (error: unknown): void => logInternalError(request, error);
  const askAs = (caller: Caller, operation: Operation, parseInput: () => OperationInput): Promise<Buffer> => {
    const call = {
      caller,
      operation,
      parseInput,
      optedOut: hasOptedOutOfTracking(request.headers),
      onQuotaStatus(status: Parameters<typeof setQuotaHeaders>[1]) {
        if (!reply.sent) setQuotaHeaders(reply, status);
      },
      disconnectSignal,
      reportInternalError,
    };
    return access.callRunner.run(call, runnerDeps);
  };
  return {
    disconnectSignal,
    reportInternalError,
    ask: (operation, parseInput) => askAs(request.caller!, operation, parseInput),
    async askWithKey(key, operation, parseInput) {
      return askAs(await access.admission.authenticateKey(key, request.raw), operation, parseInput);
    },
  };
}
