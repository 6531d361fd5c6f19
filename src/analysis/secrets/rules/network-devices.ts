import { judgeSettingsPassword } from '../read-pattern.ts';
import type { LocatedSecret, ScannedText, SecretReader, SecretRule } from '../secret-rule.ts';

const VALUE = String.raw`["']?([^\s"']{4,128})`;
/** Lines of routers, switches, wireless and VPN: from the keyword on; the group is the secret. `7` marks Cisco's reversible form, `5`, `8`, `9` hashes. */
const LINES: readonly (readonly [keyword: string, rest: string])[] = [
  ['snmp-server community ', VALUE],
  [
    'snmp-server host ',
    String.raw`\S{1,80}(?: traps| informs)?(?: version \S{1,3})?[ ](?!version)${VALUE}[ \t]*(?=\r?\n|$)`,
  ],
  ['rocommunity ', VALUE],
  ['rwcommunity ', VALUE],
  ['enable password ', String.raw`(?:level \d+ )?(?:[07] )?${VALUE}[ \t]*(?=\r?\n|$)`],
  ['enable secret ', String.raw`(?:level \d+ )?(?:0 )?${VALUE}[ \t]*(?=\r?\n|$)`],
  [
    'username ',
    String.raw`[^\s-]\S{0,63}(?: privilege \d{1,2})? (?:password|secret) (?:[07] )?${VALUE}[ \t]*(?=\r?\n|$)`,
  ],
  ['neighbor ', String.raw`\S{1,64} password (?:[07] )?${VALUE}`],
  ['key-string ', String.raw`(?:[07] )?${VALUE}`],
  ['message-digest-key ', String.raw`\d{1,3} md5 (?:[07] )?${VALUE}`],
  ['authentication-key ', String.raw`(?:\d{1,5} )?(?:md5 )?(?:[07] )?${VALUE}`],
  ['isakmp key ', String.raw`(?:[06] )?${VALUE} address`],
  ['pre-shared-key ', String.raw`(?:local |remote |ascii-text |hexadecimal |address \S{1,40} key )?(?:[06] )?${VALUE}`],
  ['tacacs-server key ', String.raw`(?:[07] )?${VALUE}`],
  ['radius-server key ', String.raw`(?:[07] )?${VALUE}`],
  ['set psksecret ', String.raw`(?!ENC )${VALUE}`],
  ['set passwd ', String.raw`(?!ENC )${VALUE}`],
  ['insecure-password ', VALUE],
  // Access lists of Redis.
  [' on >', VALUE],
  ['wpa_passphrase=', VALUE],
  [' psk ', String.raw`"([^"\n]{8,63})"`],
  [': psk "', String.raw`([^"\n]{4,128})"`],
  ['psk=', String.raw`"?([^"\s]{8,64})`],
  ['presharedkey', String.raw`[ \t]{0,4}=[ \t]{0,4}([A-Za-z0-9+/]{43}=)`],
];

function readLineOf(keyword: string, rest: string): SecretReader {
  const pattern = new RegExp(rest, 'iy');
  return {
    keywords: [keyword],
    read({ code, kind }: ScannedText, at: number): readonly LocatedSecret[] {
      if (kind === 'code' || kind === 'documentation' || kind === 'translation') return [];
      const before = code.charCodeAt(at - 1);
      // Within a longer word.
      if (/\w/.test(keyword[0]!) && (before | 0x20) >= 0x61 && (before | 0x20) <= 0x7a) return [];
      pattern.lastIndex = at + keyword.length;
      const found = pattern.exec(code);
      const value = found?.[1];
      if (found === null || value === undefined || /^(?:public|private|sha|md5|encrypted)$/i.test(value)) return [];
      const start = at + keyword.length + found[0].lastIndexOf(value);
      const judgement = judgeSettingsPassword(value);
      return judgement === null
        ? []
        : [{ id: 'network_device_secret', start, end: start + value.length, ...judgement }];
    },
  };
}

/** Secrets in the settings of network devices. */
export const NETWORK_DEVICE_RULES: readonly SecretRule[] = [
  {
    id: 'network_device_secret',
    issuer: null,
    secretName: 'Secret of a network device',
    severity: 'HIGH',
    readers: LINES.map(([keyword, rest]) => readLineOf(keyword, rest)),
    example: 'username admin privilege 15 password 0 {n:9}-{d:3}\n',
  },
];
