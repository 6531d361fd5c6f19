/**
 * Lists that say what something is, not that a report about it is a mistake: many share it, or it changes hands. The lists name their
 * category only since 2025, and not all do.
 */
export const KNOWN_LISTS: ReadonlySet<string> = new Set([
  // Clouds and hosts: the next customer has the address.
  'amazon-aws',
  'google-gcp',
  'microsoft-azure',
  'microsoft-azure-china',
  'microsoft-azure-us-gov',
  'microsoft-azure-germany',
  'oracle-oci',
  'ovh-cluster',
  'digitalocean',
  'linode',
  'github',
  // Names that anybody can have, or that lead elsewhere.
  'dynamic-dns',
  'lots-project',
  'link-in-bio',
  'url-shortener',
  'public-ipfs-gateways',
  'disposable-email',
  'parking-domain',
  'parking-domain-ns',
  // Ways out for many.
  'vpn-ipv4',
  'vpn-ipv6',
  'tor-exit-nodes',
  'icloud-private-relay',
  'zscaler',
  // Resolvers that somebody left open.
  'public-dns-v4',
  'public-dns-v6',
  'public-dns-hostname',
  // Who scans the internet, and says so; sinkholes answer for what was malicious.
  'censys-scanning',
  'internet-census-nt-scanning',
  'modat-scanner',
  'onyphe-scanner',
  'openai-gptbot',
  'rapid7-nt-scanning',
  'shadowserver',
  'shodan-scanning',
  'stretchoid-nt-scanning',
  'sinkholes',
]);
