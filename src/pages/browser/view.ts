/**
 * A view of a tool's answer in the window of an MCP host, by MCP Apps (2026-01-26): it asks the host to begin, gets the result of the
 * call by a message, and shows it. It loads nothing and has no way to the network.
 */

interface RpcMessage {
  jsonrpc: '2.0';
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
}
interface ToolResult {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  structuredContent?: unknown;
}

/** The renderer of this view, from the parts of pages: its markup is made by templates that escape. */
declare const view: { renderAnswer(answer: unknown, now: Date): { toString(): string } };

const PROTOCOL_VERSION = '2026-01-26';
const INITIALIZE_ID = 1;
const main = document.getElementById('content')!;
let lastId = INITIALIZE_ID;
let canOpenLinks = false;

const send = (message: Omit<RpcMessage, 'jsonrpc'>): void => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');

addEventListener('message', ({ source, data }: MessageEvent<RpcMessage | null>) => {
  if (source !== parent || data === null || typeof data !== 'object' || data.jsonrpc !== '2.0') return;
  const { id, method, params = {} } = data;
  if (method === undefined) {
    if (id === INITIALIZE_ID && data.result !== undefined) begin(data.result);
  } else if (id !== undefined) answerRequest(id, method);
  else if (method === 'ui/notifications/tool-result') showResult(params);
  else if (method === 'ui/notifications/tool-cancelled') showText('The call was cancelled.');
  else if (method === 'ui/notifications/host-context-changed') applyContext(params);
});

function answerRequest(id: number | string, method: string): void {
  const isKnown = method === 'ping' || method === 'ui/resource-teardown';
  if (isKnown) send({ id, result: {} });
  else parent.postMessage({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }, '*');
}

function begin({ hostContext, hostCapabilities }: Record<string, unknown>): void {
  canOpenLinks = (hostCapabilities as { openLinks?: object } | undefined)?.openLinks !== undefined;
  applyContext(hostContext ?? {});
  send({ method: 'ui/notifications/initialized', params: {} });
  new ResizeObserver(() => {
    const { width, height } = document.documentElement.getBoundingClientRect();
    send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }).observe(document.documentElement);
}

function applyContext(context: object): void {
  const { theme } = context as { theme?: unknown };
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}

function showResult(result: ToolResult): void {
  const text = result.content?.find(({ type }) => type === 'text')?.text ?? '';
  try {
    const answer: unknown = result.structuredContent ?? JSON.parse(text);
    if (result.isError === true) showText((answer as { message?: string }).message ?? text);
    else {
      main.innerHTML = String(view.renderAnswer(answer, new Date()));
      for (const link of main.querySelectorAll('a')) adaptLink(link);
    }
  } catch {
    // An answer of another form than this view knows.
    showText(text);
  }
}

function showText(text: string): void {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  main.replaceChildren(paragraph);
}

/**
 * Links within the view stay; those to other sites are opened by the host. Pages of the service cannot be reached from here: their names
 * stay as text, and a paragraph that only leads there goes.
 */
function adaptLink(link: HTMLAnchorElement): void {
  const address = link.getAttribute('href') ?? '';
  const isWithin = address.startsWith('#') && document.getElementById(address.slice(1)) !== null;
  if (isWithin) return;
  const leadsElsewhere = address.startsWith('/') && link.parentElement?.firstChild === link;
  if (leadsElsewhere && link.parentElement?.tagName === 'P') {
    link.parentElement.remove();
    return;
  }
  if (!/^https?:/.test(address) || !canOpenLinks) {
    const plain = document.createElement('span');
    plain.className = link.className;
    plain.append(...link.childNodes);
    link.replaceWith(plain);
    return;
  }
  link.addEventListener('click', (event) => {
    event.preventDefault();
    lastId += 1;
    send({ id: lastId, method: 'ui/open-link', params: { url: address } });
  });
}

send({
  id: INITIALIZE_ID,
  method: 'ui/initialize',
  params: {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: 'sextant', version: '1' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  },
});
