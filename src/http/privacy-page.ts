import type { FastifyInstance } from 'fastify';
import { NOT_STORED } from '../operations/service/privacy-my-data.ts';

/** `/docs/privacy`: what is stored of callers and what is not, from the list that the API answers with. */
export function mountPrivacyPage(app: FastifyInstance): void {
  app.get('/docs/privacy', (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .header('cache-control', 'no-cache')
      .send(PRIVACY_PAGE),
  );
}

const PRIVACY_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sextant privacy</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}</style></head>
<body><main><h1>Privacy</h1>
<h2>What is stored</h2>
<ul>
<li>How often a caller used each endpoint in each minute, for 24 hours. The caller stands there as an HMAC-SHA-256 of the address (IPv6: of its /64) or of the key's id, made with a secret of this installation; the endpoint as a template, without what was asked. With <code>DNT: 1</code> or <code>Sec-GPC: 1</code> there is no such row.</li>
<li>How many tokens of the quota are used, under the same name, until the hour ends.</li>
<li>Of an API key: its id, SHA-256, order id, times of creation, expiry, last use and revocation.</li>
</ul>
<h2>What is not stored</h2>
<ul>${NOT_STORED.map((line) => `<li>${line}</li>`).join('')}</ul>
<p><code>GET /v1/privacy/my-data</code> answers with every row about whoever asks.</p>
</main></body></html>`;
