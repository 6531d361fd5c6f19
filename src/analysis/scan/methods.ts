import { displayLine } from '../display-text.ts';
import { createScanFinding } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';

/** What the site said to OPTIONS and TRACE; null: it did not answer. */
export interface MethodProbeResults {
  options: { status: number; allow: string | null } | null;
  trace: { status: number; echoed: boolean } | null;
}

const WRITE_METHODS = ['PUT', 'DELETE', 'PATCH'];
const MAX_ALLOW_LENGTH = 200;

/** The methods of HTTP that the home page admits to; null: neither question was answered. */
export function methodsModule({ options, trace }: MethodProbeResults): ModuleResult | null {
  if (options === null && trace === null) return null;
  const allow = options?.allow ?? null;
  const allowed = allow?.split(',').map((method) => method.trim().toUpperCase()) ?? [];
  const findings: ModuleResult['findings'] = [];
  if (trace?.echoed === true)
    findings.push(
      createScanFinding('methods_trace', `TRACE is answered with status ${trace.status} and the request itself.`),
    );
  if (WRITE_METHODS.some((method) => allowed.includes(method)))
    findings.push(createScanFinding('methods_writing', `Allow: ${allow}`));
  return { details: [optionsDetail(options), traceDetail(trace)], findings };
}

function optionsDetail(options: MethodProbeResults['options']): string {
  if (options === null) return 'OPTIONS was not answered.';
  const { status, allow } = options;
  return allow === null
    ? `OPTIONS is answered with status ${status}, naming no methods.`
    : `OPTIONS names ${displayLine(allow, MAX_ALLOW_LENGTH)}.`;
}

function traceDetail(trace: MethodProbeResults['trace']): string {
  if (trace === null) return 'TRACE was not answered.';
  return `TRACE is answered with status ${trace.status}${trace.echoed ? ', repeating the request' : ''}.`;
}
