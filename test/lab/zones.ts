/**
 * What the lab's DNS knows, in the presentation format of RFC 1035: `name type data`, `@` the zone itself, names with a final dot
 * as they stand. Every zone has an SOA and two NS of its own accord, every host of the lab an address (`hosts.ts`) with its PTR,
 * every zone a delegation in the one above it.
 */

/** How a zone is signed (RFC 4033 to 4035). */
export type Signing =
  | 'ok'
  /** With proofs of absence by NSEC3 (RFC 5155). */
  | 'nsec3'
  /** Signatures that ended a month ago. */
  | 'expired'
  /** A byte of every signature but the keys' own is another one. */
  | 'tampered'
  /** The zone above says that it is signed; nothing here is. */
  | 'stripped'
  /** The DS above belongs to another key. */
  | 'wrong-ds'
  /** Signed, but the zone above does not say so: an island. */
  | 'no-ds';

export interface ZoneData {
  name: string;
  shows: string;
  /** Default: not signed, and the zone above proves that (insecure delegation). */
  signing?: Signing;
  /** RFC 8624: 13 (default) ECDSA P-256, 8 RSA with SHA-256, 15 Ed25519. */
  algorithm?: 8 | 13 | 15;
  records: string;
}

/** Public keys in Base64 for DKIM records. Nobody signs mail here: nobody needs the private ones. */
export interface DkimKeys {
  rsa1024: string;
  rsa2048: string;
  ed25519: string;
}

