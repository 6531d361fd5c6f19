import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  type JSONRPCMessage,
  type McpHttpHandler,
  type McpRequestContext,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from '@modelcontextprotocol/server';
import { Refusal } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Services } from '../operations/runner.ts';
import type { CallHost } from './call-host.ts';
import { cardOf } from './card.ts';
import { type Door, keptOut } from './door.ts';
import { Exchange } from './exchange.ts';
import { ResourceTable } from './resources.ts';
import { idOf, RPC, rpcError, type RpcError } from './rpc.ts';
import { selectTools } from './selection.ts';
import { createMcpServer, type ServerParts } from './server.ts';
import { listJson, type McpTool, toolsOf } from './tools.ts';
