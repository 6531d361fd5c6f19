import { isInitializeRequest } from '@modelcontextprotocol/server';
import { createRpcError, isRpcMessage, RPC_CODES, type RpcError } from './json-rpc.ts';

/** The newest protocol version: without handshake and sessions. The SDK lists the legacy versions alone. */
export const MODERN_PROTOCOL_VERSION = '2026-07-28';
/** From this version on a body or line has one message. */
const FIRST_VERSION_WITHOUT_BATCHES = '2025-06-18';
const MAX_BATCH_MESSAGES = 100;

/** The error response to a batch that is not valid in `protocolVersion`; null if it is valid. */
export function validateBatch(messages: readonly unknown[], protocolVersion: string): RpcError | null {
  const problem = batchProblem(messages, protocolVersion);
  return problem === null ? null : createRpcError(RPC_CODES.invalidRequest, `Invalid Request: ${problem}`);
}

function batchProblem(messages: readonly unknown[], protocolVersion: string): string | null {
  if (protocolVersion >= FIRST_VERSION_WITHOUT_BATCHES) {
    return `there are no batches since protocol version ${FIRST_VERSION_WITHOUT_BATCHES}`;
  }
  if (messages.length === 0 || messages.length > MAX_BATCH_MESSAGES || !messages.every(isRpcMessage)) {
    return `a batch has 1 to ${MAX_BATCH_MESSAGES} JSON-RPC messages`;
  }
  return messages.some((message) => isInitializeRequest(message)) ? 'initialize may not be part of a batch' : null;
}
