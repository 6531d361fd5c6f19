import { nameAndParents } from '../domain-name.ts';

/** Mail services, with the domains of the hosts in their customers' MX records. */
const MAIL_PROVIDERS: Readonly<Record<string, string>> = {
  'Google Workspace': 'google.com googlemail.com psmtp.com',
  'Microsoft 365': `mail.protection.outlook.com mx.microsoft mail.protection.office365.us
    mail.protection.partner.outlook.cn`,
  'Outlook.com': 'olc.protection.outlook.com hotmail.com',
  'Proton Mail': 'protonmail.ch proton.me',
  Fastmail: 'messagingengine.com',
  'Zoho Mail': 'zoho.com zoho.eu zoho.in zoho.com.au zoho.jp zohomail.com zohocloud.ca',
  Yahoo: 'yahoodns.net yahoo.com yahoo.co.jp',
  'iCloud Mail': 'icloud.com apple.com',
  'Yandex Mail': 'yandex.net yandex.ru',
  'Mail.ru': 'mail.ru',
  GMX: 'gmx.net gmx.com',
  'WEB.DE': 'web.de',
  'mail.com': 'mail.com',
  IONOS: 'kundenserver.de ionos.com ionos.de ionos.co.uk ionos.es ionos.fr 1and1.com 1und1.de perfora.net',
  STRATO: 'rzone.de strato.de',
  OVHcloud: 'mail.ovh.net mail.ovh.ca ovh.net ovh.com',
  Gandi: 'mail.gandi.net gandi.net',
  Infomaniak: 'infomaniak.ch infomaniak.com',
  Hetzner: 'your-server.de',
  'mailbox.org': 'mailbox.org',
  Posteo: 'posteo.de',
  Tuta: 'tutanota.de tutanota.com tuta.com',
  Migadu: 'migadu.com',
  Runbox: 'runbox.com',
  Mailfence: 'mailfence.com',
  Startmail: 'startmail.com',
  HEY: 'hey.com',
  Titan: 'titan.email',
  Hostinger: 'hostinger.com hostinger.in',
  'Namecheap Private Email': 'privateemail.com registrar-servers.com',
  GoDaddy: 'secureserver.net',
  'Rackspace Email': 'emailsrvr.com',
  DreamHost: 'dreamhost.com',
  Bluehost: 'bluehost.com',
  'one.com': 'one.com',
  Loopia: 'loopia.se',
  'Amazon WorkMail or SES': 'amazonaws.com awsapps.com',
  Mailgun: 'mailgun.org',
  SendGrid: 'sendgrid.net',
  Postmark: 'postmarkapp.com',
  SparkPost: 'sparkpostmail.com',
  Mandrill: 'mandrillapp.com',
  NetEase: 'netease.com 163.com qiye163.mxmail.netease.com',
  'Tencent Exmail': 'qq.com',
  'Alibaba Mail': 'mxhichina.com aliyun.com',
  Naver: 'naver.com worksmobile.com',
};

/** Services that check mail and forward it to another service. */
const MAIL_FILTERS: Readonly<Record<string, string>> = {
  'Cloudflare Email Routing': 'mx.cloudflare.net',
  ImprovMX: 'improvmx.com',
  'Forward Email': 'forwardemail.net',
  SimpleLogin: 'simplelogin.co',
  Mimecast: 'mimecast.com mimecast.co.za mimecast-offshore.com',
  Proofpoint: 'pphosted.com ppe-hosted.com gpphosted.com ppops.net',
  Barracuda: 'barracudanetworks.com ess.barracudanetworks.com cudamail.com',
  'Cisco Secure Email': 'iphmx.com',
  'Broadcom Email Security': 'messagelabs.com',
  'Trend Micro Email Security': 'trendmicro.com trendmicro.eu trendmicro.co.jp',
  'Sophos Email': 'sophos.com reflexion.net',
  Hornetsecurity: 'hornetsecurity.com antispameurope.com spamcloud.eu',
  Vade: 'vadesecure.com',
  Mailinblack: 'mailinblack.com',
  'FortiMail Cloud': 'fortimailcloud.com fortimail.com',
  Retarus: 'retarus.com retarus.de',
  SpamHero: 'spamhero.com',
  SpamExperts: 'spamexperts.com antispamcloud.com',
  MailChannels: 'mailchannels.net',
};

const PROVIDER_BY_DOMAIN: ReadonlyMap<string, string> = new Map([
  ...Object.entries(MAIL_PROVIDERS).flatMap(([name, domains]) =>
    domains.split(/\s+/).map((domain) => [domain, name] as const),
  ),
  ...Object.entries(MAIL_FILTERS).flatMap(([name, domains]) =>
    domains.split(/\s+/).map((domain) => [domain, `${name} (in front of another)`] as const),
  ),
]);

/** The mail service of the first host that belongs to a known one, the hosts by preference; null: none does. */
export function findMailProvider(hosts: readonly string[]): string | null {
  for (const host of hosts) {
    const domain = nameAndParents(host).find((name) => PROVIDER_BY_DOMAIN.has(name));
    if (domain !== undefined) return PROVIDER_BY_DOMAIN.get(domain)!;
  }
  return null;
}
