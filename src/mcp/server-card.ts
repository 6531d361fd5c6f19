import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { PROMPTS } from './prompts.ts';
import { MODERN_PROTOCOL_VERSION } from './protocol-versions.ts';
import type { McpService } from './service.ts';
import type { McpTool } from './tools.ts';

/** The answer to GET: what this server offers, for people and programs that open the address. */
export function createServerCard({ serverInfo, resources }: McpService, tools: readonly McpTool[]) {
  return {
    ...serverInfo,
    transport: 'streamable-http',
    protocol_versions: [MODERN_PROTOCOL_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS],
    counts: {
      tools: tools.length,
      resources: resources.catalogResources.length + resources.templates.length,
      prompts: PROMPTS.length,
    },
    select: '?tools=cve,whois_lookup (areas or names of tools)',
    areas: [...new Set(tools.map(({ operation }) => operation.area))],
  };
}
