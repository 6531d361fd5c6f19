import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeCpeName, versionOfCpe, withCpeVersion } from '../../../src/feeds/cvelist/cpe-name.ts';

test('CPE 2.2 URIs become formatted strings: the examples of NISTIR 7695, sections 6.1 and 6.2', () => {
  const examples = {
    'cpe:/a:microsoft:internet_explorer:8.0.6001:beta':
      'cpe:2.3:a:microsoft:internet_explorer:8.0.6001:beta:*:*:*:*:*:*',
    'cpe:/a:microsoft:internet_explorer:8.%02:sp%01': 'cpe:2.3:a:microsoft:internet_explorer:8.*:sp?:*:*:*:*:*:*',
    'cpe:/a:hp:insight_diagnostics:7.4.0.1570:-:~~online~win2003~x64~':
      'cpe:2.3:a:hp:insight_diagnostics:7.4.0.1570:-:*:*:online:win2003:x64:*',
    'cpe:/a:hp:openview_network_manager:7.51::~~~linux~~':
      'cpe:2.3:a:hp:openview_network_manager:7.51:*:*:*:*:linux:*:*',
    'cpe:/a:foo%5cbar:big%24money_manager_2010:::~~special~ipod_touch~80gb~':
      'cpe:2.3:a:foo\\\\bar:big\\$money_manager_2010:*:*:*:*:special:ipod_touch:80gb:*',
  };
  for (const [uri, name] of Object.entries(examples)) assert.equal(normalizeCpeName(uri), name);
});

test('Red Hat names of distributions, with an edition', () => {
  assert.equal(
    normalizeCpeName('cpe:/o:redhat:rhel_aus:7.7::server'),
    'cpe:2.3:o:redhat:rhel_aus:7.7:*:server:*:*:*:*:*',
  );
  assert.equal(normalizeCpeName('cpe:/a:redhat:build_keycloak:'), 'cpe:2.3:a:redhat:build_keycloak:*:*:*:*:*:*:*:*');
});

test('2.3 names stay; what is no CPE name does not', () => {
  const name = 'cpe:2.3:a:oracle:hyperion_bi\\+:11.2.18.0.000:*:*:*:*:*:*:*';
  assert.equal(normalizeCpeName(` ${name} `), name);
  for (const text of [
    '',
    'n/a',
    'cpe:2.3:a:too:short',
    `${name}:*`,
    `cpe:2.3:a:two words:x:*:*:*:*:*:*:*:*`,
    `cpe:2.3:a:${'x'.repeat(600)}:x:*:*:*:*:*:*:*:*`,
  ]) {
    assert.equal(normalizeCpeName(text), null, text);
  }
});

test('the version of a name is read and set', () => {
  const name = 'cpe:2.3:a:a\\:b:c:1.0\\(2\\):*:*:*:*:wordpress:*:*';
  assert.equal(versionOfCpe(name), '1.0\\(2\\)');
  assert.equal(withCpeVersion(name, null), 'cpe:2.3:a:a\\:b:c:*:*:*:*:*:wordpress:*:*');
  assert.equal(
    withCpeVersion(name, '2.0.1.9(1307)_EN'),
    'cpe:2.3:a:a\\:b:c:2.0.1.9\\(1307\\)_en:*:*:*:*:wordpress:*:*',
  );
  assert.equal(withCpeVersion(name, '$&'), 'cpe:2.3:a:a\\:b:c:\\$\\&:*:*:*:*:wordpress:*:*');
});
