import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { ERRORS } from '../errors.ts';

const SWAGGER_UI_ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/openapi.json`, the reference page at `/docs` with its assets, and `/docs/errors`. Nothing comes from another host. */
export function mountDocs(app: FastifyInstance, document: () => unknown): void {
  let json: Buffer | null = null;
  app.get('/openapi.json', (_request, reply) => {
    json ??= Buffer.from(JSON.stringify(document()));
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(json);
  });
  app.get('/', (_request, reply) => reply.redirect('/docs'));
  app.get('/docs', (_request, reply) => sendHtml(reply, REFERENCE_PAGE));
  app.get('/docs/start.js', (_request, reply) =>
    reply.header('content-type', 'text/javascript; charset=utf-8').send(START_SCRIPT),
  );
  app.get('/docs/errors', (_request, reply) => sendHtml(reply, renderErrorsPage()));
  const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const [name, type] of Object.entries(SWAGGER_UI_ASSETS)) {
    app.get(`/docs/${name}`, (_request, reply) =>
      reply
        .header('content-type', type)
        .header('cache-control', 'public, max-age=86400')
        .send(createReadStream(join(assetFolder, name))),
    );
  }
}

function sendHtml(
  reply: { header(name: string, value: string): typeof reply; send(body: string): unknown },
  body: string,
): unknown {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-cache')
    .send(body);
}

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sextant API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>`;

const START_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, defaultModelsExpandDepth: 0, tryItOutEnabled: true, validatorUrl: null });`;

function renderErrorsPage(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, retry, means }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${retry ? 'yes' : 'no'}</td><td>${means}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sextant errors</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse}td,th{border-bottom:1px solid #ccc;padding:.4rem .8rem;text-align:left;vertical-align:top}tr:target{background:#fff3c4}</style></head>
<body><main><h1>Errors</h1>
<p>Every error is <code>{"error": {"code", "message"}, "message", "request_id"}</code>; 422 adds <code>detail</code>, a row for each fault.</p>
<table><thead><tr><th>Code</th><th>Status</th><th>Try again</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>
</main></body></html>`;
}
