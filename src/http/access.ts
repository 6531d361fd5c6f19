import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import { chain, type MaybePromise } from '../access/maybe-promise.ts';
import { type Rate, setRateHeaders } from '../access/rate.ts';
import type { Operation } from '../engine/operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; null outside of the API, and where the key was refused. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

/** Tells of every request to the API who asks, before its body is read, and takes note of it when it is answered. */
export function mountAccess(app: FastifyInstance, { gate, note, refused }: Access): void {
  app.decorateRequest('caller', null);
  app.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions;
    const isMcp = route.url === '/mcp';
    if (!isMcp && !isApi(request, route)) return next();
    if (refused.any) {
      const { addressName, unlimited } = gate.keyless(request.raw);
      const refusal = unlimited === true ? null : refused.refusal(addressName);
      if (refusal !== null) return next(refusal);
    }
    if (isMcp) return next();
    const known = (caller: Caller): void => {
      request.caller = caller;
      next();
    };
    try {
      const found = gate.identify(request.raw);
      if (found instanceof Promise) found.then(known, next);
      else known(found);
    } catch (refusal) {
      next(refusal as Error);
    }
  });
  app.addHook('onResponse', ({ caller, routeOptions, headers }, _reply, next) => {
    const { operation } = routeOptions.config;
    if (caller !== null && operation !== undefined) note(caller, operation, wantsNoRow(headers));
    next();
  });
}

/** The quota as it stands, on responses of the API that say nothing of it yet: they cost nothing. */
export function tellStanding({ gate }: Access, request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
  if (!isApi(request) || reply.hasHeader('x-ratelimit-tier')) return;
  // Counters that are away are no reason to withhold an answer.
  try {
    const told = chain(gate.standing(request.caller ?? gate.keyless(request.raw)), (rate) => tellRate(reply, rate));
    return told instanceof Promise ? told.catch(() => {}) : told;
  } catch {}
}

/** Counts a request that is refused and costs nothing: of those an address has so many in a minute. */
export function noteRefused(access: Access, request: FastifyRequest, reply: FastifyReply, status: number): void {
  if (status >= 500 || !isApi(request) || Number(reply.getHeader('x-ratelimit-cost') ?? 0) > 0) return;
  noteRefusedOf(access, request);
}

export function noteRefusedOf({ gate, refused }: Access, request: FastifyRequest): void {
  const { addressName, unlimited } = gate.keyless(request.raw);
  if (unlimited !== true) refused.note(addressName);
}

export function tellRate(reply: FastifyReply, rate: Rate): void {
  setRateHeaders(rate, (name, value) => {
    reply.header(name, value);
  });
}

/** By the route, which a path may name in several ways; where there is none, by the path as it came. */
function isApi(request: FastifyRequest, route = request.routeOptions): boolean {
  return route?.config?.operation !== undefined || /^\/v1(?:[/?]|$)/.test(request.url);
}

/** Do Not Track, Global Privacy Control. */
export function wantsNoRow(headers: FastifyRequest['headers']): boolean {
  return headers.dnt === '1' || headers['sec-gpc'] === '1';
}
