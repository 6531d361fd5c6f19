import { isSameOrSubdomain } from '../domain-name.ts';

/** Local parts that are used for a role, not a person: RFC 2142, and other common ones. */
const LOCAL_PARTS_BY_ROLE = Object.entries({
  technical: `postmaster hostmaster webmaster usenet news uucp ftp www root sysadmin admin administrator it noc ops
    devops dns mailer-daemon hosting network`,
  security: 'abuse security trouble soc csirt cert psirt phishing spam fraud dmarc tlsrpt',
  support: 'support help helpdesk service customerservice care customercare feedback returns orders order',
  sales: `sales marketing info contact hello hi office enquiries inquiries mail email reception partners press media
    pr newsletter subscribe unsubscribe list list-request events booking bookings reservations`,
  finance: 'billing accounts accounting finance invoice invoices payments payroll purchasing procurement',
  people: 'hr jobs careers recruiting recruitment team staff everyone all',
  legal: 'legal privacy gdpr dpo compliance copyright dmca trademark',
  automated: `noreply no-reply no_reply donotreply do-not-reply bounce bounces notifications notification alerts alert
    notify robot bot auto daemon nobody null devnull test`,
}).map(([role, names]) => ({ role, names: new Set(names.split(/\s+/)) }));

/** Free and consumer mail providers. */
const FREE_PROVIDERS: ReadonlySet<string> = new Set(
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.jp outlook.com.br hotmail.com hotmail.co.uk
  hotmail.de hotmail.fr hotmail.es hotmail.it live.com live.co.uk live.de live.fr live.it live.nl msn.com passport.com yahoo.com
  yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it yahoo.ca yahoo.in yahoo.co.in yahoo.co.jp yahoo.com.br yahoo.com.mx yahoo.com.au
  yahoo.com.ar yahoo.com.sg yahoo.co.id ymail.com rocketmail.com aol.com aim.com icloud.com me.com mac.com proton.me protonmail.com
  protonmail.ch pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com keemail.me gmx.com gmx.de gmx.net gmx.at gmx.ch gmx.fr
  gmx.us web.de mail.com email.com usa.com post.com consultant.com engineer.com mail.ru inbox.ru list.ru bk.ru internet.ru yandex.com
  yandex.ru ya.ru yandex.by yandex.kz rambler.ru zoho.com zohomail.com zohomail.eu fastmail.com fastmail.fm hey.com hushmail.com
  mailfence.com posteo.de posteo.net mailbox.org disroot.org riseup.net runbox.com startmail.com t-online.de freenet.de arcor.de
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr libero.it virgilio.it tin.it alice.it tiscali.it terra.com.br uol.com.br
  bol.com.br ig.com.br globo.com btinternet.com sky.com talktalk.net virginmedia.com ntlworld.com blueyonder.co.uk comcast.net
  verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com netzero.net optonline.net rogers.com
  shaw.ca sympatico.ca bigpond.com optusnet.com.au xtra.co.nz telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl home.nl bluewin.ch
  telia.com tele2.se online.no wp.pl o2.pl onet.pl interia.pl op.pl tlen.pl poczta.fm seznam.cz email.cz centrum.cz atlas.cz azet.sk
  freemail.hu citromail.hu abv.bg mail.bg ukr.net i.ua meta.ua qq.com foxmail.com 163.com 126.com yeah.net sina.com sina.cn sohu.com
  139.com 189.cn aliyun.com naver.com daum.net hanmail.net nate.com rediffmail.com mail.ee inbox.lv inbox.lt walla.co.il
  walla.com duck.com lycos.com excite.com`.split(/\s+/),
);

/** The role of a mailbox (`support`, `security`, ...); null: probably a person. A tag (`+x`) is ignored. */
export function mailboxRole(local: string): string | null {
  const name = local.toLowerCase().replace(/\+.*$/s, '');
  return LOCAL_PARTS_BY_ROLE.find(({ names }) => names.has(name))?.role ?? null;
}

/** Whether a domain belongs to a free or consumer mail provider. */
export function isFreeMailProvider(domain: string): boolean {
  return FREE_PROVIDERS.has(domain) || ['gmx.net', 'mail.ru'].some((name) => isSameOrSubdomain(domain, name));
}
