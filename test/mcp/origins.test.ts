import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../src/config.ts';

test('SEXTANT_MCP_ORIGINS names origins as browsers send them', () => {
  assert.deepEqual(readConfig([], {}).mcpOrigins, []);
  const SEXTANT_MCP_ORIGINS = 'https://app.example.com, http://localhost:3000';
  assert.deepEqual(readConfig([], { SEXTANT_MCP_ORIGINS }).mcpOrigins, [
    'https://app.example.com',
    'http://localhost:3000',
  ]);
  for (const wrong of [
    'app.example.com',
    'https://app.example.com/',
    'https://App.example.com',
    'https://a.example/x',
    '*',
    'null',
  ]) {
    assert.throws(
      () => readConfig([], { SEXTANT_MCP_ORIGINS: wrong }),
      (error) =>
        error instanceof ConfigError && /SEXTANT_MCP_ORIGINS: .*is not an origin, for example/.test(error.message),
      wrong,
    );
  }
});
