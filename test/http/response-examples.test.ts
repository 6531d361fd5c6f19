import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadResponseExamples } from '../../src/operations/load-response-examples.ts';
import { collectResponseExamples } from '../support/response-examples.ts';
import { startService } from '../support/service.ts';

test('the committed examples are answers to the same examples, with the same fields, as are made today', async (t) => {
  const [committed, made] = await Promise.all([loadResponseExamples(), collectResponseExamples(t)]);
  assert.deepEqual(shapeOf(committed), shapeOf(made), 'out of date: npm run examples');
});

test('they are in the OpenAPI document that a service sends', async (t) => {
  const service = await startService(t);
  const { paths } = (await service.get('/openapi.json')).body;
  const { value } = paths['/v1/kev/{cve_id}'].get.responses['200'].content['application/json'].examples.Log4Shell;
  assert.deepEqual([value.cve_id, value.in_kev, value.date_added], ['CVE-2021-44228', true, '2021-12-10']);
});

test('none holds a path of a machine', async () => {
  const text = JSON.stringify(await loadResponseExamples());
  assert.doesNotMatch(text, /\/(?:tmp|home|root|Users)\//);
});

/** Names of fields and kinds of values, without the values: times and certificates of the lab differ each time. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === 'title' ? inner : shapeOf(inner)]),
  );
}
