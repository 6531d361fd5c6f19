import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { PROMPTS } from './prompts.ts';
import { MODERN_PROTOCOL_VERSION } from './protocol-versions.ts';
import type { McpService } from './service.ts';
import { TOOL_MODES, type ToolSet } from './tool-set.ts';

/** The answer to GET: what this server offers, for people and programs that open the address. */
export function createServerCard({ serverInfo, resources }: McpService, toolSet: ToolSet) {
  const { tools, mode } = toolSet;
  return {
    ...serverInfo,
    transport: 'streamable-http',
    protocol_versions: [MODERN_PROTOCOL_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS],
    counts: {
      tools: toolSet.listed(false).length,
      resources: resources.catalogResources.length + resources.templates.length,
      prompts: PROMPTS.length,
    },
    select: '?tools=cve,whois_lookup (areas or names of tools)',
    mode,
    modes: TOOL_MODES,
    areas: [...new Set(tools.map(({ operation }) => operation.area))],
  };
}
