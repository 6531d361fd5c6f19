import type { AppViews } from '../mcp/app-views.ts';
import { VIEWS } from '../pages/views/list.ts';
import { IS_BUILT } from '../program-files.ts';

/**
 * The views of tool answers for MCP, made from parts of pages. Null where they cannot be made: in a checkout without development
 * packages that was not built.
 */
export function openAppViews(): AppViews | null {
  if (!IS_BUILT && !canBundle()) return null;
  const uris = new Map(VIEWS.map(({ tool, uri }) => [tool, uri]));
  return {
    uriOf: (tool) => uris.get(tool) ?? null,
    async read(uri) {
      if (!VIEWS.some((view) => view.uri === uri)) return null;
      // Made or loaded when the first host asks for one.
      const { VIEW_DOCUMENTS } = await import('../pages/views/documents.computed.ts');
      return VIEW_DOCUMENTS[uri] ?? null;
    },
  };
}

function canBundle(): boolean {
  try {
    import.meta.resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}
