import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isJsonObject, JsonDepthError, parseBoundedJson } from '../analysis/bounded-json.ts';

/** Error codes of JSON-RPC 2.0 and of MCP. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** For errors of the transport, and while there is no catalog. */
  serverError: -32000,
  unsupportedVersion: -32022,
} as const;

export interface RpcError {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string; data?: unknown };
}

/** A JSON-RPC error response. */
export function createRpcError(code: number, message: string, id: RequestId | null = null, data?: unknown): RpcError {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** The parsed JSON, or the error response for text that is not JSON or nested too deep. */
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

/** The id of a JSON value that may be a message; null if it has no valid id. */
export function messageId(message: unknown): RequestId | null {
  const id = isJsonObject(message) ? message['id'] : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null;
}

/** True for a JSON-RPC 2.0 request, notification or response in the form that MCP allows. */
export function isRpcMessage(value: unknown): value is JSONRPCMessage {
  return (
    isJSONRPCRequest(value) ||
    isJSONRPCNotification(value) ||
    isJSONRPCResultResponse(value) ||
    isJSONRPCErrorResponse(value)
  );
}

/** Whether a message asks for notifications of the modern protocol. */
export function isSubscription(message: unknown): boolean {
  return isJsonObject(message) && message['method'] === 'subscriptions/listen';
}

/** The error response to `subscriptions/listen` where there are no standing streams, null for other messages. */
export function subscriptionError(message: unknown): RpcError | null {
  return isSubscription(message)
    ? createRpcError(RPC_CODES.methodNotFound, 'Method not found', messageId(message))
    : null;
}

/** The error response to JSON that is no JSON-RPC message. */
export function notMessageError(value: unknown): RpcError {
  return createRpcError(RPC_CODES.invalidRequest, 'Invalid Request: not a JSON-RPC message', messageId(value));
}
