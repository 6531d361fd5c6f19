import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../../src/settings.ts';
import { READERS } from '../../src/sources/readers.ts';
import { LIVE_SOURCE_POLICIES } from '../../src/sources/registry.ts';
import type { Source } from '../../src/sources/source.ts';
import { UPSTREAMS } from '../lab/upstreams.ts';
import { httpApis, others } from '../security/source-table.ts';

/** Every live source stands in each list that a source belongs to; what is missing is said with its file (docs/add-a-source.md). */

type AnySource = Source<unknown, unknown> & { readerName?: string };

/** They send DNS queries only, which `test/net/dns` covers. */
const DNS_ONLY = ['dns', 'dns_sweep', 'dnssec'];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const kindOf = ({ kind, policy }: AnySource): string => kind ?? policy.id;
const askedAmongMisbehaviours = new Set([...httpApis, ...others].map(({ source }) => kindOf(source)));
const sources: { name: string; source: AnySource }[] = [];
for (const file of globSync('src/sources/**/*.ts', { cwd: ROOT, exclude: ['src/sources/reader-thread.ts'] })) {
  const module = (await import(`../../${file}`)) as Record<string, unknown>;
  for (const [exported, value] of Object.entries(module))
    if (isSource(value)) sources.push({ name: `${exported} of ${file}`, source: value });
}

function isSource(value: unknown): value is AnySource {
  return typeof value === 'object' && value !== null && 'policy' in value && 'ask' in value;
}

test('the sources are found', () => {
  for (const { id } of LIVE_SOURCE_POLICIES)
    assert.ok(
      sources.some(({ source }) => source.policy.id === id),
      `no file of src/sources exports a source with the policy ${id}`,
    );
});

for (const { name, source } of sources) {
  const { policy, readerName } = source;
  const { id, baseUrl, key } = policy;
  describe(name, () => {
    test('is in the registry', () =>
      assert.ok(
        LIVE_SOURCE_POLICIES.some((listed) => listed.id === id),
        `add the policy to LIVE_SOURCE_POLICIES in src/sources/registry.ts: without it, the source has no setting and no state in /v1/status`,
      ));

    test('is asked among servers that misbehave', () =>
      assert.ok(
        DNS_ONLY.includes(id) || askedAmongMisbehaviours.has(kindOf(source)),
        'add a row with a question to `httpApis` in test/security/source-table.ts (to `others` if it is not an httpSource)',
      ));

    if (readerName !== undefined) {
      test('has a reader', () =>
        assert.ok(
          readerName in READERS,
          `add ${readerName} to READERS in src/sources/readers.ts: without it, a large answer cannot be read`,
        ));
    }

    if (baseUrl?.startsWith('https:') === true) {
      test('answers in the lab', () =>
        assert.ok(
          id in UPSTREAMS,
          `add ${id} to UPSTREAMS in test/lab/upstreams.ts: without it, no test gets an answer`,
        ));
    }

    if (key !== null) {
      test('its key is a setting', () =>
        assert.ok(
          Object.values(SETTINGS).some(({ variable }) => variable === key.variable),
          `add ${key.variable} to SETTINGS in src/settings.ts, with \`secret: true\`: without it, the source never gets its key`,
        ));
    }
  });
}
