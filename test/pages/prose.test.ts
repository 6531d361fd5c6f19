import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inline, prose } from '../../src/pages/parts/prose.ts';
import { html } from '../../src/pages/html.ts';

const rendered = (text: string): string => String(html`${inline(text)}`);

test('links of techniques lead to their pages here', () => {
  assert.equal(
    rendered('[A](https://attack.mitre.org/techniques/T1059/001), [B](/techniques/AML.T0054)'),
    '<a href="/attack/T1059.001">A</a>, <a href="/atlas/AML.T0054">B</a>',
  );
});

test('code stays code, everything else is text', () => {
  assert.equal(
    rendered('<code>a<b</code> `c` <img src=x>'),
    '&lt;code&gt;a&lt;b&lt;/code&gt; <code>c</code> &lt;img src=x&gt;',
  );
  assert.equal(String(prose('one\n\ntwo <script>')).trim(), '<p>one</p>\n<p>two &lt;script&gt;</p>');
});

test('an address that is no web address is no link', () => {
  for (const address of ['javascript:alert(1)', 'data:text/html,x', '//evil.example']) {
    assert.doesNotMatch(rendered(`[click](${address})`), /href/, address);
  }
});
