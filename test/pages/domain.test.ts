import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { NetworkClient } from '../../src/net/network-client.ts';
import type { Lab } from '../lab/lab.ts';
import { type HostileWorld, openHostileWorld } from '../security/hostile.ts';
import { openLabNetwork } from '../support/lab-network.ts';
import { type Reply, type ServiceOptions, startService, type TestService } from '../support/service.ts';

const HTML = { accept: 'text/html' };
const KEYS = { SEXTANT_ABUSECH_KEY: 'lab', SEXTANT_ABUSEIPDB_KEY: 'lab', SEXTANT_SHODAN_KEY: 'lab' };

let lab: Lab;
let net: NetworkClient;
let service: TestService;
const ends: (() => void | Promise<void>)[] = [];
const owner = { after: (end: () => void | Promise<void>) => void ends.push(end) };

async function start(options: ServiceOptions = {}): Promise<TestService> {
  const started = await startService(owner, {
    net,
    sources: Object.fromEntries(lab.sourceUrls),
    timeScale: 10,
    keys: KEYS,
    ...options,
  });
  started.clock.now = new Date();
  return started;
}

before(async () => {
  ({ lab, net } = await openLabNetwork(ends));
  service = await start();
});
afterEach(() => {
  for (const id of ['crtsh', 'rdap', 'urlhaus'] as const) lab.source(id).mode = 'ok';
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

async function page(path: string, of: TestService = service): Promise<Reply> {
  const reply = await of.get(path, HTML);
  assert.match(String(reply.headers['content-type']), /^text\/html/);
  return reply;
}

/** One section as it was sent, its tags taken out. */
function section({ text }: Reply, id: string): string {
  const found = new RegExp(`<section id="${id}" slot="${id}">(.*?)</section>\n`, 's').exec(text);
  assert.ok(found, `there is no section ${id}`);
  return textOf(found[1]!);
}

function textOf(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('the page of a well-kept domain', () => {
  test('says so, part by part, with the records as the DNS has them', async () => {
    const reply = await page('/domain/kept.lab');
    assert.equal(reply.status, 200);
    assert.match(section(reply, 'verdict-mail'), /^Mail forgery is refused$/);
    assert.match(section(reply, 'mail'), /v=DMARC1; p=reject; sp=reject; adkim=s/);
    assert.match(section(reply, 'mail'), /^Mail: forgery is refused A\+ 100 of 100, higher is better/);
    assert.match(section(reply, 'mail'), /MTA-STS mode enforce/);
    assert.match(section(reply, 'verdict-tls'), /TLS good/);
    assert.match(section(reply, 'registration'), /^Registered since 2009-02-01/);
    assert.match(section(reply, 'names'), /www\.kept\.lab/);
    assert.match(section(reply, 'risk'), /^A Very low risk 0 of 100, lower is better\./);
    assert.match(section(reply, 'dns'), new RegExp(lab.host('kept.lab').address.replaceAll('.', '\\.')));
  });

  test('has a slot for each section, and each section once', async () => {
    const { text } = await page('/domain/kept.lab');
    const slots = [...text.matchAll(/<slot name="([\w-]+)">/g)].map(([, name]) => name!);
    const sections = [...text.matchAll(/<section id="([\w-]+)" slot="\1">/g)].map(([, id]) => id!);
    assert.deepEqual(sections.toSorted(), slots.toSorted());
    assert.equal(new Set(sections).size, sections.length);
    assert.deepEqual(
      slots.filter((name) => !name.startsWith('verdict')),
      ['risk', 'mend', 'mail', 'web', 'tls', 'technologies', 'names', 'registration', 'threats', 'dns', 'more'],
    );
  });
});

describe('what to mend', () => {
  test('stands in order, each with its reason and the text to paste', async () => {
    const reply = await page('/domain/poor.lab');
    assert.match(section(reply, 'verdict-mail'), /can be forged/);
    assert.match(section(reply, 'verdict-web'), /headers weak/);
    const mend = section(reply, 'mend');
    assert.match(mend, /The SPF record ends in "\+all" It lets everybody send for this domain\./);
    assert.match(mend, /TXT record, in place of the one there Name poor\.lab Copy Value v=spf1 mx ~all/);
    assert.match(mend, /Value v=DMARC1; p=none; rua=mailto:dmarc-reports@poor\.lab/);
    assert.match(mend, /Value X-Content-Type-Options: nosniff/);
    const severities = [
      ...reply.text.matchAll(/<li id="[\w.-]+"><details[^>]*><summary><span class="severity severity-(\w+)/g),
    ];
    const ranks = severities.map(([, word]) => ['critical', 'high', 'medium', 'low'].indexOf(word!));
    assert.ok(ranks.length > 10 && !ranks.includes(-1));
    const unexploited = ranks.slice(
      reply.text.match(/<li id="[\w.-]+"><details[^>]*><summary>[^\n]*class="exploited"/g)?.length ?? 0,
    );
    assert.deepEqual(unexploited, unexploited.toSorted());
  });

  test('has anchors that are unique, and that sections lead to', async () => {
    const { text } = await page('/domain/poor.lab');
    const ids = [...text.replace(/<template.*?<\/template>/s, '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    );
    for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(anchor!), anchor!);
  });

  test('stands open by address: a part alone, or all of the page, without scripts', async () => {
    const mail = await page('/domain/poor.lab?part=mail');
    const closed = (text: string) => text.match(/<li id="(mail|web|technologies)[^>]*><details>/g)?.length ?? 0;
    assert.equal(closed(mail.text), 0);
    assert.equal(mail.text.match(/<li id="mail\.[^>]*><details open>/g)?.length, 8);
    assert.match(textOf(mail.text), /8 findings to mend, the worst first/);
    assert.match(textOf(mail.text), /27 of 100, higher is better/);
    const report = await page('/domain/poor.lab');
    assert.ok(closed(report.text) > 10);
    assert.match(section(report, 'verdict-mail'), /^Mail can be forged 8 to mend$/);
    for (const target of ['/domain/poor.lab?part=mail', '/domain/poor.lab?open=all#mend'])
      assert.ok(report.text.includes(`href="${target}"`), target);
    const open = await page('/domain/poor.lab?open=all');
    assert.equal(closed(open.text), 0);
    assert.doesNotMatch(open.text, /class="more"/);
  });

  test('MTA-STS has its file, its record, what to take care of, and how to see that it worked', async () => {
    const { text } = await page('/domain/poor.lab?finding=mail.mta_sts_missing');
    assert.match(
      textOf(text),
      /Address https:\/\/mta-sts\.poor\.lab\/\.well-known\/mta-sts\.txt Copy Content version: STSv1 mode: testing mx: mx1\.mail\.lab max_age: 86400 Copy TXT record Name _mta-sts\.poor\.lab Copy Value v=STSv1; id=1/,
    );
    assert.match(textOf(text), /Take care: Serve the file first/);
    assert.match(textOf(text), /Run dig \+short TXT _mta-sts\.poor\.lab/);
  });

  test('what cannot be confirmed, such as DKIM, is told beside what to mend', async () => {
    const { text } = await page('/domain/mail-nothing.lab?part=mail');
    assert.match(textOf(text), /To look at .*No DKIM key under \d+ common selectors/);
    assert.match(textOf(text), /Needed: The key is made by who sends the mail/);
  });

  test('the risk is never better than the worst finding that is shown', async () => {
    for (const name of ['poor.lab', 'mail-broken.lab', 'wordpress.lab']) {
      const reply = await page(`/domain/${name}`);
      const [grade] = section(reply, 'risk');
      const mend = section(reply, 'mend');
      const best = /\b(critical|exploited)\b/i.test(mend) ? 'DF' : /\bhigh\b/i.test(mend) ? 'CDF' : 'ABCDF';
      assert.ok(best.includes(grade!), `${name}: ${grade} beside ${mend.slice(0, 200)}`);
    }
  });

  test('no CVE is told with the catalog that it was looked for in', async () => {
    const { text } = await page('/domain/poor.lab?part=technologies');
    assert.match(
      textOf(text),
      /PHP language 5\.6\.40 no security fixes since 2018-12-31 none in (this|the starter) catalog .*CVEs were looked for in the catalog \(NVD of \d{4}-\d\d-\d\d.*\), which holds [\d,]+ /,
    );
    assert.doesNotMatch(text, /none known/);
  });

  test('can be one finding alone, and says when it is gone', async () => {
    const found = await page('/domain/poor.lab?finding=mail.spf_pass_all');
    assert.match(found.text, /<title>poor\.lab: The SPF record ends in &quot;\+all&quot;/);
    assert.match(found.text, /v=spf1 mx ~all/);
    assert.doesNotMatch(found.text, /DMARC policy/);
    const gone = await page('/domain/kept.lab?finding=mail.spf_pass_all');
    assert.equal(gone.status, 200);
    assert.match(gone.text, /Not found any more/);
    assert.equal((await page('/domain/kept.lab?finding=nonsense')).status, 400);
  });

  test('the scan shows its modules and its own findings', async () => {
    const reply = await page('/domain/poor.lab?part=scan');
    assert.match(reply.text, /11 modules of 11 looked at/);
    assert.match(textOf(reply.text), /TRACE is answered with status 200/);
    assert.match(reply.text, /id="scan\.redirect\.redirect_missing"/);
    assert.equal((await page('/domain/poor.lab?part=nonsense')).status, 400);
  });
});

describe('what is not known', () => {
  test('a source that hangs ends as "not known", and the rest stands', async () => {
    lab.source('crtsh').mode = 'hang';
    lab.source('urlhaus').mode = 'hang';
    const patient = (id: string): number => (id === 'crtsh' || id === 'urlhaus' ? 300 : 10_000);
    const reply = await page('/domain/kept.lab', await start({ patienceMs: patient }));
    assert.equal(reply.status, 200);
    assert.match(section(reply, 'names'), /Certificates in the logs: not known/);
    assert.match(section(reply, 'threats'), /URLhaus not known: it did not answer/);
    assert.match(section(reply, 'mail'), /forgery is refused/);
    assert.match(textOf(reply.text), /Did not answer .*crtsh/);
  });

  test('a site that asks not to be visited is not judged', async () => {
    const reply = await page('/domain/robots-all.lab');
    assert.match(section(reply, 'web'), /the site asked not to be visited .*robots\.txt/);
    assert.match(section(reply, 'verdict-technologies'), /the site asked not to be visited/);
    assert.match(section(reply, 'mend'), /Not known, so not in this list: Web, Technologies/);
    assert.doesNotMatch(reply.text, /id="verdict-web"[^\n]*tone-bad/);
  });

  test('a name without an address has no site, which is no fault', async () => {
    const reply = await page('/domain/empty.lab');
    assert.match(section(reply, 'verdict-web'), /no address, so no site/);
    assert.match(section(reply, 'web'), /No web server/);
    assert.doesNotMatch(reply.text, /slot="tls"/);
  });

  test('nobody on port 443 is "no answer", not red', async () => {
    const reply = await page('/domain/http-only.lab');
    assert.match(reply.text, /id="verdict-tls"[^\n]*tone-unknown/);
    assert.match(section(reply, 'tls'), /TLS: not known .*did not answer over TLS on port 443/);
  });
});

describe('the name', () => {
  test('that does not exist is a page with what may have been meant', async () => {
    const reply = await page('/domain/no-such.name.kept.lab');
    assert.equal(reply.status, 404);
    assert.match(reply.text, /does not exist/);
    assert.match(reply.text, /href="\/domain\/kept\.lab"/);
    assert.match((await page('/domain/nothing-here.con')).text, /href="\/domain\/nothing-here\.com"/);
  });

  test('that is none is an error that says where it belongs', async () => {
    for (const [text, target] of [
      ['8.8.8.8', '/ip/8.8.8.8'],
      ['https%3A%2F%2Fkept.lab%2Fa', '/domain/kept.lab'],
      ['someone%40kept.lab', '/domain/kept.lab'],
      ['*.kept.lab', '/domain/kept.lab'],
      ['kept.lab:443', '/domain/kept.lab'],
    ] as const) {
      const reply = await page(`/domain/${text}`);
      assert.equal(reply.status, 400, text);
      assert.match(reply.text, new RegExp(`href="${target}"`), text);
    }
    const hostile = await page(`/domain/${encodeURIComponent('<img src=x onerror=alert(1)>')}`);
    assert.equal(hostile.status, 400);
    assert.doesNotMatch(hostile.text, /<img/);
  });

  test('has one address, and an IDN shows both forms', async () => {
    const upper = await service.get('/domain/WWW.Kept.LAB.?part=mail', HTML);
    assert.deepEqual([upper.status, upper.headers['location']], [303, '/domain/www.kept.lab?part=mail']);
    const idn = await service.get('/domain/b%C3%BCcher.lab', HTML);
    assert.equal(idn.headers['location'], '/domain/xn--bcher-kva.lab');
    const { text } = await page('/domain/xn--bcher-kva.lab?part=mail');
    assert.match(text, /<h1>xn--bcher-kva\.lab<\/h1>/);
    assert.match(text, /<bdi>bücher\.lab<\/bdi>/);
  });

  test('below another leads to that', async () => {
    assert.match((await page('/domain/www.kept.lab?part=mail')).text, /A name below <a href="\/domain\/kept\.lab">/);
  });
});

test('a client that prefers JSON gets the report, or the part', async () => {
  const json = { accept: 'application/json' };
  const report = await service.get('/domain/kept.lab', json);
  assert.deepEqual([report.body.domain, report.body.risk.grade], ['kept.lab', 'A']);
  const part = await service.get('/domain/kept.lab?part=mail', json);
  assert.equal(part.body.posture_grade, 'A+');
  assert.equal(part.headers['content-location'], '/v1/email/security-posture/kept.lab');
});

test('a page takes as many tokens as it says, and shows what the quota left out', async () => {
  const limited = await start({ quota: { keyless: 12 } });
  const first = await page('/domain/kept.lab', limited);
  assert.match(section(first, 'more'), /asked with 9 tokens/);
  const second = await page('/domain/poor.lab', limited);
  assert.equal(second.status, 200);
  assert.match(second.text, /not asked/);
  assert.match(section(second, 'verdict-technologies'), /not asked: your quota is used/);
  const third = await page('/domain/poor.lab', limited);
  assert.equal(third.status, 429);
});

describe('hostile text', () => {
  const SCRIPT = '<script>alert(1)</script>';
  const TURNED = '\u202egnp.exe\u2066';
  const POISON = `${SCRIPT}"><img src=x onerror=alert(1)>${TURNED}`;
  let world: HostileWorld;

  before(async () => {
    world = await openHostileWorld();
    ends.push(() => world.close());
  });

  test('of records, headers, pages and registries stays text', async () => {
    world.add('evil.lab', {
      records: {
        TXT: [`v=spf1 ${POISON} -all`, POISON],
        MX: [{ preference: 10, exchange: 'mx.evil.lab' }],
      },
      web: (_request, response) => {
        response.writeHead(200, {
          'content-type': 'text/html',
          server: `nginx/1.18.0 ${SCRIPT}`,
          'content-security-policy': `script-src ${SCRIPT} javascript:alert(1)`,
          'set-cookie': `a"><b>=${SCRIPT}`,
        });
        response.end(
          `<title>${POISON}</title><meta name="generator" content="WordPress 5.8.1 &quot;&gt;&lt;img src=x&gt;">`,
        );
      },
    });
    world.upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify([
          {
            issuer_name: POISON,
            common_name: POISON,
            name_value: `${POISON}\n*.evil.lab`,
            id: 1,
            entry_timestamp: '2026-01-01',
            not_before: '2026-01-01T00:00:00',
            not_after: '2027-01-01T00:00:00',
            serial_number: POISON,
          },
        ]),
      );
    };
    world.whoisRoot.answer = () =>
      `Domain Name: evil.lab\r\nRegistrar: ${POISON}\r\nCreation Date: 2020-01-01T00:00:00Z\r\n`;
    const hostile = await world.service(owner, {
      keys: KEYS,
      sources: { crtsh: `${world.upstream.url}crtsh/`, rdap: `${world.upstream.url}rdap/`, whois: world.whoisRoot.url },
      patienceMs: () => 4000,
    });
    for (const path of [
      '/domain/evil.lab',
      '/domain/evil.lab?part=scan',
      '/domain/evil.lab?part=names',
      '/domain/evil.lab?part=web',
    ]) {
      const { text, status } = await page(path, hostile);
      assert.equal(status, 200, path);
      assert.doesNotMatch(
        text,
        /<script(?! (type="module" )?src="\/assets\/)|<img|<b>=|href="javascript|[\u202e\u2066]/i,
        path,
      );
      assert.doesNotMatch(text, /<[^>]*\son\w+=/i, path);
    }
  });
});
