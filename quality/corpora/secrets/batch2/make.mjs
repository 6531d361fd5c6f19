// Builds the cases from templates/*.txt: "%%%% path | about" begins a file, the lines after it are its text.
// Marks: «kind:args» is filler, «!kind:args» a secret (one finding on that line), «?kind:args» a look-alike
// that must be left alone; «!=text» and «?=text» are literal texts, in which ~{kind:args} is replaced. A value of several lines is labelled on
// its first line. In a connection string the value is the password; of a webhook address it is the whole address.
// A clean label with an empty value («?=») means: nothing on that line. Values without a label are not judged
// (for instance an access key id beside its secret). Every random value is drawn from a stream seeded by the path.
import fs from 'node:fs';
import path from 'node:path';
import crypto from 'node:crypto';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const SEED = 'second-series/7f';
const DIGIT = '0123456789', LOW = 'abcdefghijklmnopqrstuvwxyz', UP = LOW.toUpperCase(), HEX = '0123456789abcdef';
const ALNUM = UP + LOW + DIGIT, URLSAFE = ALNUM + '-_', BASE32 = UP + '234567', BECH = 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L';

class Stream {
  constructor(seed) { this.key = crypto.createHash('sha512').update(SEED + '\0' + seed).digest(); this.count = 0; this.rest = Buffer.alloc(0); }
  bytes(n) {
    const parts = [this.rest]; let have = this.rest.length;
    while (have < n) { const b = crypto.createHmac('sha512', this.key).update(String(this.count++)).digest(); parts.push(b); have += b.length; }
    const all = Buffer.concat(parts); this.rest = all.subarray(n); return Buffer.from(all.subarray(0, n));
  }
  below(n) { return this.bytes(6).readUIntBE(0, 6) % n; }
  of(alphabet, n) { let s = ''; for (let i = 0; i < n; i++) s += alphabet[this.below(alphabet.length)]; return s; }
}

