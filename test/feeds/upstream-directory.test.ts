import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDirectoryPage } from '../../src/feeds/upstream-directory.ts';

const page = 'https://h.example/feeds/nvd/';

test('nginx autoindex', () => {
  const html = `<html>
<head><title>Index of /feeds/nvd/</title></head>
<body>
<h1>Index of /feeds/nvd/</h1><hr><pre><a href="../">../</a>
<a href="old/">old/</a>                                               01-Sep-2025 10:00                   -
<a href="nvdcve-2.0-2002.json.gz">nvdcve-2.0-2002.json.gz</a>                            01-Sep-2025 10:00             1234567
<a href="nvdcve-2.0-2002.meta">nvdcve-2.0-2002.meta</a>                               01-Sep-2025 10:00                 180
</pre><hr></body>
</html>`;
  assert.deepEqual(parseDirectoryPage(html, page), ['nvdcve-2.0-2002.json.gz', 'nvdcve-2.0-2002.meta']);
});

test('Apache fancy index: sort links, parent and entities', () => {
  const html = `<table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th></tr>
<tr><td><a href="/feeds/">Parent Directory</a></td></tr>
<tr><td><a href="a&amp;b.json">a&amp;b.json</a></td></tr>
<tr><td><A HREF="page%201.json">page 1.json</A></td></tr></table>`;
  assert.deepEqual(parseDirectoryPage(html, page), ['a&b.json', 'page 1.json']);
});

test('python http.server, absolute links to the same folder, doubles', () => {
  const html = `<ul>
<li><a href="%C3%A9.csv">é.csv</a></li>
<li><a href="x.zip">x.zip</a></li>
<li><a href="/feeds/nvd/x.zip">x.zip</a></li>
<li><a href="https://h.example/feeds/nvd/y.zip">y.zip</a></li>
</ul>`;
  assert.deepEqual(parseDirectoryPage(html, page), ['x.zip', 'y.zip', 'é.csv']);
});

test('nothing but plain names in the same folder', () => {
  const hrefs = [
    'https://evil.example/feeds/nvd/a.zip',
    'http://h.example/feeds/nvd/a.zip',
    '//evil.example/a.zip',
    '\\\\evil.example\\a.zip',
    '../a.zip',
    '/feeds/nvdx/a.zip',
    'sub/a.zip',
    'sub%2Fa.zip',
    '..%2Fa.zip',
    '%2e%2e',
    '.',
    '',
    'a%00b.zip',
    'a%0Ab.zip',
    'a%5Cb.zip',
    'a%3Fb.zip',
    'a%23b.zip',
    'a%253F.zip',
    'a%3Ab.zip',
    'a.zip?token=1',
    '%ff.zip',
    'javascript:alert(1)',
    'mailto:a@h.example',
    'file:///feeds/nvd/a.zip',
    'http://[',
  ];
  const html = hrefs.map((href) => `<a href="${href}">x</a>`).join('');
  assert.deepEqual(parseDirectoryPage(`${html}<a>none</a><a href>empty</a><link href="b.css">`, page), []);
});
