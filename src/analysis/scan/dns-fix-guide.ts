import { digCommand, type FixGuide } from '../fix-guide.ts';
import type { ScanFindingId } from './scan-findings.ts';

/** What a guide is written from. */
export interface ScannedName {
  domain: string;
  /** The registrable domain: the zone, as far as is known. */
  zone: string;
  /** The organization that issued the certificate of the site; null: not known. */
  issuer: string | null;
}

/** Names of authorities in CAA records (RFC 8659, section 4.2), as each documents it, by what its certificates call it. */
const CAA_NAMES: readonly (readonly [RegExp, string])[] = [
  [/^Let's Encrypt$/i, 'letsencrypt.org'],
  [/^Google Trust Services/i, 'pki.goog'],
  [/^DigiCert/i, 'digicert.com'],
  [/^(?:Sectigo|COMODO|ZeroSSL)/i, 'sectigo.com'],
  [/^Amazon$/i, 'amazon.com'],
  [/^GlobalSign/i, 'globalsign.com'],
  [/^GoDaddy/i, 'godaddy.com'],
  [/^SSL Corp/i, 'ssl.com'],
];

const WHY_CAA =
  'Any of some hundred authorities may issue a certificate for the name, also one that was deceived. CAA names those that may; the others have to refuse.';
const WHY_DNSSEC =
  'Without a valid chain of signatures an answer that was forged on the network path is believed: visitors and mail can be led elsewhere. DANE, which protects mail between servers, works only with it.';
const WHY_SPF = 'Without a usable list of senders, receivers cannot tell forged mail of the domain from real mail.';
const WHY_DMARC = 'Without a DMARC policy, receivers deliver mail that forges the domain as its visible sender.';

const NOTHING = { records: [], file: null, caution: null, needed: null };

const GUIDES: Partial<Record<ScanFindingId, (scanned: ScannedName) => FixGuide>> = {
  dns_caa_missing: ({ domain, issuer }) => {
    const name = CAA_NAMES.find(([pattern]) => issuer !== null && pattern.test(issuer))?.[1] ?? null;
    return {
      ...NOTHING,
      why: WHY_CAA,
      records: name === null ? [] : [{ name: domain, type: 'CAA', value: `0 issue "${name}"`, replaces: false }],
      caution: `${name === null ? '' : 'Written from the certificate that the site has now. '}Add a record for every authority that issues for ${domain} or a name below it (content delivery networks and hosted services have theirs): one that is missing cannot renew.`,
      needed:
        name === null ? 'The name of your authority for CAA, which its documentation gives: 0 issue "<name>".' : null,
      verify: [digCommand('CAA', domain, 'a line with "issue" for each authority')],
    };
  },
  dnssec_unsigned: ({ zone }) => ({
    ...NOTHING,
    why: WHY_DNSSEC,
    caution:
      'Sign first, publish the DS record after the signed zone answers everywhere: a DS record without matching signatures makes the domain unreachable for many.',
    needed: `The operator of the name servers signs ${zone} (one switch, with most) and gives the DS record; the registrar publishes it. Where both are one company it does both.`,
    verify: verifyDnssec(zone),
  }),
  dnssec_no_ds: ({ zone }) => ({
    ...NOTHING,
    why: WHY_DNSSEC,
    caution: 'The DS record has to be of a key that signs the zone now: compare its key tag with the keys first.',
    needed: `The registrar publishes the DS record, which the operator of the name servers gives; it can be computed from the key, too: dig DNSKEY ${zone} | dnssec-dsfromkey -2 -f - ${zone}`,
    verify: verifyDnssec(zone),
  }),
  dnssec_bogus: ({ zone }) => ({
    ...NOTHING,
    why: 'Resolvers that validate answer nothing for the name: web and mail of the domain fail for everybody who uses one.',
    caution:
      'Taking the DS record away at the registrar brings the name back within the TTL of that record; sign anew after that.',
    needed: 'The registrar changes or removes the DS record; the operator of the name servers signs the zone.',
    verify: verifyDnssec(zone),
  }),
  dns_dmarc_missing: ({ zone }) => ({
    ...NOTHING,
    why: WHY_DMARC,
    records: [
      {
        name: `_dmarc.${zone}`,
        type: 'TXT',
        value: `v=DMARC1; p=none; rua=mailto:dmarc-reports@${zone}`,
        replaces: false,
      },
    ],
    caution: 'With p=none nothing happens to mail yet. The mailbox of rua has to exist.',
    verify: [digCommand('TXT', `_dmarc.${zone}`, 'one line that begins with "v=DMARC1; p="')],
  }),
  dns_dmarc_several: verifyDmarc,
  dns_dmarc_none: verifyDmarc,
  dns_spf_missing: verifySpf,
  dns_spf_several: verifySpf,
  dns_spf_anybody: verifySpf,
};

/** How to mend a finding about the DNS of a scanned site; null: its remedy is all that there is. */
export function dnsFixGuide(id: string, scanned: ScannedName): FixGuide | null {
  return Object.hasOwn(GUIDES, id) ? GUIDES[id as ScanFindingId]!(scanned) : null;
}

function verifyDnssec(zone: string): FixGuide['verify'] {
  return [
    digCommand('DS', zone, 'a line for each key'),
    { command: `delv ${zone} SOA`, expect: '"; fully validated" in the first line' },
  ];
}

function verifyDmarc({ zone }: ScannedName): FixGuide {
  return {
    ...NOTHING,
    why: WHY_DMARC,
    caution: 'A stricter policy only once the reports (rua) show that all mail of the domain passes.',
    verify: [digCommand('TXT', `_dmarc.${zone}`, 'one line that begins with "v=DMARC1; p="')],
  };
}

function verifySpf({ zone }: ScannedName): FixGuide {
  return {
    ...NOTHING,
    why: WHY_SPF,
    caution: 'Name every service that sends for the domain before the record ends in "-all".',
    verify: [digCommand('TXT', zone, 'one line that begins with "v=spf1"')],
  };
}
