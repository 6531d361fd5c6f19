import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  headersOfCase,
  metaPolicies,
  type ObservatoryCase,
  observatoryOutcome,
  OTHERWISE,
  TRANSLATIONS,
} from '../../../quality/headers/observatory-outcomes.ts';
import { gradeHeaders } from '../../../src/analysis/headers/grade-headers.ts';
import { analyzeCsp, type CspAnalysis } from '../../../src/analysis/headers/check-csp.ts';
import { frameAncestorsPolicy } from '../../../src/analysis/headers/framing.ts';
import { type RawHeaders, toHeaderMap } from '../../../src/analysis/headers/header-map.ts';
import type { HeaderIssueCode } from '../../../src/analysis/headers/header-issues.ts';
import { sharedPath } from '../../support/shared.ts';

const SUITE = sharedPath('suites', 'headers');
const skip = SUITE === null && 'no suites';

for (const translation of TRANSLATIONS) {
  describe(`headers of the public suite: ${translation.file}`, { skip }, () => {
    for (const { key, n, given, expected } of skip ? [] : load(translation.file)) {
      const name = `${key}#${n}`;
      const why = OTHERWISE[name];
      test(why === undefined ? name : `${name} (otherwise: ${why})`, () => {
        const headers = headersOfCase(given, translation);
        const metaCsp = metaPolicies(given.html ?? '');
        const report = gradeHeaders(headers, {
          https: given.https_response !== null,
          metaCsp,
          ...(given.cors_request_headers?.origin === undefined
            ? {}
            : { foreignOrigin: given.cors_request_headers.origin }),
        });
        const finding = report.findings.find(({ header }) => header === translation.header);
        const csp = analyzeCsp(toHeaderMap(headers), metaCsp);
        const result = observatoryOutcome(given, translation);
        if (why !== undefined) {
          assert.notEqual(result, expected.result, 'we agree after all: take it off the list');
          return;
        }
        if (expected.result !== undefined) assert.equal(result, expected.result);
        if (expected.pass === false) assert.ok(finding !== undefined && finding.severity !== 'INFO');
        for (const fact of expected.also ?? []) agrees(fact, factsOf(csp, headers));
      });
    }
  });
}

/** Facts of the suite's own analysis that ours states too, by the path that the suite gives them. */
function factsOf(csp: CspAnalysis, headers: RawHeaders): Record<string, unknown> {
  const has = (...codes: HeaderIssueCode[]): boolean => csp.issues.some(({ code }) => codes.includes(code));
  return {
    numPolicies: csp.policies,
    http: csp.in_header > 0,
    meta: csp.in_meta > 0,
    'policy.antiClickjacking': frameAncestorsPolicy(toHeaderMap(headers)) === 'restricted',
    'policy.defaultNone': csp.default_none,
    'policy.insecureBaseUri': has(
      'csp_base_uri_missing',
      'csp_base_uri_missing_with_nonce',
      'csp_base_uri_unrestricted',
    ),
    'policy.insecureFormAction': has('csp_form_action_missing', 'csp_form_action_unrestricted'),
    'policy.insecureSchemePassive': has('csp_passive_insecure_source'),
    'policy.unsafeEval': has('csp_script_unsafe_eval'),
    'policy.unsafeInlineStyle': has('csp_style_unsafe_inline', 'csp_style_unrestricted_source'),
    'policy.unsafeObjects': has('csp_object_src_missing', 'csp_object_src_unrestricted'),
  };
}

function agrees(
  { path, op, value }: { path: string; op: string; value: unknown },
  facts: Record<string, unknown>,
): void {
  if (!(path in facts)) return;
  if (op === 'equal') assert.equal(facts[path], value, path);
}

test('headers of the public suite: directives that stand there twice', { skip }, () => {
  for (const { policies, duplicate_directive_warnings } of load('csp-parse') as unknown as {
    policies: string[];
    duplicate_directive_warnings: string[];
  }[]) {
    const headers = toHeaderMap({ 'content-security-policy': policies });
    assert.deepEqual(analyzeCsp(headers).repeated, duplicate_directive_warnings);
  }
});

function load(file: string): ObservatoryCase[] {
  return JSON.parse(readFileSync(sharedPath('suites', 'headers', `${file}.json`)!, 'utf8')) as ObservatoryCase[];
}