const crcTable = Array.from({ length: 256 }, (_, n) => { let c = n; for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1; return c >>> 0; });
const crc32 = (text) => { let c = 0xffffffff; for (const b of Buffer.from(text)) c = (c >>> 8) ^ crcTable[(c ^ b) & 0xff]; return (c ^ 0xffffffff) >>> 0; };
const base62 = (n, width) => { const a = DIGIT + UP + LOW; let s = ''; for (let x = n; x > 0; x = Math.floor(x / 62)) s = a[x % 62] + s; return s.padStart(width, '0'); };
const checked = (r, prefix, n = 30) => { const body = r.of(ALNUM, n); return prefix + body + base62(crc32(body), 6); };
const b64 = (x) => Buffer.from(x).toString('base64');
const b64url = (x) => Buffer.from(x).toString('base64url');
const uuid = (r) => { const h = r.of(HEX, 32); return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${'89ab'[r.below(4)]}${h.slice(17, 20)}-${h.slice(20)}`; };
const jwt = (r, claims, alg = 'HS256') => `${b64url(JSON.stringify({ alg, typ: 'JWT' }))}.${b64url(JSON.stringify(claims))}.${b64url(r.bytes(alg === 'RS256' ? 256 : 32))}`;

// Keys
const tlv = (tag, ...parts) => {
  const body = Buffer.concat(parts.map((p) => Buffer.from(p)));
  const size = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const armor = (label, body, head = '', width = 64) => `-----BEGIN ${label}-----\n${head}${b64(body).match(new RegExp(`.{1,${width}}`, 'g')).join('\n')}\n-----END ${label}-----`;
const big = (buf) => BigInt('0x' + buf.toString('hex'));
const bytesOf = (n) => { let h = n.toString(16); if (h.length % 2) h = '0' + h; return Buffer.from(h, 'hex'); };
const prime = (r, bits) => { const b = r.bytes(bits / 8); b[0] |= 0xc0; b[b.length - 1] |= 1; let n = big(b); while ((n - 1n) % 65537n === 0n || !crypto.checkPrimeSync(n, { checks: 8 })) n += 2n; return n; };
const inverse = (a, m) => { let [x, y, u, v] = [a % m, m, 1n, 0n]; while (x > 1n) { const q = x / y; [x, y] = [y, x % y]; [u, v] = [v, u - q * v]; } return ((u % m) + m) % m; };
const rsaKey = (r, bits = 2048) => {
  const p = prime(r, bits / 2), q = prime(r, bits / 2), e = 65537n, d = inverse(e, (p - 1n) * (q - 1n));
  const f = (n) => b64url(bytesOf(n));
  return crypto.createPrivateKey({ format: 'jwk', key: { kty: 'RSA', n: f(p * q), e: f(e), d: f(d), p: f(p), q: f(q), dp: f(d % (p - 1n)), dq: f(d % (q - 1n)), qi: f(inverse(q, p)) } });
};
const ecKey = (r) => {
  const e = crypto.createECDH('prime256v1'); const secret = r.bytes(32); secret[0] &= 0x7f; e.setPrivateKey(secret); const point = e.getPublicKey();
  return crypto.createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d: b64url(secret), x: b64url(point.subarray(1, 33)), y: b64url(point.subarray(33)) } });
};
const edKey = (r) => crypto.createPrivateKey({ format: 'der', type: 'pkcs8', key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), r.bytes(32)]) });
const trimmed = (s) => s.toString().trim();
const word = (n) => { const b = Buffer.alloc(4); b.writeUInt32BE(n); return b; };
const field = (x) => { const b = Buffer.from(x); return Buffer.concat([word(b.length), b]); };
const edParts = (r) => { const key = edKey(r); const der = key.export({ format: 'der', type: 'pkcs8' }); return { seed: der.subarray(16), pub: crypto.createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12) }; };
const opensshKey = (r, comment, locked) => {
  const { seed, pub } = edParts(r); const check = r.bytes(4); const kind = field('ssh-ed25519');
  let inner = Buffer.concat([check, check, kind, field(pub), field(Buffer.concat([seed, pub])), field(comment)]);
  for (let i = 1, step = locked ? 16 : 8; inner.length % step; i++) inner = Buffer.concat([inner, Buffer.from([i])]);
  if (locked) inner = r.bytes(inner.length);
  const kdf = locked ? Buffer.concat([field(r.bytes(16)), word(24)]) : Buffer.alloc(0);
  return armor('OPENSSH PRIVATE KEY', Buffer.concat([Buffer.from('openssh-key-v1\0'), field(locked ? 'aes256-ctr' : 'none'), field(locked ? 'bcrypt' : 'none'), field(kdf), word(1), field(Buffer.concat([kind, field(pub)])), field(inner)]), '', 70);
};
const lockedPem = (r, pass) => {
  const iv = r.bytes(16); let key = Buffer.alloc(0), last = Buffer.alloc(0);
  while (key.length < 16) { last = crypto.createHash('md5').update(Buffer.concat([last, Buffer.from(pass), iv.subarray(0, 8)])).digest(); key = Buffer.concat([key, last]); }
  const c = crypto.createCipheriv('aes-128-cbc', key.subarray(0, 16), iv);
  const body = Buffer.concat([c.update(rsaKey(r, 1024).export({ format: 'der', type: 'pkcs1' })), c.final()]);
  return armor('RSA PRIVATE KEY', body, `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${iv.toString('hex').toUpperCase()}\n\n`);
};
const crc24 = (buf) => { let c = 0xb704ce; for (const b of buf) { c ^= b << 16; for (let i = 0; i < 8; i++) { c <<= 1; if (c & 0x1000000) c ^= 0x1864cfb; } } return Buffer.from([(c >> 16) & 255, (c >> 8) & 255, c & 255]); };
const pgp = (r, label, uid) => {
  const { seed, pub } = edParts(r);
  const mpi = (b) => { const n = Buffer.from(b); const bits = n.length * 8 - Math.clz32(n[0]) + 24; return Buffer.concat([Buffer.from([bits >> 8, bits & 255]), n]); };
  const point = mpi(Buffer.concat([Buffer.from([0x40]), pub]));
  const common = Buffer.concat([Buffer.from([4]), word(1650000000 + r.below(9e7)), Buffer.from([22, 9]), Buffer.from('2b06010401da470f01', 'hex'), point]);
  const secret = label.includes('PRIVATE'); seed[0] |= 0x40; const s = mpi(seed); let sum = 0; for (const b of s) sum = (sum + b) & 0xffff;
  const key = secret ? Buffer.concat([common, Buffer.from([0]), s, Buffer.from([sum >> 8, sum & 255])]) : common;
  const pack = (tag, b) => Buffer.concat([Buffer.from([0xc0 | tag, ...(b.length < 192 ? [b.length] : [((b.length - 192) >> 8) + 192, (b.length - 192) & 255])]), b]);
  const all = Buffer.concat([pack(secret ? 5 : 6, key), pack(13, Buffer.from(uid)), pack(2, Buffer.concat([Buffer.from('0413160a', 'hex'), r.bytes(140)]))]);
  return `-----BEGIN PGP ${label}-----\n\n${b64(all).match(/.{1,64}/g).join('\n')}\n=${b64(crc24(all))}\n-----END PGP ${label}-----`;
};
const certificate = (r, name) => {
  const rdn = tlv(0x30, tlv(0x31, tlv(0x30, Buffer.from('0603550403', 'hex'), tlv(0x0c, Buffer.from(name)))));
  const alg = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
  const spki = tlv(0x30, Buffer.from('300d06092a864886f70d0101010500', 'hex'), tlv(0x03, [0], tlv(0x30, tlv(0x02, [0], Buffer.concat([Buffer.from([0xc3]), r.bytes(255)])), Buffer.from('0203010001', 'hex'))));
  const tbs = tlv(0x30, Buffer.from('a003020102', 'hex'), tlv(0x02, Buffer.concat([Buffer.from([0x2b]), r.bytes(15)])), alg, rdn, tlv(0x30, tlv(0x17, Buffer.from('240301000000Z')), tlv(0x17, Buffer.from('340301000000Z'))), rdn, spki);
  return armor('CERTIFICATE', tlv(0x30, tbs, alg, tlv(0x03, [0], r.bytes(256))));
};
const sshPublic = (r, comment) => `ssh-ed25519 ${b64(Buffer.concat([field('ssh-ed25519'), field(edParts(r).pub)]))} ${comment}`;

const kinds = {
  hex: (r, n) => r.of(HEX, +n), HEX: (r, n) => r.of(HEX.toUpperCase(), +n), dig: (r, n) => r.of('123456789', 1) + r.of(DIGIT, n - 1),
  an: (r, n) => r.of(ALNUM, +n), low: (r, n) => r.of(LOW + DIGIT, +n), up: (r, n) => r.of(UP + DIGIT, +n), safe: (r, n) => r.of(URLSAFE, +n), b32: (r, n) => r.of(BASE32, +n),
  bytes: (r, n) => b64(r.bytes(+n)), ubytes: (r, n) => b64url(r.bytes(+n)), uuid: (r) => uuid(r), UUID: (r) => uuid(r).toUpperCase(),
  pw: (r, n) => r.of(LOW, 1) + r.of(ALNUM + '!#%*+=?@^~', n - 2) + r.of(ALNUM, 1), salt: (r, n) => r.of(ALNUM + '!#$%&()*+,-./:;<=>?@[]^_`{|}~', +n),
  enc: (r, ...a) => b64(kinds[a[0]] ? kinds[a[0]](r, ...a.slice(1)) : a.join(':')), encn: (r, ...a) => b64((kinds[a[0]] ? kinds[a[0]](r, ...a.slice(1)) : a.join(':')) + '\n'),
  basic: (r, user, n) => b64(`${user}:${r.of(ALNUM, +n)}`), basicw: (r, ...a) => b64(a.join(':')),
  dockercfg: (r, host, user, n) => b64(JSON.stringify({ auths: { [host]: { username: user, auth: b64(`${user}:${r.of(ALNUM, +n)}`) } } })),
  authplain: (r, user, pass) => b64(`\0${user}\0${pass}`),
  hubauth: (r, user) => b64(`${user}:dckr_pat_${r.of(URLSAFE, 27)}`),
  image: (r, n) => 'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAA' + b64(r.bytes(+n)),
  // Cloud
  akid: (r) => 'AKIA' + r.of(BASE32, 16), asia: (r) => 'ASIA' + r.of(BASE32, 16), awssecret: (r) => b64(r.bytes(30)), awssession: (r) => 'IQoJb3JpZ2luX2Vj' + b64(r.bytes(300)),
  bedrock: (r) => 'ABSK' + b64('BedrockAPIKey-' + r.of(LOW + DIGIT, 4) + '-at-' + r.of(DIGIT, 12) + ':' + r.bytes(33).toString('base64')),
  aiza: (r) => 'AIzaSy' + r.of(URLSAFE, 33), gocspx: (r) => 'GOCSPX-' + r.of(URLSAFE, 28), ya29: (r) => 'ya29.a0' + r.of(URLSAFE, 160), grefresh: (r) => '1//0' + r.of(LOW + DIGIT, 1) + r.of(URLSAFE, 98),
  azclient: (r) => r.of(ALNUM, 3) + '8Q~' + r.of(ALNUM + '-_.~', 34), azstore: (r) => b64(r.bytes(64)), azbus: (r) => b64(r.bytes(32)), azfunc: (r) => r.of(URLSAFE, 44) + 'AzFu' + r.of(URLSAFE, 6) + '==',
  azdo: (r) => r.of(ALNUM, 76) + 'AZDO' + r.of(ALNUM, 4), azdoold: (r) => r.of(LOW + '234567', 52), azsas: (r) => encodeURIComponent(b64(r.bytes(32))),
  dop: (r) => 'dop_v1_' + r.of(HEX, 64), doo: (r) => 'doo_v1_' + r.of(HEX, 64), alisecret: (r) => r.of(ALNUM, 30), aliid: (r) => 'LTAI5t' + r.of(ALNUM, 18), tencentid: (r) => 'AKID' + r.of(ALNUM, 32),
  yandex: (r) => 'AQVN' + r.of(URLSAFE, 36), heroku: (r) => 'HRKU-AA' + r.of(URLSAFE, 58), cfca: (r) => 'v1.0-' + r.of(HEX, 24) + '-' + r.of(HEX, 146), fly: (r) => 'FlyV1 fm2_lJPE' + b64(r.bytes(150)),
  // Code and packages
  ghp: (r) => checked(r, 'ghp_'), gho: (r) => checked(r, 'gho_'), ghs: (r) => checked(r, 'ghs_'), ghu: (r) => checked(r, 'ghu_'), ghfine: (r) => 'github_pat_11' + r.of(UP + DIGIT, 20) + '_' + r.of(ALNUM, 59),
  glpat: (r) => 'glpat-' + r.of(URLSAFE, 20), glptt: (r) => 'glptt-' + r.of(HEX, 40), glrt: (r) => 'glrt-' + r.of(URLSAFE, 20), gldt: (r) => 'gldt-' + r.of(URLSAFE, 20),
  bitbucket: (r) => 'ATBB' + r.of(ALNUM, 24) + r.of(HEX.toUpperCase(), 8), atlassian: (r) => 'ATATT3xFfGF0' + r.of(URLSAFE, 171) + '=' + r.of(HEX.toUpperCase(), 8),
  npm: (r) => checked(r, 'npm_'), pypi: (r) => 'pypi-AgEIcHlwaS5vcmc' + b64url(Buffer.concat([Buffer.from([2, 0x24]), Buffer.from(uuid(r)), r.bytes(80)])), gem: (r) => 'rubygems_' + r.of(HEX, 48),
  nuget: (r) => 'oy2' + r.of(LOW + '234567', 43), cargo: (r) => 'cio' + r.of(ALNUM, 32), clojars: (r) => 'CLOJARS_' + r.of(HEX, 60), docker: (r) => 'dckr_pat_' + r.of(URLSAFE, 27), artifactory: (r) => 'AKCp8' + r.of(ALNUM, 68),
  tfc: (r) => r.of(ALNUM, 14) + '.atlasv1.' + r.of(ALNUM, 67), hvs: (r) => 'hvs.CAESI' + r.of(URLSAFE, 86), pulumi: (r) => 'pul-' + r.of(HEX, 40), doppler: (r) => 'dp.pt.' + r.of(ALNUM, 43), dopplerst: (r, env) => `dp.st.${env}.` + r.of(ALNUM, 41),
  circle: (r) => 'CCIPAT_' + r.of(ALNUM, 22) + '_' + r.of(HEX, 40), buildkite: (r) => 'bkua_' + r.of(HEX, 40), sonar: (r) => 'sqp_' + r.of(HEX, 40), sourcegraph: (r) => `sgp_${r.of(HEX, 16)}_${r.of(HEX, 40)}`, postman: (r) => `PMAK-${r.of(HEX, 24)}-${r.of(HEX, 34)}`,
  scalingo: (r) => 'tk-us-' + r.of(URLSAFE, 48), launchdarkly: (r) => 'api-' + uuid(r), tailscale: (r) => `tskey-auth-k${r.of(ALNUM, 11)}CNTRL-${r.of(ALNUM, 32)}`, age: (r) => 'AGE-SECRET-KEY-1' + r.of(BECH, 58), netlify: (r) => 'nfp_' + r.of(ALNUM, 36),
  onepw: (r) => 'ops_' + b64url(JSON.stringify({ signInAddress: 'team.1password.com', userAuth: { method: 'SRPg-4096', alg: 'PBES2g-HS256', iterations: 650000, salt: r.of(URLSAFE, 22) }, email: r.of(LOW, 13) + '@1passwordserviceaccounts.com', srpX: r.of(HEX, 64), muk: { alg: 'A256GCM', ext: true, k: r.of(URLSAFE, 43), key_ops: ['encrypt', 'decrypt'], kty: 'oct', kid: 'mp' }, secretKey: 'A3-' + r.of(UP, 6) + '-' + r.of(UP, 6) + '-' + r.of(UP, 5), throttleSecret: { seed: r.of(HEX, 64), uuid: r.of(UP, 26) }, deviceUuid: r.of(LOW, 26) })),
  // Messages and mail
  slackbot: (r) => `xoxb-${kinds.dig(r, 12)}-${kinds.dig(r, 13)}-${r.of(ALNUM, 24)}`, slackuser: (r) => `xoxp-${kinds.dig(r, 12)}-${kinds.dig(r, 12)}-${kinds.dig(r, 13)}-${r.of(HEX, 32)}`, slackapp: (r) => `xapp-1-A0${r.of(UP + DIGIT, 9)}-${kinds.dig(r, 13)}-${r.of(HEX, 64)}`,
  slackhook: (r) => `https://hooks.slack.com/services/T0${r.of(UP + DIGIT, 9)}/B0${r.of(UP + DIGIT, 9)}/${r.of(ALNUM, 24)}`, discordhook: (r) => `https://discord.com/api/webhooks/1${r.of(DIGIT, 18)}/${r.of(URLSAFE, 68)}`,
  teamshook: (r, org) => `https://${org}.webhook.office.com/webhookb2/${uuid(r)}@${uuid(r)}/IncomingWebhook/${r.of(HEX, 32)}/${uuid(r)}`,
  discord: (r) => b64url('1' + r.of(DIGIT, 17)).replace(/=/g, '') + '.G' + r.of(URLSAFE, 5) + '.' + r.of(URLSAFE, 38), telegram: (r) => `${kinds.dig(r, 10)}:AA${r.of(URLSAFE, 33)}`,
  sendgrid: (r) => `SG.${r.of(URLSAFE, 22)}.${r.of(URLSAFE, 43)}`, mailgun: (r) => 'key-' + r.of(HEX, 32), mailchimp: (r) => `${r.of(HEX, 32)}-us${1 + r.below(20)}`, brevo: (r) => `xkeysib-${r.of(HEX, 64)}-${r.of(ALNUM, 16)}`, resend: (r) => `re_${r.of(ALNUM, 8)}_${r.of(ALNUM, 24)}`,
  twiliokey: (r) => 'SK' + r.of(HEX, 32), twiliosid: (r) => 'AC' + r.of(HEX, 32), okta: (r) => '00' + r.of(URLSAFE, 40), linear: (r) => 'lin_api_' + r.of(ALNUM, 40), notion: (r) => 'ntn_' + kinds.dig(r, 11) + r.of(ALNUM, 35), figma: (r) => 'figd_' + r.of(URLSAFE, 40),
  airtable: (r) => `pat${r.of(ALNUM, 14)}.${r.of(HEX, 64)}`, asana: (r) => `2/${kinds.dig(r, 16)}/${kinds.dig(r, 16)}:${r.of(HEX, 32)}`, hubspot: (r) => 'pat-eu1-' + uuid(r), typeform: (r) => `tfp_${r.of(ALNUM, 44)}_3${r.of(ALNUM, 14)}`, contentful: (r) => 'CFPAT-' + r.of(URLSAFE, 43), readme: (r) => 'rdme_xn8s9h' + r.of(LOW + DIGIT, 64),
  // Money and shops
  skl: (r) => 'sk_live_51' + r.of(ALNUM, 97), skshort: (r) => 'sk_live_' + r.of(ALNUM, 24), rkl: (r) => 'rk_live_51' + r.of(ALNUM, 97), whsec: (r) => 'whsec_' + r.of(ALNUM, 32), pkl: (r) => 'pk_live_51' + r.of(ALNUM, 97),
  shpat: (r) => 'shpat_' + r.of(HEX, 32), shpss: (r) => 'shpss_' + r.of(HEX, 32), square: (r) => 'EAAA' + r.of(URLSAFE, 60), braintree: (r) => `access_token$production$${r.of(LOW + DIGIT, 16)}$${r.of(HEX, 32)}`, paystack: (r) => 'sk_live_' + r.of(HEX, 40), flutter: (r) => `FLWSECK-${r.of(HEX, 32)}-${r.of(HEX, 11)}vt-X`,
  plaid: (r) => 'access-production-' + uuid(r), easypost: (r) => 'EZAK' + r.of(ALNUM, 54), shippo: (r) => 'shippo_live_' + r.of(HEX, 40), adyen: (r) => 'AQE' + r.of(ALNUM + '+/', 117) + '-' + r.of(ALNUM + '+/', 43) + '=-' + r.of(ALNUM + '~', 16), rzp: (r) => 'rzp_live_' + r.of(ALNUM, 14), mws: (r) => 'amzn.mws.' + uuid(r),
  // Models, data, monitoring
  openai: (r) => `sk-proj-${r.of(URLSAFE, 74)}T3BlbkFJ${r.of(URLSAFE, 74)}`, openaiold: (r) => `sk-${r.of(ALNUM, 20)}T3BlbkFJ${r.of(ALNUM, 20)}`, anthropic: (r) => `sk-ant-api03-${r.of(URLSAFE, 93)}AA`, hf: (r) => 'hf_' + r.of(UP + LOW, 34), replicate: (r) => 'r8_' + r.of(ALNUM, 37), groq: (r) => 'gsk_' + r.of(ALNUM, 20) + 'WGdyb3FY' + r.of(ALNUM, 24),
  pplx: (r) => 'pplx-' + r.of(ALNUM, 48), xai: (r) => 'xai-' + r.of(ALNUM, 80), langsmith: (r) => `lsv2_pt_${r.of(HEX, 32)}_${r.of(HEX, 10)}`, dapi: (r) => 'dapi' + r.of(HEX, 32), supabase: (r) => 'sbp_' + r.of(HEX, 40), pscale: (r) => 'pscale_pw_' + r.of(URLSAFE, 43), aiven: (r) => 'AVNS_' + r.of(URLSAFE, 19),
  nrak: (r) => 'NRAK-' + r.of(UP + DIGIT, 27), sentry: (r) => `sntryu_${r.of(HEX, 64)}`, grafana: (r) => { const t = 'glsa_' + r.of(ALNUM, 32); return `${t}_${crc32(t).toString(16).padStart(8, '0')}`; }, dynatrace: (r) => `dt0c01.${r.of(BASE32, 24)}.${r.of(BASE32, 64)}`, prefect: (r) => 'pnu_' + r.of(ALNUM, 36), mapboxsk: (r, user) => `sk.${b64url(JSON.stringify({ u: user, a: 'cl' + r.of(LOW + DIGIT, 23) }))}.${r.of(URLSAFE, 22)}`, mapboxpk: (r, user) => `pk.${b64url(JSON.stringify({ u: user, a: 'cl' + r.of(LOW + DIGIT, 23) }))}.${r.of(URLSAFE, 22)}`,
  twitter: (r) => 'AAAAAAAAAAAAAAAAAAAAA' + r.of(ALNUM, 12) + '%3D' + r.of(ALNUM, 50), facebook: (r) => 'EAA' + r.of(ALNUM, 180), dropbox: (r) => 'sl.u.AF' + r.of(URLSAFE, 150), cloudinary: (r) => r.of(URLSAFE, 27), rapid: (r) => `${r.of(LOW + DIGIT, 10)}msh${r.of(LOW + DIGIT, 15)}p1${r.of(LOW + DIGIT, 5)}jsn${r.of(LOW + DIGIT, 12)}`,
  jwt: (r, sub) => jwt(r, { sub, name: 'deploy', iat: 1719000000 + r.below(9e6), exp: 2034000000 }), jwtrs: (r, iss) => jwt(r, { iss, sub: r.of(HEX, 24), aud: 'api', exp: 2034000000 }, 'RS256'), srole: (r) => jwt(r, { iss: 'supabase', ref: r.of(LOW, 20), role: 'service_role', iat: 1700000000, exp: 2015576000 }),
  // Keys
  rsa: (r, bits) => trimmed(rsaKey(r, +(bits || 2048)).export({ format: 'pem', type: 'pkcs1' })), pkcs8: (r, bits) => trimmed(rsaKey(r, +(bits || 2048)).export({ format: 'pem', type: 'pkcs8' })), pkcs8line: (r) => trimmed(rsaKey(r).export({ format: 'pem', type: 'pkcs8' })).replace(/\n/g, '\\n') + '\\n', ecline: (r) => trimmed(ecKey(r).export({ format: 'pem', type: 'pkcs8' })).replace(/\n/g, '\\n'),
  ec: (r) => trimmed(ecKey(r).export({ format: 'pem', type: 'sec1' })), ec8: (r) => trimmed(ecKey(r).export({ format: 'pem', type: 'pkcs8' })), ed8: (r) => trimmed(edKey(r).export({ format: 'pem', type: 'pkcs8' })), lockedrsa: (r, pass) => lockedPem(r, pass),
  openssh: (r, comment) => opensshKey(r, comment, false), opensshlocked: (r, comment) => opensshKey(r, comment, true), pgpsec: (r, ...uid) => pgp(r, 'PRIVATE KEY BLOCK', uid.join(':')), pgppub: (r, ...uid) => pgp(r, 'PUBLIC KEY BLOCK', uid.join(':')),
  pub: (r) => trimmed(crypto.createPublicKey(rsaKey(r, 1024)).export({ format: 'pem', type: 'spki' })), cert: (r, name) => certificate(r, name), certb64: (r, name) => b64(certificate(r, name) + '\n'), sshpub: (r, comment) => sshPublic(r, comment), pkcs8b64: (r) => b64(trimmed(rsaKey(r, 1024).export({ format: 'pem', type: 'pkcs8' })) + '\n'),
  wg: (r) => { const k = r.bytes(32); k[0] &= 248; k[31] = (k[31] & 127) | 64; return b64(k); }, ecjwk: (r) => ecKey(r).export({ format: 'jwk' }).d, tfkey: (r) => trimmed(ecKey(r).export({ format: 'pem', type: 'sec1' })).replace(/\n/g, '\\n') + '\\n',
  sealed: (r, n) => 'Ag' + b64(r.bytes(+n)), sops: (r, n) => `ENC[AES256_GCM,data:${b64(r.bytes(+n))},iv:${b64(r.bytes(32))},tag:${b64(r.bytes(16))},type:str]`, bcrypt: (r) => '$2b$12$' + r.of(ALNUM + './', 53), argon: (r) => `$argon2id$v=19$m=65536,t=3,p=4$${b64(r.bytes(16)).replace(/=/g, '')}$${b64(r.bytes(32)).replace(/=/g, '')}`,
};

