import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { parseEmailAddress } from '../../../src/analysis/email/address/parse-email-address.ts';
import { isFreeMailProvider, mailboxRole } from '../../../src/analysis/email/mailbox-kinds.ts';
import {
  DISPOSABLE_LIST,
  findDisposableMailServer,
  findDisposableDomain,
} from '../../../src/analysis/email/disposable.ts';
import { findMailProvider } from '../../../src/analysis/email/mail-providers.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const formOf = (text: string): string => parseEmailAddress(text).form;

describe('addresses', () => {
  test('comments and blanks are no part of it', () => {
    const parsed = parseEmailAddress('(a) John.Doe (b)@(c) Example.COM (d (e))');
    assert.ok(parsed.form !== 'broken');
    assert.equal(`${parsed.local}@${parsed.domain}`, 'John.Doe@Example.COM');
  });

  test('quoted local parts, with what only quotes allow', () => {
    const parsed = parseEmailAddress('"a@b \\"c\\" (d)"@example.com');
    assert.ok(parsed.form === 'smtp');
    assert.equal(parsed.local, '"a@b \\"c\\" (d)"');
  });

  test('internationalised addresses (RFC 6531)', () => {
    for (const text of ['jos\u00e9@example.com', '\u7528\u6237@\u4f8b\u5b50.\u5e7f\u544a', '"\u00fc b"@example.com']) {
      const parsed = parseEmailAddress(text);
      assert.ok(parsed.form === 'plain' || parsed.form === 'smtp', text);
      assert.equal(parsed.needsUtf8, true);
    }
    assert.equal(formOf('a\u0085b@example.com'), 'broken', 'C1 controls');
    assert.equal(formOf('a\ud800@example.com'), 'broken', 'half a surrogate pair');
  });

  test('lengths count in octets: 64, 255, 254 in all (RFC 5321, 4.5.3.1)', () => {
    assert.equal(formOf(`${'a'.repeat(64)}@example.com`), 'plain');
    assert.equal(formOf(`${'\u00e9'.repeat(33)}@example.com`), 'header');
    const domain = `${`${'a'.repeat(61)}.`.repeat(4)}com`;
    assert.equal(formOf(`ab@${domain}`), 'plain', '254 in all');
    assert.equal(formOf(`abc@${domain}`), 'header', '255 in all');
  });

  test('long and deep ones take no time', () => {
    const started = cpuMs();
    for (const text of [
      '('.repeat(50_000),
      `"${'\\"'.repeat(50_000)}`,
      `${'a.'.repeat(50_000)}@`,
      `a@${'[: '.repeat(20_000)}`,
      ' \r\n'.repeat(20_000),
    ])
      assert.equal(formOf(text), 'broken');
    assert.ok(cpuMs() - started < 10_000);
  });
});

describe('what is known of domains and names', () => {
  test('the list of disposable domains, and what stands below', () => {
    assert.equal(findDisposableDomain('mailinator.com'), 'mailinator.com');
    assert.equal(findDisposableDomain('team.mailinator.com'), 'mailinator.com');
    assert.equal(findDisposableDomain('mailinator.example'), null);
    for (const domain of ['gmail.com', 'outlook.com', 'proton.me', 'icloud.com', 'co.uk', 'example.com'])
      assert.equal(findDisposableDomain(domain), null, domain);
  });

  test('mail servers of disposable services', () => {
    assert.equal(findDisposableMailServer('mail.mailinator.com'), 'mailinator.com');
    assert.equal(findDisposableMailServer('in.mail.tm'), 'mail.tm');
    assert.equal(findDisposableMailServer('aspmx.l.google.com'), null);
  });

  test('the day of the list is that of the release that is installed', () => {
    const path = createRequire(import.meta.url).resolve('disposable-email-domains-js/package.json');
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string };
    assert.equal(DISPOSABLE_LIST.version, version, 'a new release: take its day from the registry');
    assert.ok(Date.parse(DISPOSABLE_LIST.published) > 0);
  });

  test('roles (RFC 2142), tags left out', () => {
    assert.equal(mailboxRole('Postmaster'), 'technical');
    assert.equal(mailboxRole('abuse'), 'security');
    assert.equal(mailboxRole('info+x'), 'sales');
    assert.equal(mailboxRole('no-reply'), 'automated');
    assert.equal(mailboxRole('john.doe'), null);
    assert.equal(mailboxRole('information'), null);
    assert.equal(mailboxRole('constructor'), null);
  });

  test('free providers', () => {
    for (const domain of ['gmail.com', 'yahoo.co.uk', 'web.de', 'qq.com'])
      assert.ok(isFreeMailProvider(domain), domain);
    for (const domain of ['example.com', 'google.com', 'notgmail.com']) assert.ok(!isFreeMailProvider(domain), domain);
  });

  test('services by their mail servers', () => {
    for (const [host, name] of [
      ['aspmx.l.google.com', 'Google Workspace'],
      ['example-com.mail.protection.outlook.com', 'Microsoft 365'],
      ['mail.protonmail.ch', 'Proton Mail'],
      ['in1-smtp.messagingengine.com', 'Fastmail'],
      ['mx01.mail.icloud.com', 'iCloud Mail'],
      ['mx.yandex.net', 'Yandex Mail'],
      ['inbound-smtp.us-east-1.amazonaws.com', 'Amazon WorkMail or SES'],
      ['mx1-us1.ppe-hosted.com', 'Proofpoint (in front of another)'],
      ['us-smtp-inbound-1.mimecast.com', 'Mimecast (in front of another)'],
      ['mx.example.com', null],
      ['google.com.evil.example', null],
      ['notgoogle.com', null],
    ] as const)
      assert.equal(findMailProvider([host]), name, host);
  });
});
