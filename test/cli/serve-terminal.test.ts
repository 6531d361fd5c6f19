import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { logLineText } from '../../src/log-line-text.ts';
import { kevFeedFolder, PROGRAM, temporaryFolder } from './command-line.ts';

/** What who starts the service at a terminal sees. */

const PATIENCE_MS = 180_000;
const CTRL_C = '\x03';
const hasTerminals = spawnSync('script', ['--version']).error === undefined;

interface Shown {
  /** Waits until it was written. */
  until(pattern: RegExp): Promise<string>;
  press(keys: string): void;
  /** Exit status. */
  ended: Promise<number | null>;
}

/** `terminal`: in a pseudo-terminal, which `script` makes. `exec`: a shell between them would end by Ctrl+C with a status of its own. */
function serve(t: TestContext, terminal: boolean, settings: Record<string, string>): Shown {
  const words = [process.execPath, PROGRAM, 'serve'];
  const [program = '', ...args] = terminal
    ? ['script', '--quiet', '--return', '--flush', '--command', `exec ${words.join(' ')}`, '/dev/null']
    : words;
  const others = Object.entries(process.env).filter(([name]) => !/^SEXTANT_|^NODE_TEST|COLOR/.test(name));
  const own = { SEXTANT_PORT: '0', SEXTANT_DATA_DIR: temporaryFolder(), SEXTANT_SYNC: 'off' };
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(others), ...own, ...settings },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part) => {
      text += stripVTControlCharacters(part);
      for (const look of waiting) look();
    });
  }
  const ended = once(child, 'close').then(([status]) => {
    clearTimeout(timer);
    for (const look of waiting) look();
    return status as number | null;
  });
  return {
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(text)) resolve(text);
          else if (child.exitCode !== null || child.signalCode !== null) reject(new Error(text));
        };
        waiting.add(look);
        look();
      }),
    press: (keys) => void child.stdin.write(keys),
    ended,
  };
}

const hasNoJson = (text: string): void => assert.doesNotMatch(text, /^\s*\{/m);

describe('at a terminal', { skip: hasTerminals ? false : 'no script' }, () => {
  test('a greeting says where it is, what it knows, what it costs and how to stop it', async (t) => {
    const shown = serve(t, true, {});
    const text = await shown.until(/Ctrl\+C/);
    assert.match(text, /^Sextant \d+\.\d+\.\d+ answers at (http:\/\/127\.0\.0\.1:\d+)\r?\n\r?\n  pages +\1\r?\n/m);
    assert.match(text, /  catalog +starter: 155 well-known CVEs as of 2025-08-25, until sextant sync replaces it/);
    assert.match(text, /  sync +off \(SEXTANT_SYNC\)/);
    assert.match(text, /  quota +none on your own machine/);
    hasNoJson(text);
    shown.press(CTRL_C);
    await shown.until(/Stopping\. Running requests are finished first/);
    assert.equal(await shown.ended, 0);
  });

  test('a sync is one line in place, then its result; what failed is a plain line', async (t) => {
    const feeds = kevFeedFolder(['CVE-2021-44228']);
    const shown = serve(t, true, { SEXTANT_SYNC: 'auto', SEXTANT_FEEDS: feeds });
    const text = await shown.until(/\d\d:\d\d:\d\d warning: \d+ feeds [^\n]*\n/);
    assert.match(text, /until the first sync replaces it/);
    assert.match(text, /what is due of \d+ feeds from SEXTANT_FEEDS, now and every 15 minutes/);
    assert.match(text, /› kev +CISA Known Exploited/);
    assert.match(text, /The new catalog answers from now on\. \d+ feeds failed; their old data is kept\./);
    hasNoJson(text);
    shown.press(CTRL_C);
    assert.equal(await shown.ended, 0);
  });

  test('who shares the service is told the quota', async (t) => {
    const shown = serve(t, true, { SEXTANT_QUOTA_KEYLESS: '30' });
    const text = await shown.until(/Ctrl\+C/);
    assert.match(
      text,
      /quota +30 tokens an hour for an address, 500 tokens an hour for a key .*SEXTANT_QUOTA_KEYLESS=0/,
    );
    shown.press(CTRL_C);
    await shown.ended;
  });

  test('JSON lines, if they are wanted', async (t) => {
    const shown = serve(t, true, { SEXTANT_LOG_FORMAT: 'json' });
    const text = await shown.until(/"listening at http/);
    assert.doesNotMatch(text, /Ctrl\+C/);
    shown.press(CTRL_C);
    await shown.ended;
  });
});

test('without a terminal the greeting comes if text is wanted, and has no control characters', async (t) => {
  const shown = serve(t, false, { SEXTANT_LOG_FORMAT: 'text' });
  const text = await shown.until(/Ctrl\+C/);
  hasNoJson(text);
  assert.doesNotMatch(text, /[^\n\x20-\x7e]/);
});

describe('a line of the log as text', () => {
  const pipe = new PassThrough() as unknown as NodeJS.WriteStream;
  const textOf = (fields: object): string =>
    logLineText(`${JSON.stringify({ level: 40, time: '2026-01-02T03:04:05.678Z', ...fields })}\n`, pipe).replace(
      /^\d\d:\d\d:\d\d /,
      '',
    );

  test('has its fields in words', () => {
    assert.equal(
      textOf({ feeds: ['kev', 'epss'], next_try_at: '2026-01-02T03:19:05Z', msg: '2 feeds could not be reached' }),
      'warning: 2 feeds could not be reached (feeds: kev, epss; next try at: 2026-01-02T03:19:05Z)\n',
    );
    assert.equal(
      textOf({ level: 50, err: { type: 'Error', message: 'no', stack: 'at x' }, msg: 'accounts' }),
      'error: accounts (err: no)\n',
    );
  });

  test('is one line, whatever stands in it', () => {
    const text = textOf({ msg: 'a\nb\x1b[2J', file: 'c\r\nd' });
    assert.doesNotMatch(text.slice(0, -1), /\p{Cc}/u);
  });
});
