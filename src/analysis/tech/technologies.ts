import type { Technology } from './technology-rule.ts';
import { COLLABORATION_APPLICATION_TECHNOLOGIES } from './technologies/collaboration-applications.ts';
import { DEVELOPMENT_APPLICATION_TECHNOLOGIES } from './technologies/development-applications.ts';
import { APPLIANCE_TECHNOLOGIES } from './technologies/appliances.ts';
import { CMS_TECHNOLOGIES } from './technologies/cms.ts';
import { COMMERCE_TECHNOLOGIES } from './technologies/commerce.ts';
import { DNS_SERVICE_TECHNOLOGIES } from './technologies/dns-services.ts';
import { DOCUMENT_TOOL_TECHNOLOGIES } from './technologies/document-tools.ts';
import { EDGE_TECHNOLOGIES } from './technologies/edge.ts';
import { JAVASCRIPT_TECHNOLOGIES } from './technologies/javascript.ts';
import { SERVER_TECHNOLOGIES } from './technologies/servers.ts';
import { SERVICE_TECHNOLOGIES } from './technologies/services.ts';
import { WORDPRESS_TECHNOLOGIES } from './technologies/wordpress.ts';

/** All technologies that can be detected. */
export const TECHNOLOGIES: readonly Technology[] = [
  ...SERVER_TECHNOLOGIES,
  ...EDGE_TECHNOLOGIES,
  ...CMS_TECHNOLOGIES,
  ...DEVELOPMENT_APPLICATION_TECHNOLOGIES,
  ...COLLABORATION_APPLICATION_TECHNOLOGIES,
  ...APPLIANCE_TECHNOLOGIES,
  ...DOCUMENT_TOOL_TECHNOLOGIES,
  ...WORDPRESS_TECHNOLOGIES,
  ...COMMERCE_TECHNOLOGIES,
  ...JAVASCRIPT_TECHNOLOGIES,
  ...SERVICE_TECHNOLOGIES,
  ...DNS_SERVICE_TECHNOLOGIES,
];
