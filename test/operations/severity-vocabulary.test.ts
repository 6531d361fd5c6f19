import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { OPERATIONS } from '../../src/operations/list.ts';

/** The specification's four (shared value sets), CVSS's NONE, and what is no severity: an observation, and none given. */
const VOCABULARY = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'NONE', 'INFO', 'UNKNOWN'];
const SEVERITY_FIELDS = ['severity', 'base_severity', 'severity_label', 'severity_consensus'];

test('all operations write severities in one vocabulary, also as keys of by_severity', () => {
  const seen = new Set<string>();
  for (const { id, output } of OPERATIONS) {
    const definitions: Json = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as Json;
    visit(definitions, (name, schema) => {
      const words = SEVERITY_FIELDS.includes(name) ? enumOf(schema, definitions) : keysOf(name, schema);
      if (words === null) return;
      assert.ok(words.length > 0, `${id}: ${name} names its values`);
      for (const word of words) assert.ok(VOCABULARY.includes(word), `${id}: ${name} ${word}`);
      seen.add(id);
    });
  }
  const expected = ['cve_lookup', 'check_secrets', 'check_headers', 'check_dependencies', 'contrast_scan', 'ip_lookup'];
  for (const id of [...expected, 'email_security_posture', 'exploit_lookup']) assert.ok(seen.has(id), id);
});

type Json = Record<string, any>;

/** Calls `report` with each property of the schema, at any depth. */
function visit(schema: unknown, report: (name: string, schema: Json) => void): void {
  if (schema === null || typeof schema !== 'object') return;
  for (const [name, property] of Object.entries((schema as Json).properties ?? {})) report(name, property as Json);
  for (const part of Object.values(schema)) visit(part, report);
}

function enumOf(schema: Json, root: Json): string[] {
  if (typeof schema.$ref === 'string') return enumOf(root.$defs[schema.$ref.split('/').at(-1)!], root);
  // Counts by severity are a list of rows.
  if (schema.items?.properties?.value !== undefined) return enumOf(schema.items.properties.value, root);
  return [...(schema.enum ?? []), ...(schema.anyOf ?? []).flatMap((one: Json) => enumOf(one, root))];
}

function keysOf(name: string, schema: Json): string[] | null {
  return name === 'by_severity' ? Object.keys(schema.properties ?? {}) : null;
}
