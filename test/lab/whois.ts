/** WHOIS (RFC 3912): the root of referrals, registries and a registrar in the usual formats, and their evil twins. */

import type { Socket } from 'node:net';
import { FREE } from './rdap.ts';
import { samples } from './samples.ts';
import { whenClosed } from './loopback.ts';

export interface WhoisPlan {
  host: string;
  shows: string;
  /** What is sent for a line; a function takes the connection over. */
  answer(line: string): string | ((socket: Socket) => void);
}

const SLOW_MS = 3000;

const EVIL: readonly WhoisPlan[] = [
  {
    host: 'slow.whois.lab',
    shows: `answers after ${SLOW_MS / 1000} s`,
    answer: (line) => (socket) => {
      const timer = setTimeout(() => socket.end(registrarText(line)), SLOW_MS);
      whenClosed(socket, () => clearTimeout(timer));
    },
  },
  { host: 'silent.whois.lab', shows: 'never answers', answer: () => () => {} },
  {
    host: 'endless.whois.lab',
    shows: 'text without end',
    answer: () => (socket) => {
      const block = 'Remark: and so on\r\n'.repeat(1000);
      const more = (): void => {
        while (!socket.destroyed && socket.write(block));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    },
  },
  {
    host: 'drip.whois.lab',
    shows: 'a byte now and then, without end',
    answer: () => (socket) => {
      const timer = setInterval(() => socket.write('.'), 50);
      whenClosed(socket, () => clearInterval(timer));
    },
  },
  { host: 'empty.whois.lab', shows: 'an empty answer', answer: () => '' },
  { host: 'reset.whois.lab', shows: 'resets the connection', answer: () => (socket) => socket.resetAndDestroy() },
  {
    host: 'binary.whois.lab',
    shows: 'bytes that are no text',
    answer: () => '\u0000\u0001\u0007\u001b[31m\u202ered\r\n',
  },
  {
    host: 'private.whois.lab',
    shows: 'a referral to a private address',
    answer: (line) => referring(line, '10.0.0.1'),
  },
  {
    host: 'private-name.whois.lab',
    shows: 'a referral to a name with a private address',
    answer: (line) => referring(line, 'private.lab'),
  },
  {
    host: 'port.whois.lab',
    shows: 'a referral to another port',
    answer: (line) => referring(line, 'whois.registrar.lab:25'),
  },
  { host: 'loop.whois.lab', shows: 'a referral to itself', answer: (line) => referring(line, 'loop.whois.lab') },
  { host: 'loop-a.whois.lab', shows: 'a referral to loop-b', answer: (line) => referring(line, 'loop-b.whois.lab') },
  { host: 'loop-b.whois.lab', shows: 'a referral to loop-a', answer: (line) => referring(line, 'loop-a.whois.lab') },
];

/** `.lab-slow` and so on: top-level domains whose registry is evil. */
const EVIL_TLDS = new Map(EVIL.map(({ host }) => [`lab-${host.split('.')[0]}`, host]));

/** Registries that want more than a name on their line keep their own names. */
const OWN_LINES = new Map([
  ['com', 'whois.verisign-grs.com'],
  ['net', 'whois.verisign-grs.com'],
  ['de', 'whois.denic.de'],
  ['jp', 'whois.jprs.jp'],
]);

const root: WhoisPlan = {
  host: 'whois.iana.org',
  shows: 'the root of referrals: which registry a top-level domain has',
  answer(line) {
    const tld = wantedName(line).split('.').at(-1)!;
    const server = registryOf(tld);
    if (server === null) return '% IANA WHOIS server\r\n% This query returned 0 objects.\r\n';
    return `% IANA WHOIS server\r\n% This query returned 1 object\r\n\r\nrefer:        ${server}\r\n\r\ndomain:       ${tld.toUpperCase()}\r\n\r\norganisation: Registry of ${tld}\r\nwhois:        ${server}\r\nstatus:       ACTIVE\r\nsource:       IANA\r\n`;
  },
};

function registryOf(tld: string): string | null {
  if (tld === 'lab') return 'whois.nic.lab';
  if (tld === 'lab-cc') return 'whois.nic.lab-cc';
  return EVIL_TLDS.get(tld) ?? OWN_LINES.get(tld) ?? (recordedTlds().has(tld) ? 'whois.recorded.lab' : null);
}

const registry: WhoisPlan = {
  host: 'whois.nic.lab',
  shows: 'a registry in the form of generic top-level domains: refers to the registrar',
  answer(line) {
    const name = wantedName(line);
    if (name === 'throttled.lab') return 'Number of allowed queries exceeded.\r\n';
    if (FREE.test(name) || !name.endsWith('.lab')) {
      return `No match for "${name.toUpperCase()}".\r\n>>> Last update of whois database: 2026-02-01T00:00:00Z <<<\r\n`;
    }
    // whois-slow.lab and so on: registered with the evil twin of that name.
    const twin = /^whois-([a-z-]+)\.lab$/.exec(name)?.[1];
    return referring(name, twin === undefined ? 'whois.registrar.lab' : `${twin}.whois.lab`);
  },
};

function referring(line: string, server: string): string {
  const name = wantedName(line).toUpperCase();
  return [
    `   Domain Name: ${name}`,
    `   Registry Domain ID: ${name.length}_DOMAIN-LAB`,
    `   Registrar WHOIS Server: ${server}`,
    '   Registrar URL: https://registrar.lab/',
    '   Updated Date: 2026-01-01T10:00:00Z',
    '   Creation Date: 2009-02-01T10:00:00Z',
    '   Registry Expiry Date: 2031-02-01T10:00:00Z',
    '   Registrar: Lab Registrar Ltd.',
    '   Registrar IANA ID: 9999',
    '   Registrar Abuse Contact Email: abuse@registrar.lab',
    '   Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited',
    '   Name Server: NS1.LAB',
    '   Name Server: NS2.LAB',
    '   DNSSEC: unsigned',
    '>>> Last update of whois database: 2026-02-01T00:00:00Z <<<',
    '',
  ].join('\r\n');
}

function registrarText(line: string): string {
  return referring(line, 'whois.registrar.lab')
    .replace('Registry Expiry Date', 'Registrar Registration Expiration Date')
    .replace(
      '   Name Server',
      '   Registrant Organization: Kept Publishing\r\n   Registrant Country: CH\r\n   Name Server',
    )
    .replaceAll('\r\n   ', '\r\n')
    .trimStart();
}

const country: WhoisPlan = {
  host: 'whois.nic.lab-cc',
  shows: 'a registry in the form of country-code domains: everything in one text, dates and names its own way',
  answer(line) {
    const name = wantedName(line);
    if (name.startsWith('free')) return `% No entries found for query "${name}".\n`;
    return [
      '% This is the registry of .lab-cc',
      '',
      `domain:      ${name}`,
      'status:      connect',
      'registrar:   Lab Registrar Ltd.',
      'nserver:     ns1.lab. 5.57.250.1',
      'nserver:     ns2.lab.',
      'created:     2009-02-01',
      'changed:     2026-01-01',
      'expires:     2031-02-01',
      '',
      'holder:      Jürg Müller',
      '',
    ].join('\n');
  },
};

const recorded: WhoisPlan = {
  host: 'whois.recorded.lab',
  shows: 'the recorded texts of real registries, by the domain that they are about',
  answer(line) {
    const name = wantedName(line);
    const held = [...samples('samples/whois/registered'), ...samples('samples/whois/available')];
    const found =
      held.find((entry) => entry.name === name) ?? (name.startsWith('throttled.') ? throttling(name) : null);
    return found?.text ?? `No match for domain "${name}".\r\n`;
  },
};

/** What the registry of a top-level domain says to those who ask too often. */
function throttling(name: string) {
  const tld = name.slice(name.indexOf('.') + 1);
  return samples('samples/whois/errors').find(
    (entry) => entry.name.includes('throttled') && entry.name.split(/__|-/).includes(tld),
  );
}

function recordedTlds(): Set<string> {
  const folders = ['samples/whois/registered', 'samples/whois/available'];
  const names = folders.flatMap((folder) => samples(folder)).map(({ name }) => name);
  return new Set(names.filter((name) => name.includes('.')).map((name) => name.split('.').at(-1)!));
}

/** Lines may hold flags before the name (`-T dn,ace google.de`, `domain google.com`) and some after it (`google.jp/e`). */
function wantedName(line: string): string {
  return (line.trim().split(/\s+/).at(-1) ?? '').replace(/\/e$/, '').replace(/^=/, '').toLowerCase();
}

export const WHOIS_PLANS: readonly WhoisPlan[] = [
  root,
  registry,
  { host: 'whois.registrar.lab', shows: 'a registrar', answer: registrarText },
  country,
  recorded,
  ...[...new Set(OWN_LINES.values())].map((host): WhoisPlan => ({ ...recorded, host })),
  ...EVIL,
];
