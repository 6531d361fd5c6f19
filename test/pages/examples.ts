/** Pages to look at, by the path of each page: with content, empty, and with an error. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '/': [
    '/',
    '/?since=2021-01-01',
    '/?q=CVE-2021-44228%0AGHSA-jfh8-c2jp-5v3q%0ACVE-2021-442%0A8.8.8.8',
    '/no/such/page',
    '/cev/CVE-2021-44228',
  ],
  '/key': ['/key'],
  '/privacy': ['/privacy'],
  '/status': ['/status'],
};
