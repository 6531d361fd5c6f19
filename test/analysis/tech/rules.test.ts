import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTechnologyDetector, detectTechnologies } from '../../../src/analysis/tech/detect-technologies.ts';
import { compileRulePattern, MAX_VALUE_LENGTH } from '../../../src/analysis/tech/rule-pattern.ts';
import { TECHNOLOGY_CATEGORIES } from '../../../src/analysis/tech/technology-rule.ts';
import type { SiteFacts } from '../../../src/analysis/tech/url-signals.ts';
import { TECHNOLOGIES } from '../../../src/analysis/tech/technologies.ts';
import { siteOf, siteWith } from './site-with.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const ALL = TECHNOLOGIES.flatMap((technology) => technology.rules.map((rule) => ({ technology, rule })));

test('at least 400 technologies, each named once, with a rule', () => {
  assert.ok(TECHNOLOGIES.length >= 400, `${TECHNOLOGIES.length}`);
  assert.equal(new Set(TECHNOLOGIES.map(({ name }) => name)).size, TECHNOLOGIES.length);
  for (const { name, rules } of TECHNOLOGIES) assert.ok(rules.length > 0, name);
});

test('what is implied is a technology, and each category has some', () => {
  const names = new Set(TECHNOLOGIES.map(({ name }) => name));
  for (const { name, implies = [] } of TECHNOLOGIES) {
    for (const implied of implies) assert.ok(names.has(implied), `${name} implies ${implied}`);
  }
  for (const category of TECHNOLOGY_CATEGORIES)
    assert.ok(
      TECHNOLOGIES.some((one) => one.category === category),
      category,
    );
});

test('names that are compared are written as they are compared', () => {
  for (const { rule, technology } of ALL) {
    if (
      ![
        'header',
        'meta',
        'host',
        'media',
        'script',
        'style',
        'plugin',
        'theme',
        'ns',
        'mx',
        'cname',
        'txt',
        'spf',
      ].includes(rule.kind)
    )
      continue;
    assert.equal(rule.name, rule.name.toLowerCase(), technology.name);
  }
});

describe('every rule fires on what it is for, and not on its look-alike', () => {
  for (const technology of TECHNOLOGIES) {
    test(technology.name, () => {
      for (const rule of technology.rules) {
        const detect = createTechnologyDetector([
          { name: technology.name, category: technology.category, rules: [{ ...rule, confidence: 1 }] },
        ]);
        assert.ok(rule.matchExamples.length > 0 && rule.nonMatchExamples.length > 0);
        for (const yes of rule.matchExamples)
          assert.equal(
            detect(siteWith(rule, yes)).length,
            1,
            `${rule.kind} ${rule.name} ${rule.pattern} misses ${yes}`,
          );
        for (const no of rule.nonMatchExamples)
          assert.equal(
            detect(siteWith(rule, no)).length,
            0,
            `${rule.kind} ${rule.name} ${rule.pattern} fires on ${no}`,
          );
      }
    });
  }
});

test('a path is told among others, at either end of what it matches', () => {
  const [first, second, third] = ['/a.js', '/misc/ajax.js?v=7.23', '/z.js'].map(
    (src) => `<script src="${src}"></script>`,
  );
  const found = detectTechnologies(siteOf(`${first}${second}${third}`));
  assert.deepEqual(
    found.map(({ name, version }) => [name, version]),
    [
      ['Drupal', '7.23'],
      ['PHP', null],
    ],
  );
});

test('no sign of one technology is taken for that of another, but where both are meant', () => {
  const both = new Set(MEANT_TOGETHER);
  const wrong: string[] = [];
  const used = new Set<string>();
  for (const { technology, rule } of ALL) {
    // One header may name all that a server is made of.
    if (rule.confidence < 0.5 || rule.kind === 'header') continue;
    const own = closure(technology.name);
    for (const yes of rule.matchExamples) {
      for (const name of names(siteWith(rule, yes))) {
        if (own.has(name)) continue;
        const pair = `${technology.name} + ${name}`;
        if (both.has(pair)) used.add(pair);
        else wrong.push(`'${pair}', // ${yes}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual([...both.difference(used)], [], 'listed, but not seen together any more');
});

describe('no pattern takes long', () => {
  const hostile = ['a', '0', '/', '.', '-', ' ', '1.', 'a1', '/*', '<', '?', '0.0-', 'x/'].map((piece) =>
    piece.repeat(MAX_VALUE_LENGTH).slice(0, MAX_VALUE_LENGTH),
  );
  test('of values as long as are looked at', () => {
    const slow: string[] = [];
    for (const { rule } of ALL) {
      if (rule.pattern === null) continue;
      const expression = compileRulePattern(rule.pattern);
      const start = rule.matchExamples[0]!.slice(0, 40);
      for (const value of [
        ...hostile,
        ...hostile.map((text) => start + text),
        ...hostile.map((text) => text + start),
      ]) {
        const took = Math.min(...[1, 2, 3].map(() => timeOf(() => expression.test(value))));
        if (took > 5) slow.push(`${rule.pattern} ${took.toFixed(1)} ms`);
      }
    }
    assert.deepEqual(slow, []);
  });

  test('and none repeats what repeats', () => {
    for (const { rule } of ALL) assert.doesNotMatch(rule.pattern ?? '', /[*+}]\)[*+{]/, rule.pattern ?? '');
  });
});

/** In milliseconds. */
function timeOf(work: () => unknown): number {
  const began = cpuMs();
  work();
  return cpuMs() - began;
}

function names(facts: SiteFacts): string[] {
  return detectTechnologies(facts).map(({ name }) => name);
}

/** The technology and all that comes with it. */
function closure(name: string): Set<string> {
  const all = new Set([name]);
  for (const one of all)
    for (const implied of TECHNOLOGIES.find((other) => other.name === one)?.implies ?? []) all.add(implied);
  return all;
}

/** One sign, two technologies: a part and its whole, a service and the script that it brings. */
const MEANT_TOGETHER: readonly string[] = [
  'Cloudflare + Cloudflare Email Obfuscation',
  'Joomla + jQuery',
  'Concrete + jQuery',
  'HubSpot CMS + jQuery',
  'MkDocs + Material for MkDocs',
  'Magento + RequireJS',
  'jQuery UI + WordPress',
  'jQuery UI + PHP',
  'Google Fonts + Material Icons',
  'Google Fonts + Web Font Loader',
  'Web Font Loader + Google Fonts',
  'YUI + Moodle',
  'YUI + PHP',
];
