import { asksOutside } from '../engine/operation.ts';
import { html } from './html.ts';
import { link } from './links.ts';
import { definePage } from './page.ts';
import { copyBlock } from './parts/evidence-foot.ts';

/** `/docs/mcp`: how an AI agent asks this service, and the tools that it gets. */
export const docsMcp = definePage({
  path: '/docs/mcp',
  render({ origin }, { operations }) {
    const tools = operations.filter(({ tool }) => tool !== undefined);
    const address = `${origin}/mcp`;
    const servers = { sextant: { type: 'http', url: address } };
    return {
      title: 'For AI agents (MCP)',
      description: `${tools.length} tools over the Model Context Protocol at ${address}.`,
      scripts: ['docs'],
      main: html`<h1>${tools.length} tools for AI agents, at one address</h1>
<p>Streamable HTTP. A key or an access token is sent as <code>Authorization: Bearer</code>; none is needed unless the service answers 401, which tells clients where to sign in. A call costs what the same question costs over REST; lists, resources and prompts are free.</p>
${copyBlock('mcp-address', 'Address', address)}
<h2 id="clients">Add it to a client</h2>
${copyBlock('mcp-claude', 'Claude Code', `claude mcp add --transport http sextant ${address}`)}
${copyBlock('mcp-vscode', 'VS Code, .vscode/mcp.json', JSON.stringify({ servers }, null, 2))}
${copyBlock('mcp-cursor', 'Cursor and others, mcp.json', JSON.stringify({ mcpServers: servers }, null, 2))}
${copyBlock('mcp-stdio', 'As a child process', 'sextant mcp')}
<p>Clients put all tools before their model. In compact mode there are three, which find, describe and call the others:</p>
${copyBlock('mcp-compact', 'Compact', `${address}?mode=compact`)}
<h2 id="tools">The tools</h2>
<form class="form needs-scripts" action="/docs/mcp"><label>Show only <input type="search" data-filter placeholder="cve, domain, sigma" autocomplete="off"></label><output class="note" data-filter-count></output></form>
<ul class="operations" data-filter-group>${tools.map(
        ({ id, area, title, tool }) =>
          html`<li data-filter-row>${link(`/docs/${id}`, html`<code>${id}</code>`)} ${title}${asksOutside({ area, ...(tool !== undefined && { tool }) }) && html` <span class="note">asks outside</span>`}</li>
`,
      )}</ul>`,
    };
  },
});
