import type { Server, Tool } from '@modelcontextprotocol/server';
import type { Operation } from '../operations/operation.ts';
import type { Services } from '../operations/runner.ts';
import type { CallHost } from './call-host.ts';
import { ResourceTable } from './resources.ts';
import { selectTools } from './selection.ts';
import { createMcpServer } from './server.ts';
import { type McpTool, toolsOf } from './tools.ts';

/** What all servers of a process share: made once, never changed. */
export class McpService {
  readonly version: string;
  readonly tools: readonly McpTool[];
  readonly resources: ResourceTable;
  readonly #operations: readonly Operation[];
  readonly #services: Services;

  constructor(operations: readonly Operation[], services: Services) {
    this.version = services.health.version;
    this.tools = toolsOf(operations);
    this.resources = new ResourceTable(operations, services);
    this.#operations = operations;
    this.#services = services;
  }

  /** See `selectTools`. */
  select(wanted: string): readonly McpTool[] {
    return selectTools(this.tools, wanted);
  }

  /** A server for one exchange or one connection. `listed`: what `tools/list` gives, where it is not these tools' definitions. */
  createServer(tools: readonly McpTool[], host: CallHost, listed?: Tool[]): Server {
    return createMcpServer({
      version: this.version,
      operations: this.#operations,
      services: this.#services,
      tools,
      listed: listed ?? tools.map(({ definition }) => definition),
      resources: this.resources,
      host,
    });
  }
}
