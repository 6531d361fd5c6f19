import { after, describe, test } from 'node:test';
import { PAGES } from '../../../src/pages/list.ts';
import type { Page } from '../../../src/pages/page.ts';
import { startService } from '../../support/service.ts';
import { requireCleanPage } from './page-walk.ts';
import { pathsOf } from './page-paths.ts';
import { HOSTILE_URLS, PAYLOAD } from './payloads.ts';

/** Nonsense from a seed: each page answers all of it with a page of its own making, and never with a fault. */

const ROUNDS = 200;
/** A page hangs when it takes longer, also on a busy machine: sources that nobody answers for give up much earlier. */
const HANGS_MS = 60_000;
const service = await startService({ after }, { timeScale: 0.02 });

describe('nonsense', () => {
  for (const [at, page] of PAGES.entries()) {
    test(`is answered by ${page.path}`, { timeout: ROUNDS * HANGS_MS }, async () => {
      const random = randomFrom(at + 1);
      for (let round = 0; round < ROUNDS; round++) {
        const { method, path, body } = nonsense(page, random);
        const headers = {
          accept: random() < 0.9 ? 'text/html' : 'application/json',
          ...(body !== undefined && {
            'content-type': 'application/x-www-form-urlencoded',
            'sec-fetch-site': 'same-origin',
          }),
        };
        const where = `${method} ${path.slice(0, 300)} (seed ${at + 1}, round ${round})`;
        const timer = AbortSignal.timeout(HANGS_MS);
        const reply = await Promise.race([
          service.send(method, path, body, headers),
          new Promise<never>((_, failed) => timer.addEventListener('abort', () => failed(new Error(`${where} hangs`)))),
        ]);
        requireCleanPage(reply, where);
      }
    });
  }
});

const WORDS = [
  '',
  '0',
  '-1',
  '1e999',
  'NaN',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '../..',
  '%',
  '%zz',
  '\u0000',
  '\ud800',
  '\u202e',
  '💥'.repeat(20),
  'a'.repeat(3000),
  'CVE-2021-44228',
  'cve-2021-44228 ',
  'CWE-79',
  'T1190',
  'log4j',
  'apache',
  '8.8.8.8',
  '::1',
  'example.com',
  'pkg:npm/x@1',
  'cpe:2.3:a:*:*:*:*:*:*:*:*:*:*',
  '2024-13-45',
  '2024-01-01',
  '99999999999999999999',
  'HIGH',
  'critical,high',
  'json',
  'csv',
  'desc',
  PAYLOAD,
  ...HOSTILE_URLS.slice(0, 9),
];
const NAMES = [
  'q',
  'page',
  'sort',
  'order',
  'severity',
  'kev',
  'year',
  'vendor',
  'product',
  'version',
  'cwe',
  'source',
  'cursor',
  'limit',
  'offset',
  'tab',
  'part',
  'as',
  'all',
  'report',
  'since',
  'days',
  'view',
  'platform',
  'tactic',
  'level',
  'text',
  'code',
  'indicators',
  'headers',
  'kind',
  'language',
  'format',
  '__proto__',
  'constructor',
];

type Random = () => number;

function nonsense(page: Page, random: Random): { method: string; path: string; body?: string } {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const fields = (): string => {
    const count = Math.floor(random() * 5);
    return Array.from({ length: count }, () => `${encode(pick(NAMES))}=${encode(pick(WORDS))}`).join('&');
  };
  const base =
    random() < 0.5 && page.path.match(/[:*]/) !== null
      ? page.path.replace(/[:*]\w+/g, () => encode(pick(WORDS)))
      : pick(pathsOf(page)).split('?')[0]!;
  const query = fields();
  const path = query === '' ? base : `${base}?${query}`;
  const posts = page.methods?.includes('POST') === true && random() < 0.5;
  return posts ? { method: 'POST', path: base, body: fields() } : { method: 'GET', path };
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
