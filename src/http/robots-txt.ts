import type { FastifyInstance } from 'fastify';

/** Crawlers would make this service visit others, and use up the quota of their readers: pages that ask live are not for them. */
const ROBOTS_TXT = `User-agent: *
Disallow: /domain/
Disallow: /ip/
Disallow: /indicator/
Disallow: /as/
Disallow: /check
Disallow: /key
Disallow: /search?
Disallow: /?
Disallow: /v1/
Disallow: /mcp
`;

/** `/robots.txt` (RFC 9309) of the service itself. */
export function mountRobotsTxt(app: FastifyInstance): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .header('content-type', 'text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(ROBOTS_TXT),
  );
}
