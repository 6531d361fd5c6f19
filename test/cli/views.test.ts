import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { screenLines } from '../../src/cli/screen-lines.ts';
import { findView } from '../../src/cli/views/list.ts';
import { parseInput } from '../../src/engine/input/parse-input.ts';
import { needsCaller } from '../../src/engine/operation.ts';
import { OPERATIONS } from '../../src/operations/list.ts';
import { NOW } from '../operations/fixture-facts.ts';
import { ask } from '../operations/request-of.ts';
import { startService } from '../support/service.ts';

const service = await startService({ after }, { sources: 'lab' });

/** The others are shown field by field. */
const VIEWED = `
  cve_lookup calculate_risk_score get_cvss_details cve_search cve_facets cve_leading exploit_lookup kev_detail
  cwe_lookup bulk_cve_lookup cves_recent cves_kev epss_lookup atlas_technique_lookup atlas_technique_search
  d3fend_defense_lookup d3fend_defense_for_attack sigma_rule_lookup check_secrets check_injection check_headers
  check_dependencies dns_lookup whois_lookup domain_report audit_domain domains_bulk ssl_check subdomain_enum
  certs_lookup wayback_lookup contrast_scan scan_headers tech_fingerprint domain_vulns tech_stack_cve_audit
  redirect_chain email_mx email_security_posture ip_lookup threat_report ioc_lookup bulk_ioc_lookup hash_lookup
  phishing_check username_lookup status cve_detection sigma_search affected_check epss_history epss_risers
  advisory_lookup cve_vex product_lookup attack_technique_lookup attack_coverage
`;

test('a view has the id of its operation', () => {
  const ids = OPERATIONS.map(({ id }) => id);
  for (const id of VIEWED.trim().split(/\s+/)) assert.ok(ids.includes(id) && findView(id) !== undefined, id);
});

describe('an answer on a terminal stays within its width, and shows values alone', () => {
  for (const operation of OPERATIONS.filter((one) => one.route !== null && !needsCaller(one))) {
    test(operation.id, async () => {
      for (const { input } of operation.examples) {
        const given = { ...findView(operation.id)?.input, ...input };
        const { status, body } = await ask(service, operation, given);
        assert.equal(status, 200, JSON.stringify(body));
        for (const width of [60, 80, 140]) {
          const lines = screenLines(operation, body, parseInput(operation, given), { width, all: false, now: NOW }).map(
            stripVTControlCharacters,
          );
          assert.ok(lines.length > 1 && lines[0] !== '');
          for (const line of lines) {
            assert.doesNotMatch(line, /\[object |\bundefined\b|\bNaN\b|\bnull\b(?! MX)/);
            assert.ok(stringWidth(line) <= width || hasUnbreakableEnd(line, width), `${width}: ${line}`);
          }
        }
      }
    });
  }
});

/** An address, a record to paste or the first column of a table, which are kept whole. */
function hasUnbreakableEnd(line: string, width: number): boolean {
  const words = line.trim().split(/\s+/);
  return words.some((word) => stringWidth(word) > width / 3) || / TXT "/.test(line) || line.startsWith('sextant ');
}
