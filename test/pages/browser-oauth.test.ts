import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { makeKey, startAuthorizationServer } from '../support/authorization-server.ts';
import { chromiumPath, openBrowser } from '../support/browser.ts';
import { freePort, startServe } from '../support/serve-process.ts';

/** The public client of MCP in a page of another origin: what headers promise, a real browser must let through. */

const CLIENT = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const kept = {};
const provider = {
  redirectUrl: location.origin + '/callback',
  clientMetadata: { client_name: 'page', redirect_uris: [location.origin + '/callback'], token_endpoint_auth_method: 'none' },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  discoveryState: () => kept.discovery,
  saveDiscoveryState: (discovery) => { kept.discovery = discovery; },
  redirectToAuthorization: (url) => { kept.url = url.href; },
};
const newClient = () => new Client({ name: 'page', version: '1.0.0' });
let transport;
globalThis.signIn = async (address) => {
  transport = new StreamableHTTPClientTransport(new URL(address), { authProvider: provider });
  const error = await newClient().connect(transport).then(() => null, (error) => String(error));
  return { error, url: kept.url ?? null };
};
globalThis.callTool = async (address, code) => {
  await transport.finishAuth(code);
  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { authProvider: provider }));
  return (await client.callTool({ name: 'cve_lookup', arguments: { cve_id: 'CVE-2021-44228' } })).structuredContent.cve_id;
};
globalThis.askDirectly = async (address) => {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer ' + kept.tokens.access_token,
      'mcp-session-id': 'x',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  return response.status;
};`;

test('a page of another origin signs in and calls a tool', {
  skip: chromiumPath === null && 'no chromium',
}, async (t) => {
  const { outputFiles } = await build({
    stdin: { contents: CLIENT, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
  });
  const script = outputFiles[0]!.text;
  const pages = createServer((request, response) => {
    const isScript = request.url === '/client.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : '<!doctype html><script src="/client.js"></script>');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    pages.close();
    pages.closeAllConnections();
  });
  const server = await startAuthorizationServer(t, [await makeKey('ES256')]);
  const port = String(await freePort());
  const service = await startServe({
    SEXTANT_PORT: port,
    SEXTANT_OIDC_ISSUER: server.issuer,
    SEXTANT_OIDC_RESOURCE: `http://127.0.0.1:${port}`,
  });
  t.after(() => service.stop());
  const browser = await openBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  const address = JSON.stringify(`${service.base}/mcp`);
  const { error, url } = await page.evaluate<{ error: string; url: string | null }>(`signIn(${address})`);
  assert.ok(url !== null, error);
  const { headers } = await fetch(url, { redirect: 'manual' });
  const code = new URL(headers.get('location')!).searchParams.get('code');
  assert.equal(await page.evaluate(`callTool(${address}, ${JSON.stringify(code)})`), 'CVE-2021-44228');
  assert.equal(await page.evaluate(`askDirectly(${address})`), 200);
});
