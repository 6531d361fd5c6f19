import type { ReadResourceResult, ServerCapabilities } from '@modelcontextprotocol/server';

/** Views of tool answers: HTML documents that a host shows beside its chat (MCP Apps). src/server hands in those of src/pages. */
export interface AppViews {
  /** The URI of the view for answers of this tool; null: it has none. */
  uriOf(tool: string): string | null;
  /** The document of a view; null for another URI. */
  read(uri: string): Promise<string | null>;
}

const UI_EXTENSION = 'io.modelcontextprotocol/ui';
const VIEW_MIME_TYPE = 'text/html;profile=mcp-app';

export const VIEW_CAPABILITIES: ServerCapabilities = { extensions: { [UI_EXTENSION]: {} } };

/** What the definition of a tool says of its view. */
export function viewMetadata(uri: string) {
  return { _meta: { ui: { resourceUri: uri } } };
}

/** A view as a resource. It may load nothing and reach nobody. */
export async function readView(
  views: AppViews | null,
  uri: string,
): Promise<ReadResourceResult['contents'][number] | null> {
  const text = uri.startsWith('ui://') ? await views?.read(uri) : null;
  if (text == null) return null;
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
  return { uri, mimeType: VIEW_MIME_TYPE, text, _meta: { ui: { csp, prefersBorder: true } } };
}
