import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scanSecrets } from '../../../src/analysis/secrets/scan-secrets.ts';
import { chance } from '../../support/random.ts';
import { fillIn } from './stand-ins.ts';

/** Names as they stand in projects: what is given to them is the same random text each time. */

const SECRET = `
  BACKEND_SECRET FRONTEND_API_KEY EXCHANGE_API_KEY WEBSITE_SECRET RESTART_TOKEN friendToken DEVICE_SECRET SEARCH_SECRET SYNC_SECRET
  DEVICE_API_KEY SEARCH_API_KEY SYNC_API_KEY FRONT_END_TOKEN BACK_END_SECRET backEndToken SITE_SECRET CLOCK_SECRET BLOCK_TOKEN
  unlock_secret LOCK_SECRET ANCHORPAGE_TOKEN homepageToken FASTEND_API_KEY SENDGRID_SECRET vendorSecret LEGEND_TOKEN TREND_API_KEY
  calendarSecret EXCHANGE_SECRET exchange.api.key BLASTSECRET UPLOAD_SECRET NEXTAUTH_SECRET NEXT_AUTH_SECRET HASH_SECRET
  FLASH_TOKEN SMASH_API_KEY PUBSUB_TOKEN REPUBLIC_API_KEY CURSOR_API_KEY PAGE_SECRET PAGERDUTY_TOKEN PUSHOVER_TOKEN PUSH_SECRET
  STRIPE_SECRET client_secret clientSecret OAUTH_CLIENT_SECRET jwt.secret JWT_SECRET_KEY SESSION_SECRET app-secret APP_SECRET_KEY
  accessToken refresh_token bearerToken AUTH_TOKEN api_key apiKey X_API_KEY encryption_key ENCRYPTION_KEY signingKey
  SECRET_KEY_BASE webhook_secret WEBHOOK_TOKEN adminToken MASTER_KEY SLACK_TOKEN BOT_TOKEN deploy_token CI_JOB_SECRET shared_secret
  Authentication:Google:ClientSecret Authentication:Microsoft:ClientSecret Jwt:Secret Stripe:ApiKey AzureAd:ClientSecret
`
  .trim()
  .split(/\s+/);

const HARMLESS = `
  public_token publicToken PUBLIC_API_KEY NEXT_PUBLIC_API_KEY VITE_PUBLIC_TOKEN publishableApiKey PUBLISHABLE_API_KEY pub_token
  csrf_token CSRF_TOKEN csrfToken csrftoken X-CSRF-Token XSRF-TOKEN xsrfToken antiForgeryToken ANTIFORGERY_TOKEN
  forgery_token PublicKeyToken publicKeyToken publickeytoken page_token pageToken nextPageToken NEXT_PAGE_TOKEN nextToken next_token
  NextToken prevToken prev_page_token previousToken continuationToken continuation_token paginationToken pagination_token
  cursor_token cursorToken cancelToken cancellation_token cancellationToken lock_token lockToken changeToken change_token update_token
  syncToken nextSyncToken sync_token deviceToken device_token pushToken expo_push_token symbol_token syntax_token design_token
  hash_token hashedToken hashed_secret bcrypt_secret encrypted_token ENCRYPTED_SECRET encryptedApiKey sealed_secret
  expected_token expectedSecret invalid_token INVALID_API_KEY idempotency_token waitToken Some::Module::ApiKey Auth::Token
  public_key publicKey sort_key cache_key idempotencyKey primary_key foreign_key checksum etag sha256 commit revision build_id
  request_id trace_id fingerprint integrity digest
  arn:aws:secretsmanager:eu-west-1:123456789012:secret
`
  .trim()
  .split(/\s+/);

const draw = chance(11).next;
const found = (code: string): number => scanSecrets({ code, language: 'auto' }).total;

/** As in JSON, in code, and in an environment file; a name with a colon stands in JSON alone. */
function placesOf(name: string, value: string): string[] {
  const json = `{ "${name}": "${value}" }`;
  return /[:]/.test(name) ? [json] : [json, `${name} = "${value}"`, `${name}=${value}\n`];
}

describe('settings of package managers, and headers', () => {
  for (const [text, type] of [
    ['//registry.acme.io/:_authToken={uuid}\n', 'npm_registry_credential'],
    ['//registry.acme.io/:_authToken={n:36}\n', 'npm_registry_credential'],
    ['//registry.acme.io/:_auth={b:28}\n', 'npm_registry_credential'],
    ['<add key="ClearTextPassword" value="{n:16}" />', 'nuget_password'],
    ['BUNDLE_ENTERPRISE__CONTRIBSYS__COM={h:8}:{h:8}\n', 'bundler_credential'],
    ['BUNDLE_GEMS__ACME__IO: "robot:{n:20}"\n', 'bundler_credential'],
    ['production:\n  secret_key_base: {h:128}\n', 'bare_secret_assignment'],
    ['GET / HTTP/1.1\nAuthorization: Bearer {n:40}\n', 'authorization_line'],
    ["fetch(url, { headers: { Authorization: 'Bearer {n:40}' } });\n", 'authorization_header'],
    ["fetch(url, { headers: { Authorization: 'Basic cm9ib3Q6OGZKMnExWnhXazA=' } });\n", 'authorization_header'],
    ['machine git.acme.io\n  login robot\n  password {n:16}\n', 'netrc_password'],
    ['SHOPIFY=shpat_{n:32}\n', 'shopify_token'],
    ['VAULT_TOKEN=s.{n:24}\n', 'vault_legacy_token'],
  ] as const) {
    test(text.trim(), () => {
      const { findings } = scanSecrets({ code: fillIn(text, draw), language: 'auto' });
      assert.deepEqual(
        findings.map((finding) => finding.id),
        [type],
      );
    });
  }

  for (const text of [
    '//registry.acme.io/:_authToken=${NPM_TOKEN}\n',
    '<add key="ClearTextPassword" value="%NUGET_PASSWORD%" />',
    'BUNDLE_GEMS__ACME__IO: "${USER}:${PASSWORD}"\n',
    'Authorization: Bearer <token>\n',
    'Authorization: Bearer YOUR_ACCESS_TOKEN\n',
    "headers: { Authorization: 'Bearer ' + accessToken, Accept: 'application/json' }",
    'headers: { Authorization: `Bearer ${accessToken}` }',
    "headers: { Authorization: 'Bearer your-access-token' }",
    'machine git.acme.io login robot password <password>\n',
    'The machine will login and ask for a password now.\n',
    'okta_rows = [0012345678901234567890123456789012345678901]',
    'url(/icons/ico-{h:32}.svg)',
    'throw new Error("several actions in state: "+p+", token: "+n);switch(q[0]){case 1:d.push(n),e[7]=q[1]*2%3,f.push("x")}',
    "const OTHER_NAMES = { allPass: 'overEvery', anyPass: 'overSome' };",
  ]) {
    test(text.trim(), () => assert.equal(found(fillIn(text, draw)), 0));
  }
});

describe('names by which random text is a secret', () => {
  test('there are enough of both kinds', () => assert.ok(SECRET.length >= 60 && HARMLESS.length >= 60));

  for (const name of SECRET) {
    test(name, () => {
      for (const code of placesOf(name, fillIn('a{n:15}7{n:15}3{n:4}2', draw))) assert.equal(found(code), 1, code);
    });
  }
});

describe('names by which it is none', () => {
  for (const name of HARMLESS) {
    test(name, () => {
      for (const code of placesOf(name, fillIn('a{n:15}7{n:15}3{n:4}2', draw))) assert.equal(found(code), 0, code);
    });
  }
});
