// Builds the cases from templates/*.txt. Every random value is drawn from a seeded stream per file.
// A label of an empty value means: nothing on that line.
// Access key ids beside their secret are without label: naming them is neither demanded nor wrong.
// Template marks: «kind:args» filler, «!kind:args» must be reported, «?kind:args» must not;
// «!=text» / «?=text» are literal texts. A value of several lines is labelled on its first line.
import fs from 'node:fs';
import path from 'node:path';
import crypto from 'node:crypto';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const SEED = 'batch1-2026';

class Rng {
  constructor(seed) { this.seed = seed; this.n = 0; this.buf = Buffer.alloc(0); }
  bytes(k) {
    while (this.buf.length < k) this.buf = Buffer.concat([this.buf, crypto.createHash('sha256').update(this.seed + '/' + this.n++).digest()]);
    const out = this.buf.subarray(0, k); this.buf = this.buf.subarray(k); return Buffer.from(out);
  }
  int(n) { return this.bytes(6).readUIntBE(0, 6) % n; }
  chars(alpha, k) { let s = ''; for (let i = 0; i < k; i++) s += alpha[this.int(alpha.length)]; return s; }
}
const D = '0123456789', L = 'abcdefghijklmnopqrstuvwxyz', U = L.toUpperCase(), H = '0123456789abcdef';
const AN = U + L + D, ANL = L + D, B32 = U + '234567', B64 = AN + '+/', U64 = AN + '-_';
const CRC = (() => { const t = []; for (let n = 0; n < 256; n++) { let c = n; for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1; t[n] = c >>> 0; } return t; })();
const crc32 = (s) => { let c = 0xffffffff; for (const b of Buffer.from(s)) c = CRC[(c ^ b) & 255] ^ (c >>> 8); return (c ^ 0xffffffff) >>> 0; };
const b62 = (n, k) => { const a = D + U + L; let s = ''; while (n > 0) { s = a[n % 62] + s; n = Math.floor(n / 62); } return s.padStart(k, '0'); };
const b64u = (x) => Buffer.from(x).toString('base64url');

