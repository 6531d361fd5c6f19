import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inline, markdown, prose } from '../../src/pages/parts/prose.ts';
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

test('Markdown of advisories: headings, lists, fences; nothing of it becomes markup', () => {
  const text = [
    '### Impact',
    'A **bold** <b>claim</b>',
    'in `two` lines.',
    '',
    '- one',
    '  goes on',
    '* [two](https://a.example/x)',
    '---',
    '```go',
    'if a < b {',
    '',
    '# no heading',
    '```',
    'End',
  ].join('\n');
  assert.equal(
    String(markdown(text)),
    '<h3>Impact</h3><p>A bold &lt;b&gt;claim&lt;/b&gt;\nin <code>two</code> lines.</p>' +
      '<ul><li>one goes on</li><li><a rel="noopener noreferrer nofollow" href="https://a.example/x">two</a> <span class="host">a.example</span></li></ul>' +
      '<pre>if a &lt; b {\n\n# no heading</pre><p>End</p>',
  );
  assert.equal(String(markdown('```\nnever closed')), '<pre>never closed</pre>');
});
