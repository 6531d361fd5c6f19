import { parseIp } from '../ip-address.ts';
import { nameAndParents } from '../domain-name.ts';

/** Well-known benign infrastructure: it appears in most network captures, and therefore also in lists of indicators. */
export interface BenignInfrastructure {
  kind: 'public_resolver' | 'cdn' | 'os_updates' | 'shared_hosting';
  name: string;
}

/** By kind: the operators, with their addresses and their domains, subdomains included. */
const KNOWN_INFRASTRUCTURE: Readonly<Record<BenignInfrastructure['kind'], Readonly<Record<string, string>>>> = {
  public_resolver: {
    'Cloudflare DNS': '1.1.1.1 1.0.0.1 2606:4700:4700::1111 2606:4700:4700::1001 one.one.one.one',
    'Google Public DNS': '8.8.8.8 8.8.4.4 2001:4860:4860::8888 2001:4860:4860::8844 dns.google',
    Quad9: '9.9.9.9 149.112.112.112 2620:fe::fe 2620:fe::9 dns.quad9.net',
    OpenDNS: '208.67.222.222 208.67.220.220 2620:119:35::35 2620:119:53::53 opendns.com',
    'AdGuard DNS': '94.140.14.14 94.140.15.15 dns.adguard-dns.com',
    DNS4EU: '86.54.11.1 86.54.11.201 joindns4.eu',
  },
  cdn: {
    Cloudflare: 'cloudflare.com cloudflare.net cdnjs.com cloudflareinsights.com',
    Akamai: 'akamai.net akamaiedge.net akamaized.net akamaihd.net edgekey.net edgesuite.net',
    Fastly: 'fastly.net fastlylb.net fastly.com',
    'Amazon CloudFront': 'cloudfront.net',
    'Azure CDN': 'azureedge.net azurefd.net msecnd.net aspnetcdn.com',
    Google: 'google.com googleapis.com gstatic.com googleusercontent.com gvt1.com googletagmanager.com',
    jsDelivr: 'jsdelivr.net',
    unpkg: 'unpkg.com',
    'jQuery CDN': 'code.jquery.com',
  },
  os_updates: {
    Microsoft: `windowsupdate.com update.microsoft.com delivery.mp.microsoft.com download.microsoft.com
      msftconnecttest.com msftncsi.com time.windows.com ctldl.windowsupdate.com`,
    Apple: 'swcdn.apple.com swscan.apple.com mesu.apple.com gdmf.apple.com captive.apple.com time.apple.com',
    Ubuntu: 'archive.ubuntu.com security.ubuntu.com ntp.ubuntu.com snapcraft.io',
    Debian: 'debian.org',
    Fedora: 'fedoraproject.org',
    'Red Hat': 'cdn.redhat.com',
    Mozilla: 'aus5.mozilla.org download.mozilla.org detectportal.firefox.com',
    'NTP Pool': 'pool.ntp.org',
    'certificate authorities': 'ocsp.digicert.com lencr.org pki.goog ocsp.sectigo.com',
  },
  shared_hosting: {
    GitHub: 'github.com githubusercontent.com github.io',
    GitLab: 'gitlab.com gitlab.io',
    Bitbucket: 'bitbucket.org',
    Dropbox: 'dropbox.com dropboxusercontent.com',
    Discord: 'discord.com discordapp.com discordapp.net',
    Microsoft: 'onedrive.live.com sharepoint.com 1drv.ms',
    Telegram: 'telegram.org t.me',
  },
};

const INFRASTRUCTURE_BY_NAME: ReadonlyMap<string, BenignInfrastructure> = new Map(
  Object.entries(KNOWN_INFRASTRUCTURE).flatMap(([kind, operators]) =>
    Object.entries(operators).flatMap(([name, hosts]) =>
      hosts.split(/\s+/).map((host) => [host, { kind: kind as BenignInfrastructure['kind'], name }] as const),
    ),
  ),
);

/** Well-known infrastructure to which an address or domain name belongs, given in canonical form; null: none is known. */
export function findBenignInfrastructure(host: string): BenignInfrastructure | null {
  const names = parseIp(host) === null ? nameAndParents(host) : [host];
  const known = names.find((name) => INFRASTRUCTURE_BY_NAME.has(name));
  return known === undefined ? null : INFRASTRUCTURE_BY_NAME.get(known)!;
}
