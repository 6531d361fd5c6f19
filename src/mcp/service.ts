import type { Operation } from '../operations/operation.ts';
import type { Services } from '../operations/runner.ts';
import type { CallHost } from './call-host.ts';
import { callTool, type ToolAnswer } from './call-tool.ts';
import { ResourceTable } from './resources.ts';
import { selectTools } from './selection.ts';
import { type McpTool, toolsOf } from './tools.ts';

/** What all servers of a process share: made once, never changed. */
export class McpService {
  /** As the protocol has a server present itself. */
  readonly identity;
  readonly tools: readonly McpTool[];
  readonly resources: ResourceTable;
  readonly #operations: readonly Operation[];
  readonly #services: Services;

  constructor(operations: readonly Operation[], services: Services) {
    this.identity = {
      name: 'sextant',
      title: 'Sextant',
      version: services.health.version,
      description: 'Security intelligence that names its sources, its age and its gaps.',
    };
    this.tools = toolsOf(operations);
    this.resources = new ResourceTable(operations, services);
    this.#operations = operations;
    this.#services = services;
  }

  /** See `selectTools`. */
  select(wanted: string): readonly McpTool[] {
    return selectTools(this.tools, wanted);
  }

  /** See `callTool`. */
  call(
    { operation }: McpTool,
    given: Record<string, unknown>,
    host: CallHost,
    gone: () => AbortSignal,
  ): Promise<ToolAnswer> {
    return callTool({ operation, given, operations: this.#operations, services: this.#services, host, gone });
  }
}
