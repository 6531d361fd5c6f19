import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { JsonDepthError, parseBoundedJson } from '../analysis/bounded-json.ts';

/** Codes of JSON-RPC 2.0, and the protocol's own. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** For what the transport refuses, and what is not ready. */
  serverError: -32000,
  unsupportedVersion: -32022,
} as const;

export interface RpcError {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: unknown };
}

export function createRpcError(code: number, message: string, id: RequestId | null = null, data?: unknown): RpcError {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** JSON as it came, parsed; or the error that answers what cannot be read. */
export function parseRpcJson(text: string): { value: unknown } | { error: RpcError } {
  try {
    return { value: parseBoundedJson(text) };
  } catch (error) {
    if (error instanceof JsonDepthError) {
      return { error: createRpcError(RPC_CODES.invalidRequest, `Invalid Request: ${error.message}`) };
    }
    return { error: createRpcError(RPC_CODES.parseError, 'Parse error: this is not JSON') };
  }
}

/** The id of a message that may be anything; null where it has none that can be repeated. */
export function messageId(message: unknown): RequestId | null {
  const id = isJsonObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null;
}

/** A JSON object, and not a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A request, a notification or an answer of JSON-RPC 2.0 as MCP has them. */
export function isRpcMessage(value: unknown): value is JSONRPCMessage {
  return (
    isJsonObject(value) &&
    [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse].some((is) => is(value))
  );
}

/** For text that is not JSON. */
export function notMessageError(value: unknown): RpcError {
  return createRpcError(RPC_CODES.invalidRequest, 'Invalid Request: not a JSON-RPC message', messageId(value));
}
