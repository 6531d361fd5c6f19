/** What an attacker writes where a page might show it. The element `zq9x` and the function `zq9` are nowhere in our pages. */

const MARKUP = [
  '<zq9x onload=zq9()></zq9x>',
  '<script>zq9()</script>',
  '<img src=x onerror=zq9()>',
  '<svg/onload=zq9()>',
  '<a href="javascript:zq9()">zq9</a>',
  '<iframe srcdoc="zq9"></iframe>',
  '<template shadowrootmode=open><zq9x></template>',
  '</title></textarea></style></script></template></main></body><zq9x>',
  '<!--zq9--><![CDATA[zq9]]><?zq9?>',
].join('');
/** Ends an attribute in every kind of quotes. */
const BREAKERS = `" onfocus=zq9() autofocus x="' onfocus=zq9() x='\` onfocus=zq9() `;
const TEMPLATES = '${zq9()}{{zq9()}}{%zq9%}<%zq9%>';
/** Direction overrides and isolates, marks, null bytes, controls, a byte order mark. */
const MISLEADING = '\u202e\u2066\u200e\u061c\u0000\u0007\u001b[31m\u009b\ufeff';

export const PAYLOAD = `${BREAKERS}${MARKUP}${TEMPLATES}${MISLEADING}&lt;zq9x&gt;&#x202e;&zq9;`;
/** For lists of hundreds, which would be too large for a source with the whole. */
export const SHORT_PAYLOAD = `"'><zq9x onload=zq9()><script>zq9()</script>${MISLEADING}`;
/** Over 100 KB. */
export const LONG_PAYLOAD = PAYLOAD.repeat(Math.ceil(100_000 / PAYLOAD.length));
/** The same where a parser takes printable ASCII alone. */
export const PRINTABLE_PAYLOAD = `${BREAKERS}${MARKUP}${TEMPLATES}`;

/** Addresses that must not become links, and some that may, with everything that would end an attribute. */
export const HOSTILE_URLS: readonly string[] = [
  'javascript:zq9()',
  'JaVaScRiPt:zq9()//https://evil.example/',
  ' javascript:zq9()',
  'java\nscript:zq9()',
  '\u0001javascript:zq9()',
  'data:text/html,<script>zq9()</script>',
  'vbscript:zq9()',
  'file:///etc/passwd',
  '//evil.example/zq9',
  '\\\\evil.example\\zq9',
  'https://user:zq9@evil.example/',
  `https://evil.example/${PRINTABLE_PAYLOAD}`,
  'https://evil.example/"onmouseover="zq9()',
  `https://evil.example/${'a'.repeat(100_000)}`,
  'https://evil.example/\u202egnp.exe',
];
