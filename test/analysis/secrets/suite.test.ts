import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { scanSecrets } from '../../../src/analysis/secrets/scan-secrets.ts';
import { sharedPath } from '../../support/shared.ts';

/** Samples of a public suite, judged as its README says: by rule, with the suite's names for them. */

type Sample = string | { path: string; text: string };
interface SuiteRule {
  rule: string;
  should_match: Sample[];
  should_not_match: Sample[];
}

/** Our rules for a rule of the suite, where the id without `_` does not begin the same. */
const OURS: Record<string, readonly string[]> = {
  '1password-secret-key': ['onepassword_secret_key'],
  'aws-access-token': ['aws_access_key_id', 'aws_temporary_key_id'],
  'aws-amazon-bedrock-api-key-long-lived': ['aws_bedrock_api_key'],
  'clickhouse-cloud-api-secret-key': ['clickhouse_cloud_key'],
  'cohere-api-token': ['cohere_api_key'],
  'curl-auth-header': ['authorization_header', 'json_web_token', 'openai_legacy_api_key'],
  'curl-auth-user': ['curl_user'],
  'easypost-test-api-token': ['easypost_api_key'],
  'etsy-access-token': ['etsy_key'],
  'facebook-access-token': ['facebook_app_token', 'facebook_access_token'],
  'gcp-api-key': ['google_api_key'],
  'generic-api-key': ['secret_assignment', 'bare_secret_assignment'],
  'github-oauth': ['github_oauth_token'],
  'gitlab-pat-routable': ['gitlab_routable_token', 'gitlab_personal_access_token'],
  'gitlab-rrt': ['gitlab_runner_registration_token'],
  'gitlab-runner-authentication-token-routable': ['gitlab_routable_token', 'gitlab_runner_token'],
  'hashicorp-tf-password': ['password_assignment'],
  'jwt-base64': ['json_web_token'],
  'messagebird-client-id': ['messagebird_key'],
  'notion-api-token': ['notion_token'],
  'prefect-api-token': ['prefect_api_key'],
  'readme-api-token': ['readme_api_key'],
  'sentry-org-token': ['sentry_organization_token'],
  'sidekiq-sensitive-url': ['url_password'],
  'slack-legacy-workspace-token': ['slack_legacy_token'],
  'snyk-api-token': ['snyk_token'],
  'sonar-api-token': ['sonar_token', 'sonar_prefixed_token'],
  'stripe-access-token': ['stripe_secret_key'],
};

const file = sharedPath('suites', 'secrets', 'samples.json.gz');

test('recall and precision on the samples of the suite', { skip: file === null && 'no shared/suites/secrets' }, (t) => {
  const rules = JSON.parse(gunzipSync(readFileSync(file!)).toString()) as SuiteRule[];
  const missed: string[] = [];
  const falseAlarms: string[] = [];
  let alarmsOfOtherRules = 0;
  let positives = 0;
  let negatives = 0;
  for (const { rule, should_match, should_not_match } of rules) {
    const ours = OURS[rule] ?? [rule.replaceAll('-', '_')];
    positives += should_match.length;
    negatives += should_not_match.length;
    for (const sample of should_match) if (!typesIn(sample).some((type) => ours.includes(type))) missed.push(rule);
    for (const sample of should_not_match) {
      const types = typesIn(sample);
      if (types.some((type) => ours.includes(type))) falseAlarms.push(rule);
      else if (types.length > 0) alarmsOfOtherRules++;
    }
  }
  const found = positives - missed.length;
  const recall = found / positives;
  const precision = found / (found + falseAlarms.length);
  t.diagnostic(`recall ${recall.toFixed(3)}: ${found} of ${positives}; missed: ${missed.join(', ')}`);
  t.diagnostic(
    `precision ${precision.toFixed(3)}: ${falseAlarms.length} false alarms in ${negatives} texts: ${falseAlarms.join(', ') || 'none'}`,
  );
  t.diagnostic(`texts in which another rule than the one in question finds something: ${alarmsOfOtherRules}`);
  assert.ok(recall >= 0.9);
  assert.ok(precision >= 0.95);
});

function typesIn(sample: Sample): string[] {
  const { path, text } = typeof sample === 'string' ? { path: '', text: sample } : sample;
  const language = extname(path).slice(1) || 'auto';
  return scanSecrets({ code: text, language }).findings.map(({ id }) => id);
}
