/** Pages to look at, by the path of each page: with content, empty, and with an error. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '/': [
    '/',
    '/?since=2021-01-01',
    '/?q=CVE-2021-44228%0AGHSA-jfh8-c2jp-5v3q%0ACVE-2021-442%0A8.8.8.8',
    '/no/such/page',
    '/cev/CVE-2021-44228',
  ],
  '/as/:asn': ['/as/64500'],
  '/check': ['/check?purl=pkg:npm/express@4.16.0', '/check'],
  '/domain/:domain': ['/domain/kept.lab', '/domain/poor.lab', '/domain/nobody.lab'],
  '/indicator/*value': ['/indicator/hxxp://evil[.]example/x'],
  '/ip/:ip': ['/ip/5.57.0.1', '/ip/10.0.0.1'],
  '/kev': ['/kev'],
  '/key': ['/key'],
  '/lists': ['/lists'],
  '/privacy': ['/privacy'],
  '/product/:vendor/:product': ['/product/acme/anvil', '/product/nobody/nothing'],
  '/search': ['/search?q=flaw', '/search?product=nothing', '/search?cvss_min=ten'],
  '/status': ['/status'],
  '/vendor/:vendor': ['/vendor/acme'],
};
