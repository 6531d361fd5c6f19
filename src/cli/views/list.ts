import { CVE_ASPECT_VIEWS } from './cve-aspects.ts';
import { CVE_LIST_VIEWS } from './cve-lists.ts';
import { CATALOG_VIEWS } from './catalogs.ts';
import { CODE_VIEWS } from './code.ts';
import { cveRecordView } from './cve-record.ts';
import { DOMAIN_VIEWS } from './domain.ts';
import { INDICATOR_VIEWS } from './indicators.ts';
import { SERVICE_VIEWS } from './service.ts';
import type { OperationView } from './view.ts';
import { WATCH_VIEWS } from './watches.ts';
import { WEB_VIEWS } from './web.ts';

const VIEWS: ReadonlyMap<string, OperationView> = new Map(
  [
    cveRecordView,
    ...CVE_ASPECT_VIEWS,
    ...CVE_LIST_VIEWS,
    ...DOMAIN_VIEWS,
    ...WEB_VIEWS,
    ...INDICATOR_VIEWS,
    ...CODE_VIEWS,
    ...CATALOG_VIEWS,
    ...SERVICE_VIEWS,
    ...WATCH_VIEWS,
  ].map((view) => [view.id, view]),
);

/** How the answers of an operation are shown; undefined: by their fields. */
export function findView(operationId: string): OperationView | undefined {
  return VIEWS.get(operationId);
}
