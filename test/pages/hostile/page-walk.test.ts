import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pageFaults } from './page-walk.ts';
import { PAYLOAD } from './payloads.ts';

const page = (inside: string): string => `<!doctype html>\n<html><body><main>${inside}</main></body></html>`;

describe('the walk over a page', () => {
  for (const [what, inside] of [
    ['an element', '<iframe></iframe>'],
    ['a handler', '<p onclick="x()">a</p>'],
    ['a style', '<p style="color:red">a</p>'],
    ['a script in the page', '<script>x()</script>'],
    ['a script of others', '<script src="https://evil.example/x.js"></script>'],
    ['a script link', '<a href="javascript:x()">a</a>'],
    ['a data link', '<a href="data:text/html,x">a</a>'],
    ['a link to another host without a scheme', '<a href="//evil.example">a</a>'],
    ['a link with a login', '<a href="https://u:p@evil.example/">a</a>'],
    ['a form to another site', '<form action="https://evil.example/"></form>'],
    ['an override of direction', '<p>\u202eabc</p>'],
    ['the same as an entity', '<p>&#x202e;abc</p>'],
    ['a comment', '<!-- a -->'],
    ['what is not closed', '<p><b>a</p>'],
    ['what is closed twice', '<p>a</p></div>'],
    ['an id twice', '<p id="a"></p><p id="a"></p>'],
    ['the payload', PAYLOAD],
  ] as const) {
    test(`finds ${what}`, () => assert.notDeepEqual(pageFaults(page(inside)), []));
  }

  test('finds nothing in what templates write', () => {
    const fine =
      '<p id="a">&lt;zq9x&gt; <a rel="nofollow" href="https://evil.example/%22x">a</a><br><a href="/cve/CVE-1">b</a></p>';
    assert.deepEqual(pageFaults(page(fine)), []);
  });
});
