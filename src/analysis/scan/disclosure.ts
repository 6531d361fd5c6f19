import type { PageFacts } from '../page/page-facts.ts';
import { shownLine } from '../text.ts';
import { fault } from './faults.ts';
import type { ModuleResult } from './modules.ts';

/** The page that the site shows where it has none; the first of it. */
export interface ErrorPage {
  status: number;
  start: string;
}

/** `Apache/2.4.29`, as servers sign their error pages. */
const SIGNATURE =
  /\b(?:Apache|nginx|openresty|LiteSpeed|Tomcat|Jetty|Microsoft-IIS|PHP|Python|Werkzeug|lighttpd)\/\d[\w.-]{0,20}/i;
/** How frameworks show where their code failed. */
const TRACES = [
  'Traceback (most recent call last)',
  'Stack trace:',
  'java.lang.',
  'System.Web.HttpException',
  'Whitelabel Error Page',
  'Fatal error: Uncaught',
  'DEBUG = True',
  'ActionController::RoutingError',
];
const SHOWN = 120;

/** What the site tells of how it is made; `headers` is what its headers tell. */
export function disclosureModule(headers: ModuleResult, page: PageFacts | null, error: ErrorPage | null): ModuleResult {
  const details = [...headers.details];
  const findings = [...headers.findings];
  const generator = page?.metas.generator;
  if (generator !== undefined) {
    details.push(`The page names its generator: ${shownLine(generator, SHOWN)}.`);
    if (/\d/.test(generator)) findings.push(fault('generator_version', generator));
  }
  if (page !== null && page.comments > 0) details.push(`Comments in the page: ${page.comments}.`);
  if (error !== null) {
    details.push(`A page that is not there is answered with status ${error.status}.`);
    const signature = SIGNATURE.exec(error.start)?.[0];
    if (signature !== undefined) findings.push(fault('error_page_version', signature));
    const trace = TRACES.find((mark) => error.start.includes(mark));
    if (trace !== undefined) findings.push(fault('error_page_trace', trace));
  }
  return { details, findings };
}
