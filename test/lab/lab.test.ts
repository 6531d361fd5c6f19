import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { connect as connectTls, type SecureVersion, type TLSSocket } from 'node:tls';
import { type Lab, openLab } from './lab.ts';
import { samples } from './samples.ts';

let lab: Lab;
before(async () => {
  lab = await openLab();
});
after(() => lab.close());

describe('DNS', () => {
  const answers: [name: string, type: string, expected: unknown][] = [
    ['_dmarc.poor.lab', 'TXT', [['v=DMARC1; p=none']]],
    ['mail-none.lab', 'MX', [{ exchange: '', priority: 0, type: 'MX' }]],
    ['private.lab', 'A', ['10.0.0.7']],
    ['mixed.lab', 'A', ['5.57.250.9', '192.168.1.1']],
    ['any.wildcard.lab', 'A', ['5.57.250.10']],
    ['api.kept.lab', 'CNAME', ['www.kept.lab']],
    ['empty.lab', 'A', 'ENODATA'],
    ['empty-node.lab', 'A', 'ENODATA'],
    ['nobody.lab', 'A', 'ENOTFOUND'],
    ['servfail.dns.lab', 'A', 'ESERVFAIL'],
    ['refused.dns.lab', 'A', 'EREFUSED'],
    ['malformed.dns.lab', 'A', 'EBADRESP'],
    ['garbage.dns.lab', 'A', 'EBADRESP'],
    ['compression-loop.dns.lab', 'A', 'EBADRESP'],
    ['silent.dns.lab', 'A', 'ETIMEOUT'],
    ['slow.dns.lab', 'A', 'ETIMEOUT'],
    ['wrong-id.dns.lab', 'A', 'ETIMEOUT'],
    ['wrong-question.dns.lab', 'A', 'ETIMEOUT'],
    ['cut.dns.lab', 'A', 'ETIMEOUT'],
    ['spoofed.dns.lab', 'A', ['5.57.254.1']],
    ['rebind.dns.lab', 'A', ['5.57.254.1']],
  ];
  for (const [name, type, expected] of answers) {
    test(`${name} ${type}`, async () => assert.deepEqual(await resolve(name, type), expected));
  }

  test('a resolver that says something else the second time', async () => {
    await resolve('again.rebind.dns.lab', 'A');
    assert.deepEqual(await resolve('again.rebind.dns.lab', 'A'), ['127.0.0.1']);
  });

  test('chains of aliases, reverse names, answers that need TCP', async () => {
    assert.deepEqual(await resolve('alias-chain.lab', 'A'), [lab.host('www.kept.lab').address]);
    const { address, address6 } = lab.host('kept.lab');
    assert.deepEqual(await resolver().reverse(address), ['kept.lab']);
    assert.deepEqual(await resolver().reverse(address6!), ['kept.lab']);
    assert.equal(((await resolve('huge.dns.lab', 'TXT')) as string[]).length, 230);
  });

  function resolver(): Resolver {
    const made = new Resolver({ timeout: 300, tries: 1 });
    made.setServers(lab.netOptions.dnsServers);
    return made;
  }

  function resolve(name: string, type: string): Promise<unknown> {
    return resolver()
      .resolve(name, type as 'A')
      .catch((error: NodeJS.ErrnoException) => error.code);
  }
});

