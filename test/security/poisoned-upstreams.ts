import type { IncomingMessage } from 'node:http';

/** What an attacker writes into every field: a line, many of them, and one of printable characters. */
export interface Poison {
  readonly short: string;
  readonly long: string;
  readonly plain: string;
}

/** What each upstream could say at its worst, of the form that it promises. */
export function poisonedAnswer(
  { url = '' }: IncomingMessage,
  name: string,
  address: string,
  { short, long, plain }: Poison,
): unknown {
  const [, id] = url.split('/');
  const tags = Array.from({ length: 100 }, (_, at) => `${at}${short}${'t'.repeat(500)}`);
  switch (id) {
    case 'crtsh':
      return Array.from({ length: 150 }, (_, at) => ({
        issuer_name: long.slice(0, 6000),
        common_name: short,
        name_value: `${short}\n*.${name}\nw${at}.${name}\n${plain}.${name}`,
        id: at,
        serial_number: short,
        not_before: `2020-01-01T00:00:00 ${short}`,
        not_after: `2030-01-01T00:00:00 ${short}`,
      }));
    case 'wayback':
      return [
        ['timestamp', 'statuscode', short],
        ['20200101000000', short],
        [short, '200'],
        ['20200101000000', '200'],
      ];
    case 'urlhaus': {
      const one = {
        query_status: 'ok',
        url: `http://${name}/${long}`,
        urlhaus_reference: `https://x.lab/${short}`,
        url_status: short,
        date_added: short,
        threat: long,
        tags,
      };
      return {
        ...one,
        host: name,
        firstseen: short,
        url_count: '7',
        urls: Array.from({ length: 20 }, () => ({
          ...one,
          url: `http://${name}/${short}${'u'.repeat(9000)}`,
        })),
      };
    }
    case 'threatfox':
      return {
        query_status: 'ok',
        data: [name, address, 'a'.repeat(40)].flatMap((ioc) =>
          Array.from({ length: 30 }, () => ({
            id: short,
            ioc,
            threat_type: long,
            malware_printable: long,
            confidence_level: 90,
            first_seen: short,
            last_seen: short,
            tags,
          })),
        ),
      };
    case 'malwarebazaar':
      return {
        query_status: 'ok',
        data: [
          {
            sha256_hash: long,
            sha1_hash: 'a'.repeat(40),
            first_seen: short,
            last_seen: long,
            file_name: long,
            file_size: 1,
            file_type: short,
            signature: long,
            tags,
          },
        ],
      };
    case 'internetdb':
      return { ip: address, ports: [80], hostnames: tags, cpes: tags, tags, vulns: [short, 'CVE-2021-44228'] };
    case 'shodan':
      return {
        ip_str: address,
        org: long,
        isp: short,
        os: long,
        country_code: short,
        ports: [1],
        hostnames: tags,
        tags,
        vulns: { [short]: 1 },
        last_update: short,
      };
    case 'abuseipdb':
      return {
        data: {
          ipAddress: address,
          isWhitelisted: false,
          abuseConfidenceScore: 100,
          countryCode: short,
          usageType: long,
          isp: long,
          domain: short,
          isTor: false,
          totalReports: 5,
          numDistinctUsers: 2,
          lastReportedAt: null,
        },
      };
    case 'ripestat': {
      const resource = /resource=AS(\d+)/.exec(url)?.[1] ?? '65001';
      return {
        data: {
          asns: ['65001'],
          prefix: '5.78.0.0/16',
          resource,
          holder: long,
          announced: true,
          prefixes: [{ prefix: short }, { prefix: '5.78.0.0/16' }],
        },
      };
    }
    case 'rdap':
      return {
        services: [
          [['lab'], ['http://rdap.upstream.lab/']],
          [[short], [short]],
        ],
      };
    default:
      return [{ summary: long, description: long, ghsa_id: short, html_url: short }];
  }
}
