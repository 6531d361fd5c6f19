import { URLS as ANGULAR } from 'csp_evaluator/dist/allowlist_bypasses/angular.js';
import { URLS as JSONP, NEEDS_EVAL } from 'csp_evaluator/dist/allowlist_bypasses/jsonp.js';

interface BypassEndpoint {
  path: string;
  needsEval: boolean;
}

const BYPASS_ENDPOINTS = new Map<string, BypassEndpoint[]>();
for (const { host, path, needsEval } of [
  ...toEndpoints(JSONP, new Set(NEEDS_EVAL)),
  ...toEndpoints(ANGULAR, new Set()),
]) {
  const known = BYPASS_ENDPOINTS.get(host) ?? [];
  known.push({ path, needsEval });
  BYPASS_ENDPOINTS.set(host, known);
}

function toEndpoints(urls: readonly string[], needEval: ReadonlySet<string>) {
  return urls.map((url) => {
    const { hostname, pathname } = new URL(url, 'https://example.com');
    return { host: hostname, path: pathname, needsEval: needEval.has(hostname) };
  });
}

/**
 * Whether a host source of a script directive takes in an address that is known to serve JSONP or Angular, with which anybody
 * can run script. `evalAllowed`: some of them need `'unsafe-eval'`.
 */
export function isBypassHost(source: string, evalAllowed: boolean): boolean {
  const [, host = '', path = ''] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/|\/\/)?([^/:]+)(?::(?:\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
  const usable = (endpoint: BypassEndpoint): boolean =>
    (evalAllowed || !endpoint.needsEval) && matchesSourcePath(path, endpoint.path);
  const name = host.toLowerCase();
  if (!name.startsWith('*.')) return BYPASS_ENDPOINTS.get(name)?.some(usable) ?? false;
  for (const [known, found] of BYPASS_ENDPOINTS) if (known.endsWith(name.slice(1)) && found.some(usable)) return true;
  return false;
}

/** Path matching of CSP: none is all, one that ends in `/` a folder, any other exactly itself. */
function matchesSourcePath(path: string, target: string): boolean {
  if (path === '' || path === '/') return true;
  return path.endsWith('/') ? target.startsWith(path) : target === path;
}
