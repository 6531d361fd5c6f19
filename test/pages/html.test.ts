import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { html, join } from '../../src/pages/html.ts';
import { foreignLink, link, paths, withQuery } from '../../src/pages/links.ts';

describe('templates', () => {
  test('escape text and attributes, and nest without escaping twice', () => {
    const inner = html`<b title="${'"><script>'}">${'<i> & \'"'}</b>`;
    assert.equal(
      String(html`<p>${[inner, null, false, 0]}</p>`),
      '<p><b title="&quot;&gt;&lt;script&gt;">&lt;i&gt; &amp; &#39;&quot;</b>0</p>',
    );
    assert.equal(String(html`${join(['a', '<'], html`<br>`)}`), 'a<br>&lt;');
  });

  test('drop what turns the direction of text, and control characters', () => {
    // CVE-2021-42574 (Trojan Source): U+202E shows "gpj.exe" as "exe.jpg".
    assert.equal(String(html`${'a\u202egpj.exe\u2066\u0000\u001b[31m\tb\n'}`), 'agpj.exe[31m\tb\n');
  });

  test('an object that says that it is escaped is no markup: answers are JSON', () => {
    const foreign = JSON.parse('{"isEscaped": true, "value": "<script>"}') as never;
    assert.doesNotMatch(String(html`${foreign}`), /<script>/);
  });
});

describe('links', () => {
  test('own paths are encoded, and nothing else is a link of this service', () => {
    assert.equal(paths.product('a/b', '../c?d#e'), '/product/a%2Fb/..%2Fc%3Fd%23e');
    assert.equal(
      withQuery('/search', { q: 'a&b', kev: true, none: null, empty: '', off: false }),
      '/search?q=a%26b&kev=true',
    );
    for (const path of ['//evil.example', 'https://evil.example', 'javascript:alert(1)', 'cve']) {
      assert.throws(() => link(path, 'x'), /not a path/, path);
    }
  });

  test('addresses of third parties become links only where they are http', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      ' java\nscript:alert(1)',
      'vbscript:x',
      'http://user:pass@evil.example/',
    ]) {
      assert.doesNotMatch(String(foreignLink(address)), /href/, address);
    }
    const shown = String(foreignLink('https://evil.example/a"b', 'our own bank'));
    assert.match(shown, /href="https:\/\/evil\.example\/a%22b"/);
    assert.match(shown, /rel="noopener noreferrer nofollow"/);
    assert.match(shown, />evil\.example</);
  });
});