/** `leafKeyDigest`: SHA-256 of the public key of the mail servers' certificates, in hex. */
export function zones(dkim: DkimKeys, leafKeyDigest: string): ZoneData[] {
  return [
    { name: '', shows: 'the root', signing: 'ok', records: '' },
    {
      name: 'lab',
      shows: 'the top-level domain of the lab',
      signing: 'ok',
      records: `
        ns1               A     5.57.250.1
        ns2               A     5.57.250.2
        private           A     10.0.0.7
        loopback          A     127.0.0.1
        loopback6         AAAA  ::1
        mapped            AAAA  ::ffff:127.0.0.1
        nat64             AAAA  64:ff9b::7f00:1
        link-local        A     169.254.169.254
        mixed             A     5.57.250.9
        mixed             A     192.168.1.1
        empty             TXT   "a name without addresses"
        alias-chain       CNAME alias-two
        alias-two         CNAME alias-three
        alias-three       CNAME www.kept
        alias-loop        CNAME alias-loop-two
        alias-loop-two    CNAME alias-loop
        alias-nowhere     CNAME nowhere-at-all
        alias-private     CNAME private
        *.wildcard        A     5.57.250.10
        *.wildcard        TXT   "any name below exists"
        a.deep.empty-node A     5.57.250.11
        xn--bcher-kva     MX    10 mx1.mail
        disposable-mx     MX    10 mx.throwaway
        mx.throwaway      A     5.57.250.12
      `,
    },
    { name: 'com', shows: 'the top-level domain of the names in examples', signing: 'ok', records: '' },
    {
      name: 'example.com',
      shows: 'the name that the examples of all operations ask about',
      signing: 'ok',
      records: `
        @                    MX    0 .
        @                    TXT   "v=spf1 -all"
        _dmarc               TXT   "v=DMARC1; p=reject"
        www                  CNAME @
      `,
    },
    {
      name: 'gmail.com',
      shows: 'a provider of mail boxes that the examples name',
      records: `
        @                    MX    5 mx1.mail.lab.
        @                    TXT   "v=spf1 redirect=_spf.mail.lab"
        _dmarc               TXT   "v=DMARC1; p=none; sp=quarantine"
      `,
    },
    { name: 'io', shows: 'the top-level domain of the public suffix below', signing: 'ok', records: '' },
    {
      name: 'github.io',
      shows: 'a public suffix: every name below it exists, and is a target of its own',
      records: '* A 5.57.250.10',
    },
    {
      name: 'kept.lab',
      shows: 'everything as it should be: signed, mail well protected, CAA, TLSA',
      signing: 'ok',
      records: `
        @                    MX    10 mx1.kept.lab.
        @                    MX    20 mx2.kept.lab.
        mx1                  A     5.57.251.1
        mx1                  AAAA  2a00:5700:251::1
        mx2                  A     5.57.251.2
        @                    CAA   0 issue "lab-ca.lab"
        @                    CAA   0 issuewild ";"
        @                    CAA   0 iodef "mailto:security@kept.lab"
        @                    TXT   "v=spf1 mx include:_spf.mail.lab -all"
        @                    TXT   "google-site-verification=kept-lab-verification-token-0001"
        @                    TXT   "MS=ms12345678"
        @                    TXT   "facebook-domain-verification=keptlabverification0001"
        @                    TXT   "atlassian-domain-verification=keptLabVerification0001"
        @                    TXT   "docusign=05958488-4752-4ef2-95eb-aa7ba8a3bd0e"
        @                    TXT   "apple-domain-verification=keptLabVerification01"
        @                    TXT   "stripe-verification=keptlabverification0001"
        _dmarc               TXT   "v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s; rua=mailto:dmarc@kept.lab; ruf=mailto:dmarc@kept.lab; fo=1"
        default._domainkey   TXT   "v=DKIM1; k=rsa; p=${dkim.rsa2048}"
        google._domainkey    TXT   "v=DKIM1; k=ed25519; p=${dkim.ed25519}"
        _mta-sts             TXT   "v=STSv1; id=20260101000000"
        _smtp._tls           TXT   "v=TLSRPTv1; rua=mailto:tlsrpt@kept.lab"
        default._bimi        TXT   "v=BIMI1; l=https://www.kept.lab/bimi.svg; a="
        _25._tcp.mx1         TLSA  3 1 1 ${leafKeyDigest}
        api                  CNAME www
        blog                 CNAME kept-lab.hosted.example.
        status               A     5.57.251.3
        mail                 CNAME mx1
        long                 TXT   "${'0123456789'.repeat(60)}"
      `,
    },
    {
      name: 'keept.lab',
      shows: 'a look-alike of kept.lab that takes mail',
      records: `
        @                    A     5.57.253.40
        @                    MX    10 mx1.mail.lab.
      `,
    },
    { name: 'kept-login.lab', shows: 'a look-alike of kept.lab without addresses', records: '@ TXT "reserved"' },
    {
      name: 'mail.lab',
      shows: 'a mail provider: what others include and point to',
      records: `
        mx1                  A     5.57.252.1
        mx2                  A     5.57.252.2
        _spf                 TXT   "v=spf1 ip4:5.57.252.0/24 ip6:2a00:5700:252::/48 ~all"
        *._report._dmarc     TXT   "v=DMARC1"
      `,
    },
    {
      name: 'mail-dane.lab',
      shows: 'a mail server whose TLSA records do not match its certificate, one of them for the web alone',
      signing: 'ok',
      records: `
        @                    MX    10 mx1.mail-dane.lab.
        @                    TXT   "v=spf1 mx include:_spf.mail.lab -all"
        mx1                  A     5.57.252.31
        _25._tcp.mx1         TLSA  3 1 1 ${'00'.repeat(32)}
        _25._tcp.mx1         TLSA  1 1 1 ${leafKeyDigest}
        _dmarc               TXT   "v=DMARC1; p=reject; np=reject; rua=mailto:reports@mail-dane.lab"
      `,
    },
    {
      name: 'poor.lab',
      shows: 'everything weak: SPF lets anybody send, DMARC only watches, a short DKIM key, no CAA',
      records: `
        @                    MX    10 mx1.mail.lab.
        @                    TXT   "v=spf1 +all"
        _dmarc               TXT   "v=DMARC1; p=none"
        default._domainkey   TXT   "v=DKIM1; k=rsa; t=y; p=${dkim.rsa1024}"
      `,
    },
    {
      name: 'mail-none.lab',
      shows: 'sends and receives no mail, and says so: null MX (RFC 7505), SPF -all, DMARC reject',
      records: `
        @                    MX    0 .
        @                    TXT   "v=spf1 -all"
        _dmarc               TXT   "v=DMARC1; p=reject"
        *._domainkey         TXT   "v=DKIM1; p="
      `,
    },
    { name: 'mail-nothing.lab', shows: 'no MX, SPF or DMARC at all', records: '@ A 5.57.252.20' },
    {
      name: 'mail-two-spf.lab',
      shows: 'two SPF records: permerror (RFC 7208 4.5)',
      records: `
        @                    MX    10 mx1.mail.lab.
        @                    TXT   "v=spf1 include:_spf.mail.lab -all"
        @                    TXT   "v=spf1 a -all"
      `,
    },
    {
      name: 'mail-many-lookups.lab',
      shows: 'SPF with more than ten terms that ask the DNS: permerror (RFC 7208 4.6.4)',
      records: `
        @                    MX    10 mx1.mail.lab.
        @                    TXT   "v=spf1 ${Array.from({ length: 11 }, (_, i) => `include:s${i}.mail-many-lookups.lab`).join(' ')} -all"
        ${Array.from({ length: 11 }, (_, i) => `s${i} TXT "v=spf1 ip4:5.57.252.${i} -all"`).join('\n')}
      `,
    },
    {
      name: 'mail-void.lab',
      shows: 'SPF whose terms ask for names that do not exist: permerror after two (RFC 7208 4.6.4)',
      records: `
        @                    TXT   "v=spf1 a:v1.mail-void.lab a:v2.mail-void.lab a:v3.mail-void.lab -all"
      `,
    },
    {
      name: 'mail-spf-loop.lab',
      shows: 'SPF that includes itself',
      records: '@ TXT "v=spf1 include:mail-spf-loop.lab -all"',
    },
    {
      name: 'mail-redirect.lab',
      shows: 'SPF by redirect, with a macro',
      records: `
        @                    MX    10 mx1.mail.lab.
        @                    TXT   "v=spf1 exists:%{i}._spf.%{d} redirect=_spf.mail.lab"
      `,
    },
    {
      name: 'mail-quarantine.lab',
      shows: 'DMARC quarantine for a part of the mail, reports to another domain, a subdomain policy',
      records: `
        @                    MX    10 mx1.mail.lab.
        @                    TXT   "v=spf1 include:_spf.mail.lab -all"
        _dmarc               TXT   "v=DMARC1; p=quarantine; sp=none; pct=25; rua=mailto:reports@mail.lab"
        selector1._domainkey CNAME selector1.dkim.mail-quarantine.lab.
        selector1.dkim       TXT   "v=DKIM1; k=rsa; p=${dkim.rsa2048}"
        department           MX    10 mx1.mail.lab.
      `,
    },
    {
      name: 'mail-broken.lab',
      shows:
        'records that nobody can read: SPF with a typing error, DMARC without a policy, DKIM that is not Base64, bad MTA-STS and BIMI',
      records: `
        @                    MX    10 mx1.mail.lab.
        @                    TXT   "v=spf1 ipv4:5.57.252.1 -all"
        _dmarc               TXT   "v=DMARC1; rua=mailto:x@mail-broken.lab"
        default._domainkey   TXT   "v=DKIM1; k=rsa; p=***not-base64***"
        _mta-sts             TXT   "v=STSv1"
        _smtp._tls           TXT   "v=TLSRPTv1; rua=ftp://mail-broken.lab"
        default._bimi        TXT   "v=BIMI1; l=http://mail-broken.lab/logo.png"
      `,
    },
    {
      name: 'mail-tree.lab',
      shows: 'DMARC found by walking up the tree (RFC 9989): psd=n at a name in between',
      records: `
        _dmarc               TXT   "v=DMARC1; p=reject"
        _dmarc.unit          TXT   "v=DMARC1; psd=n; p=quarantine"
        a.b.unit             MX    10 mx1.mail.lab.
        a.b                  MX    10 mx1.mail.lab.
      `,
    },
    { name: 'signed-ok.lab', shows: 'DNSSEC: signed and valid', signing: 'ok', records: `${SIGNED}\n*.w A 5.57.253.2` },
    { name: 'signed-nsec3.lab', shows: 'DNSSEC: valid, absence by NSEC3', signing: 'nsec3', records: SIGNED },
    { name: 'signed-rsa.lab', shows: 'DNSSEC: valid, RSA with SHA-256', signing: 'ok', algorithm: 8, records: SIGNED },
    { name: 'signed-ed25519.lab', shows: 'DNSSEC: valid, Ed25519', signing: 'ok', algorithm: 15, records: SIGNED },
    { name: 'signed-expired.lab', shows: 'DNSSEC: bogus, signatures expired', signing: 'expired', records: SIGNED },
    {
      name: 'signed-bogus.lab',
      shows: 'DNSSEC: bogus, signatures tampered with',
      signing: 'tampered',
      records: SIGNED,
    },
    {
      name: 'signed-stripped.lab',
      shows: 'DNSSEC: bogus, DS above but no signatures',
      signing: 'stripped',
      records: SIGNED,
    },
    { name: 'signed-wrong-ds.lab', shows: 'DNSSEC: bogus, DS of another key', signing: 'wrong-ds', records: SIGNED },
    { name: 'signed-no-ds.lab', shows: 'DNSSEC: insecure, signed but no DS above', signing: 'no-ds', records: SIGNED },
    { name: 'unsigned.lab', shows: 'DNSSEC: insecure delegation, with proof of no DS', records: SIGNED },
    { name: '57.5.in-addr.arpa', shows: 'reverse names of the lab', records: '99.253 PTR claims-to-be.kept.lab.' },
    { name: '0.0.7.5.0.0.a.2.ip6.arpa', shows: 'reverse names of the lab, IPv6', records: '' },
  ];
}

const SIGNED = `
  @    A    5.57.253.1
  @    AAAA 2a00:5700:253::1
  @    MX   10 mx1.mail.lab.
  @    TXT  "v=spf1 -all"
  www  CNAME @
  a    A    5.57.253.3
`;
