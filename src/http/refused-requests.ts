import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { isApiRequest } from './api-request.ts';

/** Counts an API request that was refused with a 4xx status and cost no tokens: an address may have only a limited number a minute. */
export function countUnchargedRefusal(
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
): void {
  if (status >= 500 || !isApiRequest(request) || Number(reply.getHeader('x-ratelimit-cost') ?? 0) > 0) return;
  countRefusedRequest(access, request);
}

/** Counts a refused request of any path against its address. */
export function countRefusedRequest({ admission, refusedRequests }: Access, request: FastifyRequest): void {
  const { addressPseudonym, isUnlimited } = admission.identifyByAddress(request.raw);
  if (isUnlimited !== true) refusedRequests.record(addressPseudonym);
}
