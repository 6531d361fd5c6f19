import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { nameAndParents } from '../domain-name.ts';

/** The shipped list of disposable domains. Its day is stated here because the package carries no date. */
export const DISPOSABLE_LIST = { id: 'disposable_domains', version: '1.26.0', published: '2026-09-21' } as const;

/** Mail servers of disposable services, in addition to those under listed domains: many domains share few servers. */
const DISPOSABLE_MAIL_SERVERS: ReadonlySet<string> = new Set(
  `mail.tm mail.gw temp-mail.org temp-mail.io tempmail.plus tempmail.lol tempmail.com emailfake.com generator.email
  email-fake.com mailsac.com erinn.biz den.yt wabblywabble.com wallywatts.com 1secmail.com mail7.io mailslurp.com
  tempr.email discard.email moakt.com disposable.email inboxkitten.com yopmail.com guerrillamail.com mailinator.com
  maildrop.cc getnada.com dropmail.me fakemailgenerator.com burnermail.io mohmal.com emailondeck.com spamgourmet.com
  trashmail.com`.split(/\s+/),
);

let disposableDomains: ReadonlySet<string> | undefined;

/** The listed domain that a domain equals or is a subdomain of; null: not listed. */
export function findDisposableDomain(domain: string): string | null {
  disposableDomains ??= disposableEmailBlocklistSet();
  return nameAndParents(domain).find((name) => disposableDomains!.has(name)) ?? null;
}

/** The domain of the disposable service that a mail server belongs to; null: none is known. */
export function findDisposableMailServer(host: string): string | null {
  return nameAndParents(host).find((name) => DISPOSABLE_MAIL_SERVERS.has(name)) ?? findDisposableDomain(host);
}
