import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { disallowsCrawling, isPathAllowed } from '../../../src/analysis/robots/path-access.ts';
import { presentRobots } from '../../../src/analysis/robots/present-robots.ts';
import { MAX_ROBOTS_BYTES, readRobots } from '../../../src/analysis/robots/read-robots.ts';
import { sharedPath } from '../../support/shared.ts';

const OURS = 'Sextant';

describe('the floor', () => {
  const decisions: [string, string, boolean][] = [
    ['nothing at all', '', false],
    ['everybody shut out', 'User-agent: *\nDisallow: /', true],
    ['we shut out, by name', 'User-agent: sextant\nDisallow: /\n\nUser-agent: *\nAllow: /', true],
    ['we shut out, with a version', 'User-agent: Sextant/1.0\nDisallow: /', true],
    ['another shut out', 'User-agent: GPTBot\nDisallow: /', false],
    ['a name that only begins like ours', 'User-agent: SextantPro\nDisallow: /', false],
    ['a part shut', 'User-agent: *\nDisallow: /private/', false],
    ['an empty rule', 'User-agent: *\nDisallow:', false],
    ['all by a star', 'User-agent: *\nDisallow: /*', true],
    ['everybody out, only the home page open', 'User-agent: *\nDisallow: /\nAllow: /$', false],
    ['everybody out, we by name in', 'User-agent: *\nDisallow: /\n\nUser-agent: Sextant\nAllow: /', true],
    ['we without rules, everybody out', 'User-agent: *\nDisallow: /\n\nUser-agent: Sextant\n', true],
    ['misspelt', 'useragent *\ndissallow /', true],
  ];
  for (const [name, text, expected] of decisions) {
    test(name, () => assert.equal(disallowsCrawling(readRobots(text), OURS), expected));
  }
});

// RFC 9309, section 5.1: the simple example, read to the end.
const EXAMPLE = `User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot`;

test('the example of RFC 9309, section 5.1', () => {
  const robots = readRobots(EXAMPLE);
  const allowed = (agent: string, path: string): boolean => isPathAllowed(robots, agent, path);
  assert.equal(allowed('anybot', '/x/picture.gif'), false);
  assert.equal(allowed('anybot', '/x/picture.gif?size=1'), true);
  assert.equal(allowed('anybot', '/publications/'), true);
  assert.equal(allowed('foobot', '/anything'), false);
  assert.equal(allowed('foobot', '/example/page.html'), true);
  assert.equal(allowed('barbot', '/example/page.html'), false);
  assert.equal(allowed('bazbot', '/example/other.html'), true);
  assert.equal(allowed('quxbot', '/example/'), true);
});

test('what is shown: groups by agent, joined, delays of those above them', () => {
  const text = `Sitemap: https://example.org/a.xml
User-agent: A
Crawl-delay: 2.5
User-agent: b
Disallow: /x # why
Allow: /x/y
Host: www.example.org

user-agent: a
Disallow:
Disallow: /z\u202E\u0007
sitemap: https://example.org/a.xml`;
  assert.deepEqual(presentRobots(readRobots(text)), {
    user_agents: {
      A: { allow: ['/x/y'], disallow: ['/x', '/z'], crawl_delay: 2.5 },
      b: { allow: ['/x/y'], disallow: ['/x'], crawl_delay: null },
    },
    sitemaps: ['https://example.org/a.xml'],
    host: 'www.example.org',
    truncated: false,
  });
});

test('every coding and line end that there is', () => {
  const text = 'User-agent: *\rDisallow: /näh\r';
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const bytes of [
    Buffer.from(text),
    Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from(text)]),
    Buffer.concat([Buffer.of(0xff, 0xfe), little]),
    Buffer.concat([Buffer.of(0xfe, 0xff), big]),
    little,
    big,
  ]) {
    assert.equal(isPathAllowed(readRobots(bytes), OURS, '/n%C3%A4h'), false, bytes.toString('hex', 0, 8));
    assert.equal(isPathAllowed(readRobots(bytes), OURS, '/nah'), true);
  }
});

test('a page in its place holds no rules', () => {
  const page = '<!DOCTYPE html>\n<pre>\nUser-agent: *\nDisallow: /\n</pre>';
  for (const text of [page, `\n\n  ${page}`, `\uFEFF${page}`])
    assert.equal(disallowsCrawling(readRobots(text), OURS), false);
});

describe('more than there should be', () => {
  test('10 MB: 500 KiB are read, and no half of a line', () => {
    const line = 'Disallow: /aaaaaaaaaaaaaaaa/b\n';
    const robots = readRobots(Buffer.from(`User-agent: *\n${line.repeat(350_000)}`));
    assert.equal(robots.truncated, true);
    assert.equal(
      robots.groups[0]!.rules.length,
      Math.floor((MAX_ROBOTS_BYTES - 'User-agent: *\n'.length) / line.length),
    );
    assert.ok(robots.groups[0]!.rules.every(({ path }) => path === '/aaaaaaaaaaaaaaaa/b'));
  });

  test('many agents over many rules are shown in bounds', () => {
    const agents = Array.from({ length: 5000 }, (_, at) => `User-agent: bot${at}`);
    const rules = Array.from({ length: 5000 }, (_, at) => `Disallow: /${at}`);
    const view = presentRobots(readRobots([...agents, ...rules].join('\n')));
    assert.equal(view.truncated, true);
    assert.ok(JSON.stringify(view).length < 200_000);
  });

  test('a pattern of stars takes no time', { timeout: 10_000 }, () => {
    const robots = readRobots(`User-agent: *\n${`Disallow: /${'*a'.repeat(8000)}b\n`.repeat(30)}`);
    assert.equal(isPathAllowed(robots, OURS, `/${'a'.repeat(8000)}`), true);
  });

  test('names of object members are agents as others', () => {
    const { user_agents } = presentRobots(readRobots('User-agent: __proto__\nUser-agent: constructor\nDisallow: /'));
    assert.deepEqual(Object.keys(user_agents), ['__proto__', 'constructor']);
  });
});

describe('real files', { skip: sharedPath('feeds', 'robots') === null && 'no feeds' }, () => {
  const read = (host: string) => readRobots(readFileSync(sharedPath('feeds', 'robots', `${host}.robots.txt`)!));

  // Read from the files by eye.
  const facts: [string, string, (robots: ReturnType<typeof readRobots>) => unknown, unknown][] = [
    ['www.wacom.com', 'all in one line: an agent and no rule', (robots) => disallowsCrawling(robots, OURS), false],
    ['ffmpeg.org', 'lets everybody in', (robots) => disallowsCrawling(robots, OURS), false],
    ['kde.org', 'empty', (robots) => robots.groups.length, 0],
    ['techresources.oecd.org', 'a page in its place', (robots) => robots.groups.length, 0],
    ['ai.robots.txt', 'shuts crawlers of models out', (robots) => isPathAllowed(robots, 'ClaudeBot', '/'), false],
    ['ai.robots.txt', 'and nobody else', (robots) => disallowsCrawling(robots, OURS), false],
    ['store.usps.com', 'UTF-16', (robots) => robots.groups.length > 0, true],
    ['cdbaby.com', 'CR line ends', (robots) => robots.groups.length > 0, true],
    ['cdnjs.com', 'one sitemap', (robots) => robots.sitemaps, ['https://cdnjs.com/sitemap.xml']],
    ['adguard.com', 'names its host', (robots) => robots.host !== null, true],
  ];
  for (const [host, name, fact, expected] of facts) {
    test(`${host}: ${name}`, () => assert.deepEqual(fact(read(host)), expected));
  }
});
