import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, describeConfig, readConfig } from '../../src/config.ts';

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