/** Files with their labels: [{ path, text, about, secrets: [{ line, value }], clean: [{ line, value }] }]. */
export function cases() {
  const out = [];
  for (const name of fs.readdirSync(path.join(here, 'templates')).sort()) {
    for (const block of fs.readFileSync(path.join(here, 'templates', name), 'utf8').split(/^%%%% /m).slice(1)) {
      const cut = block.indexOf('\n');
      const [file, about] = block.slice(0, cut).split(' | ');
      const r = new Stream(file);
      const item = { path: file, text: '', about, secrets: [], clean: [] };
      const body = block.slice(cut + 1).replace(/\n+$/, '\n');
      let at = 0, indent = '';
      for (const m of body.matchAll(/«(>*)([!?]?)(=?)([^»]*)»/g)) {
        item.text += body.slice(at, m.index); at = m.index + m[0].length;
        let value;
        if (m[3]) value = m[4].replace(/~\{([^}]+)\}/g, (_, inner) => { const [kind, ...args] = inner.split(':'); return kinds[kind](r, ...args); });
        else { const [kind, ...args] = m[4].split(':'); if (!kinds[kind]) throw new Error(`${file}: no kind ${kind}`); value = kinds[kind](r, ...args); }
        // «>…» keeps the indentation of its line for every line of the value
        if (m[1]) { indent = item.text.slice(item.text.lastIndexOf('\n') + 1).match(/^\s*/)[0]; value = value.split('\n').join('\n' + indent); }
        const line = item.text.split('\n').length;
        item.text += value;
        if (m[2] === '!') item.secrets.push({ line, value });
        if (m[2] === '?') item.clean.push({ line, value });
      }
      item.text += body.slice(at);
      out.push(item);
    }
  }
  return out;
}

if (process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const all = cases(); const count = (f) => all.reduce((n, c) => n + f(c), 0);
  if (process.argv[2]) for (const c of all) { const to = path.join(process.argv[2], c.path); fs.mkdirSync(path.dirname(to), { recursive: true }); fs.writeFileSync(to, c.text); }
  console.log(`${all.length} files, ${count((c) => c.secrets.length)} secrets, ${count((c) => c.clean.length)} look-alikes, ${new Set(all.map((c) => c.about)).size} kinds of case`);
}
