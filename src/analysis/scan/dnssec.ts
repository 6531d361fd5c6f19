import type { DnssecValidation } from '../dnssec/validate-chain.ts';
import { createScanFinding } from './scan-findings.ts';
import type { ModuleResult } from './modules.ts';

/** Null: it could not be found out. */
export function dnssecModule({ security, reason, links, hasKeys }: DnssecValidation): ModuleResult | null {
  if (security === 'indeterminate') return null;
  const chain = links.map(({ name, evidence }) => `${name === '.' ? 'root' : name}: ${evidence}.`);
  const details = [`DNSSEC: ${security}.`, ...chain];
  if (security === 'secure') return { details, findings: [] };
  const code = security === 'bogus' ? 'dnssec_bogus' : hasKeys ? 'dnssec_no_ds' : 'dnssec_unsigned';
  return { details, findings: [createScanFinding(code, `${reason}.`)] };
}
