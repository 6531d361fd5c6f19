import { shownLine } from '../text.ts';
import { fault } from './faults.ts';
import type { ModuleResult } from './modules.ts';

/** What the site said to OPTIONS and TRACE; null: it did not answer. */
export interface MethodAnswers {
  options: { status: number; allow: string | null } | null;
  trace: { status: number; echoed: boolean } | null;
}

const WRITING = ['PUT', 'DELETE', 'PATCH'];
const SHOWN = 200;

/** The methods of HTTP that the home page admits to; null: neither question was answered. */
export function methodsModule({ options, trace }: MethodAnswers): ModuleResult | null {
  if (options === null && trace === null) return null;
  const allow = options?.allow ?? null;
  const allowed = allow?.split(',').map((method) => method.trim().toUpperCase()) ?? [];
  const findings: ModuleResult['findings'] = [];
  if (trace?.echoed === true)
    findings.push(fault('methods_trace', `TRACE is answered with status ${trace.status} and the request itself.`));
  if (WRITING.some((method) => allowed.includes(method))) findings.push(fault('methods_writing', `Allow: ${allow}`));
  return { details: [optionsDetail(options), traceDetail(trace)], findings };
}

function optionsDetail(options: MethodAnswers['options']): string {
  if (options === null) return 'OPTIONS was not answered.';
  const { status, allow } = options;
  return allow === null
    ? `OPTIONS is answered with status ${status}, naming no methods.`
    : `OPTIONS names ${shownLine(allow, SHOWN)}.`;
}

function traceDetail(trace: MethodAnswers['trace']): string {
  if (trace === null) return 'TRACE was not answered.';
  return `TRACE is answered with status ${trace.status}${trace.echoed ? ', repeating the request' : ''}.`;
}
