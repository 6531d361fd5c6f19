import type { PageFacts } from '../page/page-facts.ts';
import { displayLine } from '../display-text.ts';
import { createScanFinding } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';

/** The page that the site shows where it has none; the first of it. */
export interface ErrorPage {
  status: number;
  excerpt: string;
}

/** `Apache/2.4.29`, as servers sign their error pages. */
const SERVER_SIGNATURE =
  /\b(?:Apache|nginx|openresty|LiteSpeed|Tomcat|Jetty|Microsoft-IIS|PHP|Python|Werkzeug|lighttpd)\/\d[\w.-]{0,20}/i;
/** How frameworks show where their code failed. */
const STACK_TRACE_MARKS = [
  'Traceback (most recent call last)',
  'Stack trace:',
  'java.lang.',
  'System.Web.HttpException',
  'Whitelabel Error Page',
  'Fatal error: Uncaught',
  'DEBUG = True',
  'ActionController::RoutingError',
];
const MAX_GENERATOR_LENGTH = 120;

/** What the site discloses of its software; `headers`: what its headers disclose. */
export function disclosureModule(headers: ModuleResult, page: PageFacts | null, error: ErrorPage | null): ModuleResult {
  const details = [...headers.details];
  const findings = [...headers.findings];
  const generator = page?.metas.generator;
  if (generator !== undefined) {
    details.push(`The page names its generator: ${displayLine(generator, MAX_GENERATOR_LENGTH)}.`);
    if (/\d/.test(generator)) findings.push(createScanFinding('generator_version', generator));
  }
  if (page !== null && page.comments > 0) details.push(`Comments in the page: ${page.comments}.`);
  if (error !== null) {
    details.push(`A page that is not there is answered with status ${error.status}.`);
    const signature = SERVER_SIGNATURE.exec(error.excerpt)?.[0];
    if (signature !== undefined) findings.push(createScanFinding('error_page_version', signature));
    const trace = STACK_TRACE_MARKS.find((mark) => error.excerpt.includes(mark));
    if (trace !== undefined) findings.push(createScanFinding('error_page_trace', trace));
  }
  return { details, findings };
}
