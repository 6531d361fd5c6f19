import type { Technology } from './rule.ts';
import { CMS } from './technologies/cms.ts';
import { COMMERCE } from './technologies/commerce.ts';
import { DNS_SERVICES } from './technologies/dns-services.ts';
import { EDGE } from './technologies/edge.ts';
import { JAVASCRIPT } from './technologies/javascript.ts';
import { SERVERS } from './technologies/servers.ts';
import { SERVICES } from './technologies/services.ts';
import { WORDPRESS } from './technologies/wordpress.ts';

/** All that can be told, by rules of our own. */
export const TECHNOLOGIES: readonly Technology[] = [
  ...SERVERS,
  ...EDGE,
  ...CMS,
  ...WORDPRESS,
  ...COMMERCE,
  ...JAVASCRIPT,
  ...SERVICES,
  ...DNS_SERVICES,
];
