import type { PageFacts } from '../page/page-facts.ts';
import { collectPageSecurity } from '../page/page-security.ts';
import { type ScanFindingId, createScanFinding } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';
import { summarizeList } from '../display-text.ts';

const MAX_URLS = 3;
const MAX_URL_LENGTH = 90;

/** What in the markup of the home page weakens it. */
export function htmlModule(page: PageFacts): ModuleResult {
  const seen = collectPageSecurity(page);
  const findings: ModuleResult['findings'] = seen.password_over_http
    ? [createScanFinding('html_password_over_http')]
    : [];
  const listed: readonly (readonly [ScanFindingId, readonly string[]])[] = [
    ['html_mixed_active', seen.mixed_active],
    ['html_insecure_form', seen.insecure_forms],
    ['html_mixed_passive', seen.mixed_passive],
    ['html_foreign_form', seen.foreign_forms],
    ['html_without_integrity', seen.without_integrity],
    ['html_integrity_without_cors', seen.integrity_without_cors],
  ];
  for (const [code, urls] of listed) {
    if (urls.length > 0) findings.push(createScanFinding(code, summarizeList(urls, MAX_URLS, MAX_URL_LENGTH)));
  }
  return {
    details: [
      `Scripts: ${page.script_count}, of other sites ${seen.foreign_scripts}, with integrity ${seen.scripts_with_integrity}.`,
      `Inline: scripts ${seen.inline_scripts}, handlers in attributes ${seen.inline_handlers}.`,
      `Forms: ${page.forms.length}; frames: ${page.iframes.length}.`,
    ],
    findings,
  };
}
