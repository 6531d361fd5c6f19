import type { FastifyInstance } from 'fastify';
import type { OAuthSettings } from '../access/oauth/oauth-settings.ts';
import { RESOURCE_METADATA_PATH, resourceMetadata } from '../access/oauth/resource-metadata.ts';

const CACHE_CONTROL = 'public, max-age=3600';

/**
 * Where clients find the authorization server (RFC 9728): of the whole service, and of `/mcp`. `allowsOrigin`: whether pages of an origin may
 * use one of the two.
 */
export function mountOAuthMetadata(
  app: FastifyInstance,
  { oauth, allowsOrigin }: { oauth: OAuthSettings; allowsOrigin: (origin: string) => boolean },
): void {
  const cors = {
    origin: (origin: string | undefined, done: (error: null, allowed: boolean) => void) =>
      done(null, origin !== undefined && allowsOrigin(origin)),
  };
  for (const path of ['', '/mcp'] as const) {
    app.route({
      // Clients send the header MCP-Protocol-Version here too, so browsers ask first.
      method: ['GET', 'OPTIONS'],
      url: `${RESOURCE_METADATA_PATH}${path}`,
      config: { cors },
      handler: (_request, reply) => reply.header('cache-control', CACHE_CONTROL).send(resourceMetadata(oauth, path)),
    });
  }
}