describe('TLS', () => {
  const trusted: [host: string, problem: string | undefined][] = [
    ['good.tls.lab', undefined],
    ['expired.tls.lab', 'CERT_HAS_EXPIRED'],
    ['not-yet-valid.tls.lab', 'CERT_NOT_YET_VALID'],
    ['self-signed.tls.lab', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['untrusted-root.tls.lab', 'SELF_SIGNED_CERT_IN_CHAIN'],
    ['wrong-name.tls.lab', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['incomplete.tls.lab', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['any.wildcard.tls.lab', undefined],
    ['many-names.tls.lab', undefined],
    ['www.kept.lab', undefined],
  ];
  for (const [host, problem] of trusted) {
    test(`${host}: ${problem ?? 'trusted'}`, async () => {
      const { socket } = await shakeHands(host);
      assert.equal(
        (socket.authorizationError as { code?: string } | undefined)?.code ?? socket.authorizationError ?? undefined,
        problem,
      );
    });
  }

  const agreed: [host: string, protocol: string, cipher: RegExp][] = [
    ['tls10.tls.lab', 'TLSv1', /SHA$/],
    ['tls11.tls.lab', 'TLSv1.1', /SHA$/],
    ['tls13.tls.lab', 'TLSv1.3', /^TLS_/],
    ['weak-ciphers.tls.lab', 'TLSv1.2', /^NULL-/],
    ['rsa-exchange.tls.lab', 'TLSv1.2', /^AES128-GCM-SHA256$/],
    ['cbc.tls.lab', 'TLSv1.2', /^ECDHE-ECDSA-AES128-SHA$/],
    ['small-dh.tls.lab', 'TLSv1.2', /^DHE-/],
  ];
  for (const [host, protocol, cipher] of agreed) {
    test(`${host}: ${protocol}`, async () => {
      const { socket } = await shakeHands(host);
      assert.equal(socket.getProtocol(), protocol);
      assert.match(socket.getCipher().name, cipher);
    });
  }

  test('what is not offered is refused', async () => {
    await assert.rejects(shakeHands('tls13.tls.lab', { maxVersion: 'TLSv1.2' }));
    await assert.rejects(shakeHands('tls10.tls.lab', { minVersion: 'TLSv1.2' }));
  });

  test('keys, staples, groups', async () => {
    assert.equal((await shakeHands('weak-key.tls.lab')).socket.getPeerCertificate().bits, 1024);
    assert.equal((await shakeHands('must-staple.tls.lab')).staple, true);
    assert.equal((await shakeHands('must-staple-missing.tls.lab')).staple, false);
    assert.equal(((await shakeHands('small-dh.tls.lab')).socket.getEphemeralKeyInfo() as { size: number }).size, 1024);
  });

  function shakeHands(
    host: string,
    { minVersion = 'TLSv1', maxVersion = 'TLSv1.3' }: { minVersion?: SecureVersion; maxVersion?: SecureVersion } = {},
  ): Promise<{ socket: TLSSocket; staple: boolean }> {
    const { address, port } = reach(host, 443);
    return new Promise((resolve, reject) => {
      let staple = false;
      const socket = connectTls({
        host: address,
        port,
        servername: host,
        ca: [...lab.netOptions.extraCa],
        rejectUnauthorized: false,
        requestOCSP: true,
        ciphers: 'ALL:eNULL:@SECLEVEL=0',
        minVersion,
        maxVersion,
      });
      socket.on('OCSPResponse', (response: Buffer | null) => {
        staple = response !== null;
      });
      socket.once('error', reject).once('secureConnect', () => {
        resolve({ socket, staple });
        socket.end();
      });
    });
  }
});

describe('web', () => {
  test('a well-kept site: http to https, headers, robots.txt, llms.txt, MTA-STS', async () => {
    const moved = await get('http://kept.lab/about');
    assert.deepEqual([moved.status, moved.headers['location']], [301, 'https://kept.lab/about']);
    assert.equal((await get('https://kept.lab/robots.txt')).headers['location'], 'https://www.kept.lab/robots.txt');
    const home = await get('https://www.kept.lab/');
    assert.equal(home.headers['x-content-type-options'], 'nosniff');
    assert.match(home.body, /<h1>How a web site is looked after<\/h1>/);
    assert.match((await get('https://www.kept.lab/llms.txt')).body, /^# Kept/);
    assert.match(
      (await get('https://mta-sts.kept.lab/.well-known/mta-sts.txt')).body,
      /^version: STSv1\r\nmode: enforce/,
    );
  });

  test('methods: TRACE where a site has it, else 405', async () => {
    assert.match((await get('http://trace.lab/', 'TRACE')).body, /^TRACE \/ HTTP\/1\.1\r\n/);
    assert.equal((await get('http://wordpress.lab/', 'TRACE')).status, 405);
    assert.equal(
      (await get('http://trace.lab/', 'OPTIONS')).headers['allow'],
      'GET, HEAD, OPTIONS, TRACE, PUT, DELETE',
    );
  });

  test('redirects: eleven hops, and into a private address', async () => {
    let hops = 0;
    let next: string | undefined = '/hop1';
    for (; next !== undefined; hops++) next = (await get(`http://redirect.lab${next}`)).headers['location'];
    assert.equal(hops, 12);
    assert.equal((await get('http://redirect.lab/private')).headers['location'], 'http://10.0.0.1/');
  });

  test('bodies that are not what they promise', async () => {
    await assert.rejects(get('http://streams.evil.lab/reset'));
    await assert.rejects(get('http://streams.evil.lab/reset-in-body'));
    await assert.rejects(get('http://streams.evil.lab/shorter-than-said'));
    await assert.rejects(get('https://streams.evil.lab/bad-chunk'));
    await assert.rejects(get('http://headers.evil.lab/flood'));
    assert.equal((await get('http://headers.evil.lab/cookies')).headers['set-cookie']?.length, 400);
  });

  test('the intermediate that some servers do not send', async () => {
    const { headers } = await get('http://aia.lab/intermediate.der');
    assert.equal(headers['content-type'], 'application/pkix-cert');
  });

  test('the place of nobody', async () => {
    await assert.rejects(get('https://http-only.lab/'), { code: 'ECONNREFUSED' });
  });
});

describe('WHOIS', () => {
  test('from the root to the registry to the registrar', async () => {
    assert.match(await whois('whois.iana.org', 'lab'), /^refer:\s+whois\.nic\.lab$/m);
    assert.match(await whois('whois.nic.lab', 'kept.lab'), /Registrar WHOIS Server: whois\.registrar\.lab/);
    assert.match(await whois('whois.registrar.lab', 'kept.lab'), /^Registrant Organization: Kept Publishing\r$/m);
    assert.match(await whois('whois.nic.lab', 'free.lab'), /^No match for "FREE\.LAB"/);
  });

  test('evil twins', async () => {
    assert.equal(await whois('empty.whois.lab', 'x.lab'), '');
    assert.match(await whois('private.whois.lab', 'x.lab'), /Registrar WHOIS Server: 10\.0\.0\.1/);
    await assert.rejects(whois('reset.whois.lab', 'x.lab'), { code: 'ECONNRESET' });
  });

  test('recorded texts', (t) => {
    const found = samples('samples/whois/registered').find(({ name }) => name === 'google.de');
    if (found === undefined) return t.skip('no shared/feeds/samples/whois');
    return whois('whois.recorded.lab', '-T dn,ace google.de').then((text) => assert.equal(text, found.text));
  });

  function whois(host: string, line: string): Promise<string> {
    const { address, port } = reach(host, 43);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(port, address, () => socket.write(`${line}\r\n`));
      socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
    });
  }
});

describe('RDAP', () => {
  test('by way of the bootstrap file', async () => {
    const { services } = (await (await fetch(`${lab.sourceUrls.get('rdap')}dns.json`)).json()) as {
      services: string[][][];
    };
    const base = services.find(([tlds]) => tlds!.includes('lab'))![1]![0]!;
    const found = await get(`${base}domain/kept.lab`);
    assert.equal(JSON.parse(found.body).ldhName, 'KEPT.LAB');
    assert.equal((await get(`${base}domain/free.lab`)).status, 404);
    assert.equal((await get(`${base}domain/throttled.lab`)).status, 429);
    const garbled = await get(`${base}domain/garbled.lab`);
    assert.throws(() => JSON.parse(garbled.body));
  });
});

describe('upstreams', () => {
  const questions: [id: string, path: string, init: RequestInit, status: number, body: RegExp][] = [
    ['crtsh', '?q=%25.kept.lab&output=json', {}, 200, /"common_name":"www\.kept\.lab"/],
    ['crtsh', '?q=nobody.lab&output=json', {}, 200, /^\[\]$/],
    [
      'wayback',
      'cdx/search/cdx?url=kept.lab&output=json&limit=1&fl=timestamp',
      {},
      200,
      /^\[\["timestamp"\],\["20090101120000"\]\]$/,
    ],
    [
      'urlhaus',
      'v1/host/',
      { method: 'POST', body: 'host=malware.lab', headers: { 'auth-key': 'x' } },
      200,
      /"url_count":"1"/,
    ],
    ['urlhaus', 'v1/host/', { method: 'POST', body: 'host=kept.lab', headers: { 'auth-key': 'x' } }, 200, /no_results/],
    ['urlhaus', 'v1/host/', { method: 'POST', body: 'host=kept.lab' }, 401, /Unauthorized/],
    [
      'threatfox',
      'api/v1/',
      { method: 'POST', body: '{"query":"search_ioc","search_term":"kept.lab"}', headers: { 'auth-key': 'x' } },
      200,
      /no_result"/,
    ],
    [
      'malwarebazaar',
      'api/v1/',
      { method: 'POST', body: 'query=get_info&hash=zz', headers: { 'auth-key': 'x' } },
      200,
      /illegal_hash/,
    ],
    ['internetdb', '9.9.9.9', {}, 404, /No information available/],
    ['shodan', 'shodan/host/9.9.9.9', {}, 401, /Unauthorized/],
    ['abuseipdb', 'api/v2/check?ipAddress=nonsense', { headers: { key: 'x' } }, 422, /errors/],
    ['ripestat', 'data/as-overview/data.json?resource=AS215000', {}, 200, /LAB-AS/],
    // The SHA-1 of "password" begins with 5BAA6 (RFC 3174 over its eight letters).
    ['hibp', 'range/5BAA6', {}, 200, /^1E4C9B93F3F0682250B6CF8331B7EE68FD8:\d+/m],
    ['github', 'advisories?cve_id=CVE-2000-0001', {}, 200, /^\[\]$/],
    ['shodan_cvedb', 'cve/CVE-2000-0001', {}, 404, /No information available/],
  ];
  for (const [id, path, init, status, body] of questions) {
    test(`${id} ${path} ${init.body ?? ''}`, async () => {
      const response = await fetch(`${lab.sourceUrls.get(id)}${path}`, init);
      assert.equal(response.status, status);
      assert.match(await response.text(), body);
    });
  }

  test('modes', async () => {
    const source = lab.source('crtsh');
    const ask = (signal?: AbortSignal): Promise<Response> =>
      fetch(`${lab.sourceUrls.get('crtsh')}?q=kept.lab`, signal && { signal });
    Object.assign(source, { mode: 'status', status: 429 });
    assert.equal((await ask()).status, 429);
    source.mode = 'garbage';
    assert.match(await (await ask()).text(), /^<html>/);
    source.mode = 'reset';
    await assert.rejects(ask(), 'reset');
    for (const mode of ['hang', 'slow'] as const) {
      source.mode = mode;
      await assert.rejects(ask(AbortSignal.timeout(200)), mode);
    }
    source.mode = 'cut';
    const cut = await ask();
    await assert.rejects(cut.text(), 'cut');
    for (const mode of ['huge', 'drip'] as const) {
      source.mode = mode;
      const reading = new AbortController();
      const response = await ask(reading.signal);
      const text = response.text();
      reading.abort();
      await assert.rejects(text, mode);
    }
    source.mode = 'ok';
    assert.equal((await ask()).status, 200);
  });
});

describe('the lab as a whole', () => {
  test('every host has an address of its own', () => {
    const addresses = lab.hosts.flatMap(({ address, address6 }) => [address, ...(address6 === null ? [] : [address6])]);
    assert.equal(new Set(addresses).size, addresses.length);
  });

  test('counts what was asked', async () => {
    await get('http://bare.lab/counted?x=1');
    assert.equal(lab.requests.count('http', 'bare.lab', '/counted?x=1'), 1);
    assert.equal(lab.requests.count('https', 'bare.lab'), 0);
  });

  test('whoever leaves it falls into the trap', async () => {
    const other = await openLab();
    try {
      const inside = other.netOptions.mapEndpoint!({ address: other.host('bare.lab').address, port: 8080 });
      assert.deepEqual(other.escapes, []);
      await assert.rejects(answered(inside));
      const outside = { address: '10.0.0.1', port: 80 };
      const { address, port } = other.netOptions.mapEndpoint!(outside);
      await assert.rejects(answered({ address, port }));
      assert.deepEqual(other.escapes, [outside]);
      assert.deepEqual([port, other.trap.connections], [other.trap.port, 1]);
    } finally {
      await other.close();
    }
  });

  test('takes its time, when told to', async () => {
    const slow = await openLab({ delayMs: 60 });
    try {
      const asked = performance.now();
      await fetch(`${slow.sourceUrls.get('internetdb')}9.9.9.9`);
      assert.ok(performance.now() - asked >= 59);
    } finally {
      await slow.close();
    }
  });
});

function reach(host: string, port: number) {
  return lab.netOptions.mapEndpoint!({ address: lab.host(host).address, port });
}

interface Got {
  status: number | undefined;
  headers: NodeJS.Dict<string> & { 'set-cookie'?: string[] };
  body: string;
}

function get(url: string, method = 'GET'): Promise<Got> {
  const { protocol, hostname, pathname, search } = new URL(url);
  const secure = protocol === 'https:';
  const { address, port } = reach(hostname, secure ? 443 : 80);
  const options = { host: address, port, path: pathname + search, method, agent: false, headers: { host: hostname } };
  return new Promise((resolve, reject) => {
    const asking = secure
      ? httpsRequest({ ...options, servername: hostname, ca: [...lab.netOptions.extraCa] })
      : httpRequest(options);
    asking.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers as Got['headers'],
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    asking.end();
  });
}

/** Rejects where nobody answers, or hangs up at once. */
function answered({ address, port }: { address: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, address);
    socket.on('error', reject).on('close', () => reject(new Error('closed')));
    socket.on('data', () => resolve());
  });
}
