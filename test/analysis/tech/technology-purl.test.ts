import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choosePurl } from '../../../src/analysis/tech/technology-purl.ts';

const JQUERY = [
  'pkg:nuget/jquery',
  'pkg:github/jquery/jquery',
  'pkg:npm/jquery',
  'pkg:npm/jquery-ui',
  'pkg:deb/debian/jquery',
];

test('a library of browsers is its package of npm', () =>
  assert.equal(
    choosePurl(JQUERY, { name: 'jQuery', category: 'JavaScript library', version: '3.7.1' }),
    'pkg:npm/jquery@3.7.1',
  ));
test('without a version there is none in it', () =>
  assert.equal(
    choosePurl(JQUERY, { name: 'jQuery', category: 'JavaScript library', version: null }),
    'pkg:npm/jquery',
  ));
test('a framework of servers is that of its own registry', () =>
  assert.equal(
    choosePurl(['pkg:github/laravel/framework', 'pkg:composer/laravel/laravel', 'pkg:npm/laravel'], {
      name: 'Laravel',
      category: 'web framework',
      version: null,
    }),
    'pkg:composer/laravel/laravel',
  ));
test('a package of another name, or of a distribution, is none', () =>
  assert.equal(
    choosePurl(['pkg:npm/nginx-conf', 'pkg:deb/debian/nginx'], {
      name: 'nginx',
      category: 'web server',
      version: '1.24.0',
    }),
    null,
  ));
test('the js at the end of a name tells nothing apart', () =>
  assert.equal(
    choosePurl(['pkg:npm/vue'], { name: 'Vue.js', category: 'JavaScript framework', version: '3.4.0' }),
    'pkg:npm/vue@3.4.0',
  ));
