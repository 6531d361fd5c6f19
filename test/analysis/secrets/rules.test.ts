import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SECRET_RULES } from '../../../src/analysis/secrets/secret-rules.ts';
import { scanSecrets } from '../../../src/analysis/secrets/scan-secrets.ts';
import { chance } from '../../support/random.ts';
import { fillIn } from './stand-ins.ts';

/** Draws for each example; random text may look like a placeholder once in some thousands. */
const DRAWS = 50;
/** Texts in which examples stand in practice. */
const PLACES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `// first line\n${text}\n`,
  (text) => `key: "ä", ${text} `,
];

/** Passwords and headers without quotes, and what is a line of a file of its own kind, are some on a line of their own only. */
const NEEDS_LINE =
  /^(?:bare_password_assignment|authorization_line|pgpass_password|credential_in_table|mail_relay_password|network_device_secret|kubernetes_secret|go_source_name_password|seed_phrase)$/;

function placesOf({ id }: { id: string }): typeof PLACES {
  return NEEDS_LINE.test(id) ? PLACES.slice(0, 2) : PLACES;
}

const RULES = SECRET_RULES.flatMap((rule, index) =>
  rule.example === null ? [] : [{ id: rule.id, example: rule.example, index }],
);

function typesIn(code: string): string[] {
  return scanSecrets({ code, language: 'auto' }).findings.map(({ id }) => id);
}

test('ids are unique, keywords are lower case, patterns begin at them', () => {
  const ids = SECRET_RULES.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)]);
  for (const rule of SECRET_RULES.filter((one) => 'pattern' in one)) {
    const { id, keywords, pattern } = rule;
    assert.ok(keywords.length > 0, id);
    assert.deepEqual(
      keywords,
      keywords.map((keyword) => keyword.toLowerCase()),
      id,
    );
    assert.ok(pattern.sticky, id);
  }
});

describe('every rule finds its example, and leaves out the same with x in place of what is random', () => {
  for (const rule of RULES) {
    test(rule.id, () => {
      const draw = chance(rule.index + 1).next;
      let found = 0;
      for (let turn = 0; turn < DRAWS; turn++) {
        const text = fillIn(rule.example, draw);
        if (placesOf(rule).every((place) => typesIn(place(text)).includes(rule.id))) found++;
      }
      assert.ok(found >= DRAWS - 1, `found ${found} of ${DRAWS}, such as ${fillIn(rule.example, draw)}`);
      const unfilled = rule.example.replace(/\{(?:[nbhulad]:(\d+)|[a-z0-9]+)\}/g, (_, length) =>
        'x'.repeat(Number(length ?? 40)),
      );
      if (unfilled !== rule.example) assert.deepEqual(typesIn(unfilled), [], unfilled);
    });
  }
});

describe('every rule leaves out its example within a longer word', () => {
  /** Their examples are passwords, or are bounded by what stands around them. */
  const UNBOUNDED =
    /_assignment$|^(?:documented_login|credential_argument|sql_credential|command_line_password|jwt_signing_key|terraform_state_password|registry_credential|private_key_der|url_password|curl_user|json_web_key|connection_string_password|authorization_header|.*private_key(?:_base64)?)$/;
  for (const rule of RULES.filter(({ id, example }) => !UNBOUNDED.test(id) && example.endsWith('}'))) {
    test(rule.id, () => {
      const text = fillIn(rule.example, chance(rule.index + 1).next);
      assert.ok(!typesIn(`${text}${'Zq9'.repeat(700)}`).includes(rule.id));
    });
  }
});
