import type { FastifyInstance, FastifyReply } from 'fastify';
import { ERRORS } from '../errors.ts';

const PRIVACY_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * `/openapi.json`, the reference page at `/docs` with its assets, `/docs/errors` and `/docs/privacy`; `/` redirects to `/docs`. Nothing is
 * loaded from other hosts.
 * `document`: makes the OpenAPI document; called once, at the first request.
 */
export function mountDocs(app: FastifyInstance, document: () => unknown): void {
  let json: Buffer | null = null;
  app.get('/openapi.json', (_request, reply) => {
    json ??= Buffer.from(JSON.stringify(document()));
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(json);
  });
  app.get('/docs/errors', (_request, reply) => sendHtml(reply, renderErrorsPage()));
  app.get('/docs/privacy', (_request, reply) => reply.redirect('/privacy', 308));
}

function sendHtml(reply: FastifyReply, body: string, policy = PRIVACY_PAGE_POLICY): FastifyReply {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('cache-control', 'no-cache')
    .send(body);
}

function renderErrorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, retry, means }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${retry ? 'yes' : 'no'}</td><td>${means}</td></tr>`,
  );
  return textPage(
    'Sextant errors',
    'body{max-width:60rem}table{border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:.4rem .8rem;text-align:left;vertical-align:top}tr:target{background:#fff3c4}',
    `<h1>Errors</h1>
<p>Every error is <code>{"error": {"code", "message"}, "message", "request_id"}</code>; 422 adds <code>detail</code>, a row for each invalid field.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Try again</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
  );
}

function textPage(title: string, style: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}${style}</style></head>
<body><main>${content}</main></body></html>`;
}
