import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  ConfigError,
  describeConfig,
  isSingleUser,
  oauthSettingsOf,
  originSettingsOf,
  readConfig,
} from '../../src/config.ts';

const read = (environment: Record<string, string> = {}) => readConfig([], environment);
const shown = (environment: Record<string, string>, variable: string) =>
  describeConfig(read(environment)).find((row) => row.variable === variable)?.value;

describe('settings about callers', () => {
  test('by default: 30 and 500 tokens an hour, nobody trusted, everything embedded', () => {
    const { quotaKeyless, quotaPro, trustedProxies, secret, redisUrl, databaseUrl, metricsToken } = read();
    assert.deepEqual([quotaKeyless, quotaPro, trustedProxies], [30, 500, []]);
    assert.deepEqual([secret, redisUrl, databaseUrl, metricsToken], [null, null, null, null]);
  });

  test('as given', () => {
    const config = read({
      SEXTANT_QUOTA_KEYLESS: '0',
      SEXTANT_QUOTA_PRO: '1000',
      SEXTANT_TRUSTED_PROXIES: '10.0.0.0/8, ::1,fd00::/8',
      SEXTANT_REDIS_URL: 'rediss://user:pass@cache.example:6380/2',
      SEXTANT_DATABASE_URL: 'postgres://user:pass@db.example/sextant',
    });
    assert.deepEqual([config.quotaKeyless, config.quotaPro], [0, 1000]);
    assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1', 'fd00::/8']);
    assert.equal(config.redisUrl, 'rediss://user:pass@cache.example:6380/2');
  });

  for (const [variable, value] of [
    ['SEXTANT_QUOTA_KEYLESS', '-1'],
    ['SEXTANT_QUOTA_KEYLESS', 'many'],
    ['SEXTANT_QUOTA_PRO', '1.5'],
    ['SEXTANT_TRUSTED_PROXIES', 'proxy.example'],
    ['SEXTANT_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['SEXTANT_TRUSTED_PROXIES', '*'],
    ['SEXTANT_SECRET', 'short'],
    ['SEXTANT_REDIS_URL', 'cache.example:6379'],
    ['SEXTANT_REDIS_URL', 'http://hunter2@cache.example'],
    ['SEXTANT_DATABASE_URL', 'mysql://hunter2@db.example/x'],
  ] as const) {
    test(`${variable}=${value} is refused, and told without the value's secrets`, () => {
      assert.throws(
        () => read({ [variable]: value }),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith(`${variable}: `) &&
          !error.message.includes('hunter2'),
      );
    });
  }

  for (const [variable, value, says] of [
    ['SEXTANT_QUOTA_KEYLESS', 'many', /not a whole number, accepted from 0 on\./],
    ['SEXTANT_QUOTA_PRO', '1.5', /not a whole number, accepted from 0 on\./],
    ['SEXTANT_PORT', 'http', /not a whole number, accepted 0 to 65535\./],
    ['SEXTANT_PORT', '65536', /not a whole number, accepted 0 to 65535\./],
    ['SEXTANT_WORKERS', '0', /not a whole number, accepted 1 to 256\./],
    ['SEXTANT_WORKERS', 'Infinity', /not a whole number, accepted 1 to 256\./],
  ] as const) {
    test(`${variable}=${value} is told in words, and not in those of a library`, () => {
      assert.throws(
        () => read({ [variable]: value }),
        (error) => says.test((error as Error).message),
      );
    });
  }

  test('secrets are masked where settings are shown', () => {
    const secret = 's3cr3t'.repeat(10);
    assert.equal(shown({ SEXTANT_SECRET: secret }, 'SEXTANT_SECRET'), '(set)');
    assert.equal(shown({ SEXTANT_METRICS_TOKEN: secret }, 'SEXTANT_METRICS_TOKEN'), '(set)');
    const redis = shown({ SEXTANT_REDIS_URL: `redis://u:${secret}@a:1, redis://:${secret}@b:2` }, 'SEXTANT_REDIS_URL');
    assert.equal(redis, 'redis://a:1, redis://b:2');
    const url = `postgres://u:${secret}@db.example/x?password=${secret}&sslmode=require`;
    assert.equal(shown({ SEXTANT_DATABASE_URL: url }, 'SEXTANT_DATABASE_URL'), 'postgres://db.example/x');
  });
});

describe('an installation for one person', () => {
  const own = { SEXTANT_HOST: '127.0.0.1' };

  test('listens on loopback alone, and nobody set how it is used by others', () => {
    for (const environment of [
      {},
      own,
      { SEXTANT_HOST: '::1' },
      { SEXTANT_HOST: 'localhost' },
      { SEXTANT_HOST: '127.0.0.2' },
    ]) {
      assert.equal(isSingleUser(read(environment)), true, JSON.stringify(environment));
    }
  });

  for (const [variable, value] of [
    ['SEXTANT_HOST', '0.0.0.0'],
    ['SEXTANT_HOST', '::'],
    ['SEXTANT_HOST', '192.168.1.5'],
    ['SEXTANT_HOST', 'sextant.example'],
    ['SEXTANT_QUOTA_KEYLESS', '30'],
    ['SEXTANT_QUOTA_KEYLESS', '5'],
    ['SEXTANT_TRUSTED_PROXIES', '127.0.0.1'],
    ['SEXTANT_REDIS_URL', 'redis://127.0.0.1'],
    ['SEXTANT_DATABASE_URL', 'postgres://127.0.0.1/x'],
  ] as const) {
    test(`is none with ${variable}=${value}`, () =>
      assert.equal(isSingleUser(read({ ...own, [variable]: value })), false));
  }

  test('is none with an authorization server', () => {
    const oidc = { SEXTANT_OIDC_ISSUER: 'https://login.example.com', SEXTANT_OIDC_RESOURCE: 'https://sextant.example' };
    assert.equal(isSingleUser(read({ ...own, ...oidc })), false);
  });

  test('a variable that is empty was not set', () => {
    assert.equal(isSingleUser(read({ ...own, SEXTANT_QUOTA_KEYLESS: '' })), true);
    assert.equal(isSingleUser(readConfig([], own, { SEXTANT_QUOTA_KEYLESS: '30' })), false);
  });
});

describe('access tokens', () => {
  const ISSUER = { SEXTANT_OIDC_ISSUER: 'https://login.example.com/realms/main' };
  const BOTH = { ...ISSUER, SEXTANT_OIDC_RESOURCE: 'https://sextant.example.com' };

  test('are not accepted by default', () => {
    assert.equal(oauthSettingsOf(read()), null);
    assert.equal(read().quotaOidc, null);
  });

  test('as given', () => {
    assert.deepEqual(oauthSettingsOf(read(BOTH)), {
      issuer: 'https://login.example.com/realms/main',
      resource: 'https://sextant.example.com',
      audiences: [],
      jwksUrl: null,
      scopes: [],
      required: 'mcp',
    });
    const all = read({
      SEXTANT_OIDC_ISSUER: 'http://127.0.0.1:8081',
      SEXTANT_OIDC_RESOURCE: 'http://localhost:8080',
      SEXTANT_OIDC_AUDIENCE: 'api://sextant 1b4e28ba-2fa1-11d2-883f-0016d3cca427',
      SEXTANT_OIDC_JWKS_URL: 'http://keycloak.auth.svc:8080/realms/main/certs?x=1',
      SEXTANT_OIDC_SCOPE: 'sextant:read  openid',
      SEXTANT_OIDC_REQUIRED: 'off',
      SEXTANT_QUOTA_OIDC: '0',
    });
    assert.deepEqual(oauthSettingsOf(all), {
      issuer: 'http://127.0.0.1:8081',
      resource: 'http://localhost:8080',
      audiences: ['api://sextant', '1b4e28ba-2fa1-11d2-883f-0016d3cca427'],
      jwksUrl: 'http://keycloak.auth.svc:8080/realms/main/certs?x=1',
      scopes: ['sextant:read', 'openid'],
      required: 'off',
    });
    assert.equal(all.quotaOidc, 0);
  });

  test('need the issuer and the address of the service', () => {
    assert.throws(() => read(ISSUER), /^ConfigError: SEXTANT_OIDC_ISSUER: it needs SEXTANT_OIDC_RESOURCE\. /);
    assert.throws(
      () => read({ ...BOTH, SEXTANT_OIDC_AUDIENCE: 'api://sextant' }),
      /^ConfigError: SEXTANT_OIDC_AUDIENCE: it needs SEXTANT_OIDC_SCOPE\. /,
    );
    for (const [variable, value] of [
      ['SEXTANT_OIDC_RESOURCE', 'https://sextant.example.com'],
      ['SEXTANT_OIDC_JWKS_URL', 'https://login.example.com/certs'],
      ['SEXTANT_OIDC_SCOPE', 'read'],
      ['SEXTANT_OIDC_REQUIRED', 'off'],
      ['SEXTANT_QUOTA_OIDC', '5'],
    ] as const) {
      const expected = new RegExp(`^ConfigError: ${variable}: it needs SEXTANT_OIDC_ISSUER\\. `);
      assert.throws(() => read({ [variable]: value }), expected);
    }
  });

  for (const [variable, value] of [
    ['SEXTANT_OIDC_ISSUER', 'http://login.example.com'],
    ['SEXTANT_OIDC_ISSUER', 'login.example.com'],
    ['SEXTANT_OIDC_ISSUER', 'https://user:hunter2@login.example.com'],
    ['SEXTANT_OIDC_ISSUER', 'https://login.example.com?tenant=1'],
    ['SEXTANT_OIDC_RESOURCE', 'https://sextant.example.com/'],
    ['SEXTANT_OIDC_RESOURCE', 'https://sextant.example.com/mcp'],
    ['SEXTANT_OIDC_RESOURCE', 'http://sextant.example.com'],
    ['SEXTANT_OIDC_JWKS_URL', 'file:///etc/keys.json'],
    ['SEXTANT_OIDC_JWKS_URL', 'https://user:hunter2@login.example.com/certs'],
    ['SEXTANT_OIDC_SCOPE', 'read "write"'],
    ['SEXTANT_OIDC_AUDIENCE', 'a\\b'],
    ['SEXTANT_OIDC_REQUIRED', 'rest'],
    ['SEXTANT_QUOTA_OIDC', '-1'],
  ] as const) {
    test(`${variable}=${value} is refused, and told without the value's secrets`, () => {
      assert.throws(
        () => read({ ...BOTH, [variable]: value }),
        (error) =>
          error instanceof ConfigError &&
          error.message.startsWith(`${variable}: `) &&
          !error.message.includes('hunter2'),
      );
    });
  }
});

describe('hosts and origins', () => {
  test('as given, and those of MCP for MCP alone', () => {
    const config = read({
      SEXTANT_ALLOWED_HOSTS: 'Sextant.example.com, 192.0.2.5,[2001:db8::1]',
      SEXTANT_ALLOWED_ORIGINS: 'https://app.example.com',
      SEXTANT_MCP_ORIGINS: 'https://agent.example.com',
      SEXTANT_ALLOW_PRIVATE_TARGETS: '10.0.0.0/8',
    });
    const rest = originSettingsOf(config);
    assert.deepEqual(rest.allowedHosts, ['sextant.example.com', '192.0.2.5', '[2001:db8::1]']);
    assert.deepEqual([rest.host, rest.allowsPrivateTargets], ['127.0.0.1', true]);
    assert.deepEqual(rest.allowedOrigins, ['https://app.example.com']);
    assert.deepEqual(originSettingsOf(config, true).allowedOrigins, [
      'https://app.example.com',
      'https://agent.example.com',
    ]);
    assert.equal(originSettingsOf(read()).allowsPrivateTargets, false);
  });

  for (const [variable, value] of [
    ['SEXTANT_ALLOWED_HOSTS', 'sextant.example.com:8080'],
    ['SEXTANT_ALLOWED_HOSTS', 'https://sextant.example.com'],
    ['SEXTANT_ALLOWED_HOSTS', '*'],
    ['SEXTANT_ALLOWED_HOSTS', 'a b'],
    ['SEXTANT_ALLOWED_ORIGINS', 'app.example.com'],
    ['SEXTANT_ALLOWED_ORIGINS', 'https://app.example.com/'],
    ['SEXTANT_ALLOWED_ORIGINS', '*'],
  ] as const) {
    test(`${variable}=${value} is refused with an example`, () => {
      assert.throws(
        () => read({ [variable]: value }),
        (error) => error instanceof ConfigError && new RegExp(`^${variable}: .*for example`).test(error.message),
      );
    });
  }
});