// DER
const der = (tag, ...parts) => { const b = Buffer.concat(parts.map((p) => Buffer.from(p))); let len; if (b.length < 128) len = Buffer.from([b.length]); else if (b.length < 256) len = Buffer.from([0x81, b.length]); else len = Buffer.from([0x82, b.length >> 8, b.length & 255]); return Buffer.concat([Buffer.from([tag]), len, b]); };
const pem = (label, buf, head = '') => `-----BEGIN ${label}-----\n${head}${buf.toString('base64').match(/.{1,64}/g).join('\n')}\n-----END ${label}-----`;
const sshStr = (x) => { const b = Buffer.from(x); const l = Buffer.alloc(4); l.writeUInt32BE(b.length); return Buffer.concat([l, b]); };
const ed = (r) => {
  const seed = r.bytes(32);
  const key = crypto.createPrivateKey({ key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8' });
  const pub = crypto.createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(12);
  return { seed, key, pub };
};
const cache = new Map();
function modinv(a, m) { let [r0, r1, s0, s1] = [a, m, 1n, 0n]; while (r1) { const q = r0 / r1; [r0, r1, s0, s1] = [r1, r0 - q * r1, s1, s0 - q * s1]; } return ((s0 % m) + m) % m; }
function rsa(name) {
  if (cache.has(name)) return cache.get(name);
  const r = new Rng(SEED + '/rsa/' + name);
  const prime = () => { const b = r.bytes(128); b[0] |= 0xc0; b[127] |= 1; let p = BigInt('0x' + b.toString('hex')); while ((p - 1n) % 65537n === 0n || !crypto.checkPrimeSync(p)) p += 2n; return p; };
  let p = prime(), q = prime(); if (p < q) [p, q] = [q, p];
  const e = 65537n, d = modinv(e, (p - 1n) * (q - 1n));
  const w = (n) => { let h = n.toString(16); if (h.length % 2) h = '0' + h; return Buffer.from(h, 'hex').toString('base64url'); };
  const key = crypto.createPrivateKey({ key: { kty: 'RSA', n: w(p * q), e: w(e), d: w(d), p: w(p), q: w(q), dp: w(d % (p - 1n)), dq: w(d % (q - 1n)), qi: w(modinv(q, p)) }, format: 'jwk' });
  cache.set(name, key); return key;
}
function ec(r) {
  const d = r.bytes(32); d[0] &= 0x7f; const ecdh = crypto.createECDH('prime256v1'); ecdh.setPrivateKey(d); const pub = ecdh.getPublicKey();
  return { d, pub };
}
function cert(r) {
  const k = ed(r); const name = (cn) => der(0x30, der(0x31, der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, cn))));
  const alg = Buffer.from('300506032b6570', 'hex');
  const spki = der(0x30, alg, der(0x03, Buffer.concat([Buffer.from([0]), k.pub])));
  const tbs = der(0x30, Buffer.from('a003020102', 'hex'), der(0x02, Buffer.concat([Buffer.from([0x11]), r.bytes(15)])), alg, name('internal-ca'), der(0x30, der(0x17, '240102000000Z'), der(0x17, '340102000000Z')), name('node-' + r.int(90)), spki);
  return pem('CERTIFICATE', der(0x30, tbs, alg, der(0x03, Buffer.concat([Buffer.from([0]), crypto.sign(null, tbs, k.key)]))));
}
function pgp(r) {
  const k = ed(r); const mpi = (b) => { let i = 0; while (b[i] === 0) i++; b = b.subarray(i); const bits = b.length * 8 - Math.clz32(b[0]) + 24; return Buffer.concat([Buffer.from([bits >> 8, bits & 255]), b]); };
  const sec = mpi(k.seed); let sum = 0; for (const b of sec) sum = (sum + b) & 0xffff;
  const body = Buffer.concat([Buffer.from([4, 0x65, 0x92, r.int(256), r.int(256), 22, 9]), Buffer.from('2b06010401da470f01', 'hex'), mpi(Buffer.concat([Buffer.from([0x40]), k.pub])), Buffer.from([0]), sec, Buffer.from([sum >> 8, sum & 255])]);
  const uid = Buffer.from('Release Signing <release@brightfern.example>');
  const data = Buffer.concat([Buffer.from([0x94, body.length]), body, Buffer.from([0xb4, uid.length]), uid]);
  let c = 0xb704ce; for (const b of data) { c ^= b << 16; for (let i = 0; i < 8; i++) { c <<= 1; if (c & 0x1000000) c ^= 0x1864cfb; } }
  c &= 0xffffff;
  return `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${data.toString('base64').match(/.{1,64}/g).join('\n')}\n=${Buffer.from([c >> 16, (c >> 8) & 255, c & 255]).toString('base64')}\n-----END PGP PRIVATE KEY BLOCK-----`;
}
const K = {
  hex: (r, n) => r.chars(H, +n), HEX: (r, n) => r.chars('0123456789ABCDEF', +n), an: (r, n) => r.chars(AN, +n), anl: (r, n) => r.chars(ANL, +n), anu: (r, n) => r.chars(U + D, +n),
  dig: (r, n) => r.chars('123456789', 1) + r.chars(D, +n - 1), low: (r, n) => r.chars(L, +n), u64: (r, n) => r.chars(U64, +n), b32: (r, n) => r.chars(B32, +n),
  b64: (r, n) => r.bytes(+n).toString('base64'), b64u: (r, n) => r.bytes(+n).toString('base64url'),
  uuid: (r) => { const h = r.bytes(16); h[6] = (h[6] & 15) | 64; h[8] = (h[8] & 63) | 128; return h.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'); },
  pw: (r, n) => { let s; do s = r.chars(AN + '!*+-_=', +n - 1) + r.chars(D, 1); while (!/[a-z].*[A-Z]|[A-Z].*[a-z]/.test(s) || !/^[A-Za-z]/.test(s)); return s; },
  djkey: (r) => { let s; do s = r.chars(ANL + '!@#^&*(-_=+)', 50); while (!/^[a-z]/.test(s)); return s; },
  wpsalt: (r) => r.chars(AN + '!@#^&*()-_ []{}<>~+=,.;:/?|', 63) + r.chars(AN, 1),
  ghp: (r) => { const x = r.chars(AN, 30); return 'ghp_' + x + b62(crc32(x), 6); }, gho: (r) => { const x = r.chars(AN, 30); return 'gho_' + x + b62(crc32(x), 6); }, ghs: (r) => { const x = r.chars(AN, 30); return 'ghs_' + x + b62(crc32(x), 6); },
  ghpat: (r) => 'github_pat_11A' + r.chars(U + D, 20) + '0' + '_' + r.chars(AN, 59), npm: (r) => { const x = r.chars(AN, 30); return 'npm_' + x + b62(crc32(x), 6); },
  glpat: (r) => 'glpat-' + r.chars(AN, 20), glrt: (r) => 'glrt-' + r.chars(AN, 20), gldt: (r) => 'gldt-' + r.chars(AN, 20), glptt: (r) => 'glptt-' + r.chars(H, 40),
  akia: (r) => 'AKIA' + r.chars(B32, 16), asia: (r) => 'ASIA' + r.chars(B32, 16), awssec: (r) => { let s; do s = r.bytes(30).toString('base64'); while (!/[+/]/.test(s)); return s; }, awssess: (r) => 'IQoJb3JpZ2luX2Vj' + r.bytes(312).toString('base64'),
  gapi: (r) => 'AIzaSy' + r.chars(U64, 33), gocspx: (r) => 'GOCSPX-' + r.chars(U64, 28), ya29: (r) => 'ya29.a0Ad52N3' + r.chars(U64, 150), grefresh: (r) => '1//0' + r.chars(D, 1) + r.chars(U64, 98),
  azstore: (r) => r.bytes(64).toString('base64'), azclient: (r) => r.chars(AN, 3) + '8Q~' + r.chars(AN + '_~.-', 33) + r.chars(AN, 1), azdo: (r) => r.chars(L + '234567', 52), azsb: (r) => r.bytes(32).toString('base64'),
  sendgrid: (r) => 'SG.' + r.chars(U64, 22) + '.' + r.chars(U64, 43), mailgun: (r) => 'key-' + r.chars(H, 32), mailchimp: (r) => r.chars(H, 32) + '-us' + (1 + r.int(21)), brevo: (r) => 'xkeysib-' + r.chars(H, 64) + '-' + r.chars(AN, 16), resend: (r) => 're_' + r.chars(AN, 8) + '_' + r.chars(AN, 24),
  twsid: (r) => 'AC' + r.chars(H, 32), twkey: (r) => 'SK' + r.chars(H, 32), telegram: (r) => r.chars('1234567', 1) + r.chars(D, 9) + ':AA' + r.chars(U64, 33), discord: (r) => Buffer.from(String(r.chars('123456789', 1) + r.chars(D, 17))).toString('base64').replace(/=+$/, '') + '.G' + r.chars(AN, 5) + '.' + r.chars(U64, 38),
  dischook: (r) => `https://discord.com/api/webhooks/1${r.chars(D, 18)}/${r.chars(U64, 68)}`, xoxb: (r) => `xoxb-${r.chars('123456789', 1)}${r.chars(D, 11)}-${r.chars('123456789', 1)}${r.chars(D, 12)}-${r.chars(AN, 24)}`, xoxp: (r) => `xoxp-2${r.chars(D, 11)}-4${r.chars(D, 11)}-5${r.chars(D, 12)}-${r.chars(H, 32)}`, xapp: (r) => `xapp-1-A0${r.chars(U + D, 9)}-6${r.chars(D, 12)}-${r.chars(H, 64)}`, slackhook: (r) => `https://hooks.slack.com/services/T0${r.chars(U + D, 9)}/B0${r.chars(U + D, 9)}/${r.chars(AN, 24)}`,
  sk_live: (r) => 'sk_live_51' + r.chars(AN, 97), sk_live_old: (r) => 'sk_live_' + r.chars(AN, 24), rk_live: (r) => 'rk_live_51' + r.chars(AN, 97), pk_live: (r) => 'pk_live_51' + r.chars(AN, 97), whsec: (r) => 'whsec_' + r.chars(AN, 32),
  dop: (r) => 'dop_v1_' + r.chars(H, 64), doo: (r) => 'doo_v1_' + r.chars(H, 64), hrku: (r) => 'HRKU-AA' + r.chars(U64, 58), shpat: (r) => 'shpat_' + r.chars(H, 32), shpss: (r) => 'shpss_' + r.chars(H, 32), square: (r) => 'EAAA' + r.chars(U64, 60), sq0csp: (r) => 'sq0csp-' + r.chars(U64, 43), braintree: (r) => `access_token$production$${r.chars(ANL, 16)}$${r.chars(H, 32)}`, mollie: (r) => 'live_' + r.chars(AN, 30), shippo: (r) => 'shippo_live_' + r.chars(H, 40), flw: (r) => `FLWSECK-${r.chars(H, 32)}-X`, easypost: (r) => 'EZAK' + r.chars(AN, 54), duffel: (r) => 'duffel_live_' + r.chars(U64, 43),
  nrak: (r) => 'NRAK-' + r.chars(U + D, 27), nrlic: (r) => r.chars(H, 36) + 'NRAL', sntrys: (r) => 'sntrys_' + b64u(JSON.stringify({ iat: 1700000000.123 + r.int(9000000), url: 'https://sentry.io', region_url: 'https://de.sentry.io', org: 'brightfern' })) + '_' + r.bytes(32).toString('base64').replace(/=+$/, ''), sntryu: (r) => 'sntryu_' + r.chars(H, 64), glsa: (r) => { const x = 'glsa_' + r.chars(AN, 32); return x + '_' + crc32(x).toString(16).padStart(8, '0'); }, glc: (r) => 'glc_' + b64u(JSON.stringify({ o: '8' + r.chars(D, 5), n: 'stack-' + r.chars(D, 6) + '-alloy', k: r.chars(AN, 24), m: { r: 'prod-eu-west-2' } })),
  hvs: (r) => 'hvs.CAESI' + r.chars(U64, 89), tfc: (r) => r.chars(AN, 14) + '.atlasv1.' + r.chars(AN, 67), dapi: (r) => 'dapi' + r.chars(H, 32), doppler: (r) => 'dp.pt.' + r.chars(AN, 43), dopplerst: (r) => 'dp.st.prd.' + r.chars(AN, 43), linear: (r) => 'lin_api_' + r.chars(AN, 40), ntn: (r) => 'ntn_' + r.chars(D, 11) + r.chars(AN, 35), figd: (r) => 'figd_' + r.chars(U64, 40), airtable: (r) => 'pat' + r.chars(AN, 14) + '.' + r.chars(H, 64), atatt: (r) => { const x = 'ATATT3xFfGF0' + r.chars(U64, 171); return x + '=' + crc32(x).toString(16).toUpperCase().padStart(8, '0'); }, atbb: (r) => 'ATBB' + r.chars(AN, 24) + r.chars('0123456789ABCDEF', 8), cftoken: (r) => r.chars(U64, 40), dropbox: (r) => 'sl.B' + r.chars(U64, 134), fbtoken: (r) => 'EAAG' + r.chars(AN, 140), twbearer: (r) => 'AAAAAAAAAAAAAAAAAAAAA' + r.chars(AN, 8) + 'AAAAAA' + r.chars(AN, 36) + '%3D' + r.chars(AN, 42),
  openai: (r) => 'sk-proj-' + r.chars(U64, 74) + 'T3BlbkFJ' + r.chars(U64, 74), openaiold: (r) => 'sk-' + r.chars(AN, 20) + 'T3BlbkFJ' + r.chars(AN, 20), ant: (r) => 'sk-ant-api03-' + r.chars(U64, 93) + 'AA', hf: (r) => 'hf_' + r.chars(U + L, 34), r8: (r) => 'r8_' + r.chars(AN, 37), gsk: (r) => 'gsk_' + r.chars(AN, 20) + 'WGdyb3FY' + r.chars(AN, 24), pplx: (r) => 'pplx-' + r.chars(AN, 48), xai: (r) => 'xai-' + r.chars(AN, 80),
  pypi: (r) => 'pypi-AgEIcHlwaS5vcmc' + r.chars(U64, 150), rubygems: (r) => 'rubygems_' + r.chars(H, 48), cio: (r) => 'cio' + r.chars(AN, 32), nuget: (r) => 'oy2' + r.chars(ANL, 43), dckr: (r) => 'dckr_pat_' + r.chars(U64, 27), clojars: (r) => 'CLOJARS_' + r.chars(H, 60), ccipat: (r) => 'CCIPAT_' + r.chars(AN, 22) + '_' + r.chars(H, 40), bkua: (r) => 'bkua_' + r.chars(H, 40), pmak: (r) => `PMAK-${r.chars(H, 24)}-${r.chars(H, 34)}`, pul: (r) => 'pul-' + r.chars(H, 40), pscale: (r) => 'pscale_pw_' + r.chars(U64, 43), sbp: (r) => 'sbp_' + r.chars(H, 40), nfp: (r) => 'nfp_' + r.chars(AN, 36), rnd: (r) => 'rnd_' + r.chars(AN, 28), okta: (r) => '00' + r.chars(U64, 40), mapboxsk: (r) => 'sk.' + b64u(JSON.stringify({ u: 'brightfern', a: 'cl' + r.chars(ANL, 23) })) + '.' + r.chars(U64, 22), mapboxpk: (r) => 'pk.' + b64u(JSON.stringify({ u: 'brightfern', a: 'cl' + r.chars(ANL, 23) })) + '.' + r.chars(U64, 22), cfpat: (r) => 'CFPAT-' + r.chars(U64, 43), sqp: (r) => 'sqp_' + r.chars(H, 40), squ: (r) => 'squ_' + r.chars(H, 40), akcp: (r) => 'AKCp' + r.chars(AN, 69), tskey: (r) => 'tskey-auth-k' + r.chars(AN, 11) + 'CNTRL-' + r.chars(AN, 32), hubspot: (r) => `pat-eu1-${K.uuid(r)}`, typeform: (r) => 'tfp_' + r.chars(U64, 40) + '_' + r.chars(AN, 14), prefect: (r) => 'pnu_' + r.chars(ANL, 36), readme: (r) => 'rdme_xn8s9h' + r.chars(H, 64), ltai: (r) => 'LTAI5t' + r.chars(AN, 18), akid: (r) => 'AKID' + r.chars(AN, 32), dt0c01: (r) => `dt0c01.${r.chars(B32, 24)}.${r.chars(B32, 64)}`, ldsdk: (r) => 'sdk-' + K.uuid(r), ldapi: (r) => 'api-' + K.uuid(r), age: (r) => 'AGE-SECRET-KEY-1' + r.chars('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58), wg: (r) => { const b = r.bytes(32); b[0] &= 248; b[31] = (b[31] & 127) | 64; return b.toString('base64'); }, teams: (r) => `https://brightfern.webhook.office.com/webhookb2/${K.uuid(r)}@${K.uuid(r)}/IncomingWebhook/${r.chars(H, 32)}/${K.uuid(r)}`, scw: (r) => 'SCW' + r.chars(U + D, 17), planetid: (r) => r.chars(ANL, 12),
  swm: (r) => 'SWMTKN-1-' + r.chars(ANL, 50) + '-' + r.chars(ANL, 25),
  jwt: (r, sub) => { const now = 1690000000 + r.int(60000000); return b64u(JSON.stringify({ alg: 'HS256', typ: 'JWT' })) + '.' + b64u(JSON.stringify({ sub: sub || String(1000 + r.int(9000)), iss: 'https://id.brightfern.example', iat: now, exp: now + 315360000 })) + '.' + r.bytes(32).toString('base64url'); },
  supa: (r, role) => b64u('{"alg":"HS256","typ":"JWT"}') + '.' + b64u(JSON.stringify({ iss: 'supabase', ref: r.chars(L, 20), role, iat: 1699000000 + r.int(999999), exp: 2014575999 })) + '.' + r.bytes(32).toString('base64url'),
  sub: (r, n) => r.chars(AN, +n), basic: (r, user, pass) => Buffer.from(`${user}:${pass || r.chars(AN, 18)}`).toString('base64'), kb64: (r, kind, ...a) => Buffer.from(K[kind](r, ...a)).toString('base64'), lit64: (r, ...t) => Buffer.from(t.join(':')).toString('base64'),
  rsa1: (r, name) => rsa(name).export({ type: 'pkcs1', format: 'pem' }).trim(), rsa8: (r, name) => rsa(name).export({ type: 'pkcs8', format: 'pem' }).trim(), rsaesc: (r, name) => rsa(name).export({ type: 'pkcs8', format: 'pem' }).replace(/\n/g, '\\n'), rsapub: (r, name) => crypto.createPublicKey(rsa(name)).export({ type: 'spki', format: 'pem' }).trim(), rsa64: (r, name) => Buffer.from(rsa(name).export({ type: 'pkcs1', format: 'pem' })).toString('base64'), rsaline: (r, name) => rsa(name).export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  rsaenc: (r, name, pass) => { const iv = r.bytes(16); const k = crypto.createHash('md5').update(Buffer.concat([Buffer.from(pass), iv.subarray(0, 8)])).digest(); const c = crypto.createCipheriv('aes-128-cbc', k, iv); return pem('RSA PRIVATE KEY', Buffer.concat([c.update(rsa(name).export({ type: 'pkcs1', format: 'der' })), c.final()]), `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${iv.toString('hex').toUpperCase()}\n\n`); },
  ec1: (r) => { const k = ec(r); return pem('EC PRIVATE KEY', der(0x30, Buffer.from('020101', 'hex'), der(0x04, k.d), Buffer.from('a00a06082a8648ce3d030107', 'hex'), der(0xa1, der(0x03, Buffer.concat([Buffer.from([0]), k.pub]))))); },
  ec8: (r) => { const k = ec(r); return pem('PRIVATE KEY', der(0x30, Buffer.from('020100301306072a8648ce3d020106082a8648ce3d030107', 'hex'), der(0x04, der(0x30, Buffer.from('020101', 'hex'), der(0x04, k.d), der(0xa1, der(0x03, Buffer.concat([Buffer.from([0]), k.pub]))))))); },
  ed8: (r) => pem('PRIVATE KEY', ed(r).key.export({ type: 'pkcs8', format: 'der' })),
  openssh: (r, comment) => { const k = ed(r); const p = Buffer.concat([sshStr('ssh-ed25519'), sshStr(k.pub)]); const chk = r.bytes(4); let s = Buffer.concat([chk, chk, sshStr('ssh-ed25519'), sshStr(k.pub), sshStr(Buffer.concat([k.seed, k.pub])), sshStr(comment)]); for (let i = 1; s.length % 8; i++) s = Buffer.concat([s, Buffer.from([i])]); const b = Buffer.concat([Buffer.from('openssh-key-v1\0'), sshStr('none'), sshStr('none'), sshStr(''), Buffer.from([0, 0, 0, 1]), sshStr(p), sshStr(s)]); return `-----BEGIN OPENSSH PRIVATE KEY-----\n${b.toString('base64').match(/.{1,70}/g).join('\n')}\n-----END OPENSSH PRIVATE KEY-----`; },
  sshpub: (r) => 'ssh-ed25519 ' + Buffer.concat([sshStr('ssh-ed25519'), sshStr(ed(r).pub)]).toString('base64'), pgp: (r) => pgp(r), cert: (r) => cert(r), cert64: (r) => Buffer.from(cert(r) + '\n').toString('base64'), certline: (r) => cert(r).split('\n').slice(1, -1).join(''),
  blob: (r, n) => r.bytes(+n).toString('base64').match(/.{1,76}/g).join('\n'), vault: (r, n) => Buffer.from(r.chars(H, 64) + '\n' + r.chars(H, 64) + '\n' + r.chars(H, +n)).toString('hex').match(/.{1,80}/g).join('\n'),
  png: (r, n) => Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452000000100000001008060000001ff3ff61', 'hex'), r.bytes(+n)]).toString('base64'), bcrypt: (r) => '$2b$12$' + r.chars('./' + AN, 53), argon: (r) => '$argon2id$v=19$m=65536,t=3,p=4$' + r.bytes(16).toString('base64').replace(/=+$/, '') + '$' + r.bytes(32).toString('base64').replace(/=+$/, ''), sri: (r) => 'sha512-' + r.bytes(64).toString('base64'), sri384: (r) => 'sha384-' + r.bytes(48).toString('base64'), h1: (r) => 'h1:' + r.bytes(32).toString('base64'), sopsenc: (r, n) => `ENC[AES256_GCM,data:${r.bytes(+n).toString('base64')},iv:${r.bytes(32).toString('base64')},tag:${r.bytes(16).toString('base64')},type:str]`, sealed: (r, n) => 'AgB' + r.bytes(+n).toString('base64'), pbkdf: (r) => 'pbkdf2_sha256$600000$' + r.chars(AN, 22) + '$' + r.bytes(32).toString('base64'), agepub: (r) => 'age1' + r.chars('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58),
};

// coarse kind of a case (about), the header of the template is its detail
const GROUPS = [
  [/template with placeholders|local defaults|obvious dummies|fabricated|README with placeholders|sample configuration|defaults committed|Go test|JavaScript tests/, 'placeholders and dummies'],
  [/references to a password store|external secret|with references|from the environment|with environ|reading properties|secret files|with build arguments|passing names on/, 'references to secrets kept elsewhere'],
  [/^dotenv.*(model)/, 'dotenv with keys of AI providers'], [/^dotenv.*(platform|business|payment|monitoring)/, 'dotenv with keys of service providers'], [/browser|public map|^public/, 'client keys public by design'], [/^dotenv/, 'dotenv of an application'],
  [/GitHub Actions|workflow of a doc/, 'GitHub Actions'], [/GitLab CI|trigger tokens|runner conf/, 'GitLab CI'], [/Travis|Circle|Drone|Buildkite|Azure Pipelines|Bitbucket|Jenkins/, 'other CI systems'],
  [/docker compose/, 'docker compose'], [/Dockerfile|docker client/, 'Docker'], [/Kubernetes|kubeconfig/, 'Kubernetes'], [/Helm/, 'Helm'], [/sealed|sops|encrypted cred|vault file|Hiera|data bag|Salt pillar|Pulumi/, 'encrypted values'],
  [/Terraform|lock file of Terraform/, 'Terraform'], [/CloudFormation/, 'CloudFormation'], [/Ansible/, 'Ansible'], [/npmrc|pypirc|cargo|RubyGems|Leiningen|NuGet|Streamlit/, 'package manager credentials'], [/Maven|Gradle/, 'Maven and Gradle'], [/netrc|credential store|git configuration/, 'git and netrc'],
  [/Rails/, 'Rails'], [/Spring|Quarkus|Play conf|Tomcat|log4j|logging conf/, 'Java framework configuration'], [/\.NET|ASP/, '.NET configuration'], [/WordPress|Joomla|Drupal|Magento|TYPO3/, 'PHP CMS configuration'], [/Django|Flask/, 'Django and Flask settings'],
  [/test vectors|documented example/, 'published examples and vectors'], [/translations/, 'translations'], [/form field|Vue comp/, 'form fields'], [/minified|JS bundle|wallet/, 'JavaScript bundles and build files'],
  [/JavaScript|TypeScript|Node script/, 'JavaScript and TypeScript source'], [/Python|Databricks/, 'Python source'], [/Go source/, 'Go source'], [/Go check|lock file|checksums|hashes|records/, 'hashes, lock files and checksums'], [/Java source/, 'Java source'], [/Kotlin|Swift|Dart/, 'mobile source'], [/C# |VB|Pascal/, 'C#, VB and Pascal source'], [/PHP/, 'PHP source and settings'], [/Ruby/, 'Ruby source'], [/Rust/, 'Rust source'], [/^C |C header/, 'C source'], [/R source|MATLAB|Lua|Perl|Elixir/, 'source in other languages'],
  [/PowerShell|Windows/, 'Windows scripts and answer files'], [/shell|cron|systemd/, 'shell, cron and systemd'], [/SQL|Oracle|ODBC|database pass|pgpass|MySQL/, 'SQL and database clients'], [/Postman|Insomnia|request file/, 'API clients'], [/Markdown|AsciiDoc|prose/, 'documentation'], [/log$|CI job/, 'logs'], [/Jupyter/, 'notebooks'],
  [/public key|certificate$|known hosts/, 'public keys and certificates'], [/key|JWK|PKCS8/, 'private keys'], [/GCP|Google|gcloud/, 'Google Cloud credentials'], [/Firebase/, 'client keys public by design'], [/property list|Android res|Fastlane/, 'mobile app resources'], [/AWS|s3cmd|rclone|Asia/, 'cloud storage and accounts'], [/WireGuard|OpenVPN|Wi-Fi|network device/, 'VPN and network devices'], [/HAProxy|nginx|Redis|RabbitMQ|Postfix|Dovecot|Odoo|forge/, 'server configuration'],
  [/load test|end-to-end/, 'tests against real systems'], [/home automation|FTP client|editor|build file|pasted shell/, 'tools of developers'], [/orchestrator|cloud functions|application platform|reverse proxy|web server|search engine|log pipeline|message bus|scheduler|database profiles|container def|Node service|process manager|database setup/, 'server configuration'], [/database schema/, 'schemas and types'], [/connection strings/, 'connection strings'], [/embedded|subresource/, 'embedded assets and integrity'], [/HTTP headers|HAR/, 'HTTP headers'], [/OpenAPI|GraphQL|protocol buf/, 'schemas and types'], [/policy|regular exp/, 'policies and expressions'], [/Spring beans/, 'Java framework configuration'], [/NixOS/, 'NixOS'], [/./, 'settings of SaaS tools'],
];
export function cases() {
  const out = [];
  for (const f of fs.readdirSync(path.join(here, 'templates')).sort()) {
    const parts = fs.readFileSync(path.join(here, 'templates', f), 'utf8').split(/^@@ /m).slice(1);
    for (const part of parts) {
      const nl = part.indexOf('\n'); const [p, about] = part.slice(0, nl).split(' | ').map((x) => x.trim());
      const r = new Rng(SEED + '/' + p); const body = part.slice(nl + 1).replace(/\n+$/, '\n');
      const c = { path: p, text: '', about: GROUPS.find(([re]) => re.test(about))[1], detail: about, secrets: [], clean: [] }; let last = 0; const named = {};
      for (const m of body.matchAll(/«([!?]?)([^»]*)»/g)) {
        c.text += body.slice(last, m.index); last = m.index + m[0].length;
        let [, kind, spec] = m; let v;
        const name = spec.startsWith('=') ? null : spec.match(/#(\w+)$/)?.[1]; if (name) spec = spec.replace(/#\w+$/, '');
        if (spec.startsWith('=')) v = spec.slice(1);
        else if (name && named[name] !== undefined) v = named[name];
        else { const [k, ...a] = spec.split(':'); if (!K[k]) throw new Error(`${p}: unknown kind ${k}`); v = K[k](r, ...a); }
        if (name) named[name] = v;
        const indent = c.text.slice(c.text.lastIndexOf('\n') + 1); if (v.includes('\n') && /^\s+$/.test(indent)) v = v.replace(/\n(?=.)/g, '\n' + indent);
        const line = c.text.split('\n').length; c.text += v;
        if (kind === '!') c.secrets.push({ line, value: v }); if (kind === '?') c.clean.push({ line, value: v });
      }
      c.text += body.slice(last); out.push(c);
    }
  }
  return out;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const all = cases(); const by = {}; let s = 0, n = 0; const seen = new Set();
  for (const c of all) {
    if (seen.has(c.path)) throw new Error('twice: ' + c.path); seen.add(c.path);
    by[c.about] = (by[c.about] || 0) + 1; s += c.secrets.length; n += c.clean.length; const lines = c.text.split('\n');
    if (!c.secrets.length && !c.clean.length) throw new Error('no label: ' + c.path);
    if (/[«»]/.test(c.text)) throw new Error('mark left: ' + c.path);
    for (const x of [...c.secrets, ...c.clean]) if (!lines.slice(x.line - 1).join('\n').includes(x.value) || !lines[x.line - 1].includes(x.value.split('\n')[0])) throw new Error(`label off: ${c.path}:${x.line}`);
    for (const x of c.secrets) if (c.clean.some((y) => y.line === x.line && y.value === x.value)) throw new Error('both: ' + c.path);
  }
  console.log(`files ${all.length}, secrets ${s}, look-alikes ${n}, kinds of case ${Object.keys(by).length}`);
  for (const [k, v] of Object.entries(by)) console.log(`  ${v}  ${k}`);
}
