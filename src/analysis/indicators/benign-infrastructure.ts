import { parseIp } from '../ip-address.ts';
import { nameAndParents } from '../domain-name.ts';

/** Well-known benign infrastructure: it appears in most captures, therefore also in lists of indicators. */
export interface BenignInfrastructure {
  kind: 'public_resolver' | 'cdn' | 'os_updates' | 'shared_hosting';
  name: string;
}

interface InfrastructureEntry extends BenignInfrastructure {
  /** Domains with all that lies below them, and addresses. */
  names: readonly string[];
}

const KNOWN_INFRASTRUCTURE: readonly InfrastructureEntry[] = [
  {
    kind: 'public_resolver',
    name: 'Cloudflare DNS',
    names: ['1.1.1.1', '1.0.0.1', '2606:4700:4700::1111', '2606:4700:4700::1001', 'one.one.one.one'],
  },
  {
    kind: 'public_resolver',
    name: 'Google Public DNS',
    names: ['8.8.8.8', '8.8.4.4', '2001:4860:4860::8888', '2001:4860:4860::8844', 'dns.google'],
  },
  {
    kind: 'public_resolver',
    name: 'Quad9',
    names: ['9.9.9.9', '149.112.112.112', '2620:fe::fe', '2620:fe::9', 'dns.quad9.net'],
  },
  {
    kind: 'public_resolver',
    name: 'OpenDNS',
    names: ['208.67.222.222', '208.67.220.220', '2620:119:35::35', '2620:119:53::53', 'opendns.com'],
  },
  {
    kind: 'public_resolver',
    name: 'AdGuard DNS',
    names: ['94.140.14.14', '94.140.15.15', 'dns.adguard-dns.com'],
  },
  { kind: 'public_resolver', name: 'DNS4EU', names: ['86.54.11.1', '86.54.11.201', 'joindns4.eu'] },
  {
    kind: 'cdn',
    name: 'Cloudflare',
    names: ['cloudflare.com', 'cloudflare.net', 'cdnjs.com', 'cloudflareinsights.com'],
  },
  {
    kind: 'cdn',
    name: 'Akamai',
    names: ['akamai.net', 'akamaiedge.net', 'akamaized.net', 'akamaihd.net', 'edgekey.net', 'edgesuite.net'],
  },
  { kind: 'cdn', name: 'Fastly', names: ['fastly.net', 'fastlylb.net', 'fastly.com'] },
  { kind: 'cdn', name: 'Amazon CloudFront', names: ['cloudfront.net'] },
  { kind: 'cdn', name: 'Azure CDN', names: ['azureedge.net', 'azurefd.net', 'msecnd.net', 'aspnetcdn.com'] },
  {
    kind: 'cdn',
    name: 'Google',
    names: ['google.com', 'googleapis.com', 'gstatic.com', 'googleusercontent.com', 'gvt1.com', 'googletagmanager.com'],
  },
  { kind: 'cdn', name: 'jsDelivr', names: ['jsdelivr.net'] },
  { kind: 'cdn', name: 'unpkg', names: ['unpkg.com'] },
  { kind: 'cdn', name: 'jQuery CDN', names: ['code.jquery.com'] },
  {
    kind: 'os_updates',
    name: 'Microsoft',
    names: [
      'windowsupdate.com',
      'update.microsoft.com',
      'delivery.mp.microsoft.com',
      'download.microsoft.com',
      'msftconnecttest.com',
      'msftncsi.com',
      'time.windows.com',
      'ctldl.windowsupdate.com',
    ],
  },
  {
    kind: 'os_updates',
    name: 'Apple',
    names: [
      'swcdn.apple.com',
      'swscan.apple.com',
      'mesu.apple.com',
      'gdmf.apple.com',
      'captive.apple.com',
      'time.apple.com',
    ],
  },
  {
    kind: 'os_updates',
    name: 'Ubuntu',
    names: ['archive.ubuntu.com', 'security.ubuntu.com', 'ntp.ubuntu.com', 'snapcraft.io'],
  },
  { kind: 'os_updates', name: 'Debian', names: ['deb.debian.org', 'security.debian.org', 'ftp.debian.org'] },
  { kind: 'os_updates', name: 'Fedora', names: ['fedoraproject.org'] },
  { kind: 'os_updates', name: 'Red Hat', names: ['cdn.redhat.com'] },
  {
    kind: 'os_updates',
    name: 'Mozilla',
    names: ['aus5.mozilla.org', 'download.mozilla.org', 'detectportal.firefox.com'],
  },
  { kind: 'os_updates', name: 'NTP Pool', names: ['pool.ntp.org'] },
  {
    kind: 'os_updates',
    name: 'certificate authorities',
    names: ['ocsp.digicert.com', 'lencr.org', 'pki.goog', 'ocsp.sectigo.com'],
  },
  {
    kind: 'shared_hosting',
    name: 'GitHub',
    names: ['github.com', 'githubusercontent.com', 'github.io'],
  },
  { kind: 'shared_hosting', name: 'GitLab', names: ['gitlab.com', 'gitlab.io'] },
  { kind: 'shared_hosting', name: 'Bitbucket', names: ['bitbucket.org'] },
  { kind: 'shared_hosting', name: 'Dropbox', names: ['dropbox.com', 'dropboxusercontent.com'] },
  { kind: 'shared_hosting', name: 'Discord', names: ['discord.com', 'discordapp.com', 'discordapp.net'] },
  { kind: 'shared_hosting', name: 'Microsoft', names: ['onedrive.live.com', 'sharepoint.com', '1drv.ms'] },
  { kind: 'shared_hosting', name: 'Telegram', names: ['telegram.org', 't.me'] },
];

const INFRASTRUCTURE_BY_NAME: ReadonlyMap<string, BenignInfrastructure> = new Map(
  KNOWN_INFRASTRUCTURE.flatMap(({ names, kind, name }) => names.map((each) => [each, { kind, name }] as const)),
);

/** Well-known infrastructure that a canonical address or domain name is or lies below; null if it is not known. */
export function findBenignInfrastructure(host: string): BenignInfrastructure | null {
  if (parseIp(host) !== null) return INFRASTRUCTURE_BY_NAME.get(host) ?? null;
  const known = nameAndParents(host).find((name) => INFRASTRUCTURE_BY_NAME.has(name));
  return known === undefined ? null : INFRASTRUCTURE_BY_NAME.get(known)!;
}
