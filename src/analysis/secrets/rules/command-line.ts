import { judgeSettingsPassword } from '../read-pattern.ts';
import type { LocatedSecret, ScannedText, SecretReader, SecretRule } from '../secret-rule.ts';

/** Words between a command and its option. */
const WORDS = String.raw`(?:[ \t]+(?!-p)[^\s|;&]{1,120}){0,8}?`;
/** A word of a shell, or a list of arguments in a program: the group is its text. */
const WORD = String.raw`["']?([^\s"'\x60|;&<>()]{3,200})`;
const QUOTED_WORD = String.raw`(?:'([^'\n]{3,200})'|"([^"\n]{3,200})"|([^\s"'\x60|;&<>()]{3,200}))`;

/** From the command's name on; the first group that matched is the password. */
const COMMANDS: readonly (readonly [keyword: string, rest: string])[] = [
  ...['mysql', 'mysqldump', 'mysqladmin', 'mysqlimport', 'mariadb', 'mariadb-dump', 'mycli'].map(
    (command) => [command, String.raw`(?:\.exe)?(?:[ \t]+(?!-p)[^\s|;&]{1,120}){0,8}?[ \t]+-p${QUOTED_WORD}`] as const,
  ),
  ...['docker', 'podman', 'buildah', 'skopeo', 'helm', 'crane', 'oras', 'oc'].map(
    (command) =>
      [
        `${command} `,
        String.raw`(?:registry[ \t]+|auth[ \t]+)?login${WORDS}[ \t]+(?:-p|--password)[ =]${QUOTED_WORD}`,
      ] as const,
  ),
  ['az login', String.raw`${WORDS}[ \t]+-p[ \t]+${QUOTED_WORD}`],
  ['sshpass', String.raw`[ \t]+-p[ \t]?${QUOTED_WORD}`],
  ['redis-cli', String.raw`${WORDS}[ \t]+(?:-a|--pass)[ \t]+${QUOTED_WORD}`],
  ['mongo', String.raw`(?:sh|dump|restore|export|import)?${WORDS}[ \t]+-p[ \t]+${QUOTED_WORD}`],
  ['sqlcmd', String.raw`${WORDS}[ \t]+-P[ \t]?${QUOTED_WORD}`],
  ['bcp', String.raw`${WORDS}[ \t]+-P[ \t]?${QUOTED_WORD}`],
  ['ldap', String.raw`(?:search|add|modify|passwd|delete|whoami)${WORDS}[ \t]+-w[ \t]+${QUOTED_WORD}`],
  ['unzip', String.raw`${WORDS}[ \t]+-P[ \t]+${QUOTED_WORD}`],
  ['zip', String.raw`${WORDS}[ \t]+-P[ \t]+${QUOTED_WORD}`],
  ['7z', String.raw`[az]?${WORDS}[ \t]+-p${QUOTED_WORD}`],
  ['smbclient', String.raw`${WORDS}[ \t]+-U[ \t]+[^\s%]{1,60}%${WORD}`],
  ['lftp', String.raw`${WORDS}[ \t]+-u[ \t]+[^\s,]{1,60},${WORD}`],
  ['net user', String.raw`[ \t]+[^\s/]{1,60}[ \t]+${QUOTED_WORD}[ \t]+/add`],
  ['net use', String.raw`[ \t]+(?:\S{1,200}[ \t]+){1,3}?/user:\S{1,80}[ \t]+${QUOTED_WORD}`],
  ['net use', String.raw`[ \t]+(?:\w:[ \t]+)?\\\\[^\s]{1,200}[ \t]+${QUOTED_WORD}[ \t]+/user:`],
  ...['sqlplus', 'sqlldr', 'expdp', 'impdp', 'rman'].map(
    (command) =>
      [
        command,
        String.raw`(?:[ \t]+-\w{1,10}){0,3}[ \t]+(?:userid=|target[ \t]+)?[\w$]{1,60}/([^\s@"'/]{3,100})`,
      ] as const,
  ),
  ['configure set', String.raw`[ \t]+\S{0,60}(?:secret|token|password|key)\S{0,20}[ \t]+${QUOTED_WORD}`],
  ['config set', String.raw`[ \t]+\S{0,120}(?:secret|token|password|_auth)\S{0,20}[ \t=]+${QUOTED_WORD}`],
  ['http ', String.raw`${WORDS}(?:^|[ \t]+)?(?:-a|--auth)[ =]["']?[^\s:"']{1,60}:([^\s"'\x60|;&<>]{3,200})`],
  ['d-i passwd/', String.raw`(?:root|user)-password(?:-again)?[ \t]+password[ \t]+${QUOTED_WORD}`],
  ['rootpw', String.raw`[ \t]+(?:--plaintext[ \t]+)?(?!--)${QUOTED_WORD}`],
  ['bindpw', String.raw`[ \t]+${QUOTED_WORD}`],
  ['cmdkey', String.raw`[ \t]+[^\n]{0,200}/pass:${QUOTED_WORD}`],
  [
    'htpasswd',
    String.raw`[ \t]+-[a-zA-Z]*b[a-zA-Z]*(?:[ \t]+-\w+(?:[ \t]\d+)?)*(?:[ \t]+[^\s-]\S{0,120}){1,2}?[ \t]+${QUOTED_WORD}(?=[ \t]*(?:\n|$|[|;&>]))`,
  ],
  ['rabbitmqctl', String.raw`[ \t]+(?:add_user|change_password)[ \t]+\S{1,60}[ \t]+${QUOTED_WORD}`],
  ['vault login', String.raw`[ \t]+(?:token=)?${QUOTED_WORD}`],
  ['security', String.raw`[ \t]+(?:unlock|create|set)-key[\w-]*${WORDS}[ \t]+-p[ \t]+${QUOTED_WORD}`],
  ['pass:', String.raw`([^\s"'\x60|;&<>$%]{4,100})`],
  ['keytool', String.raw`${WORDS}[ \t]+-(?:storepass|keypass)[ \t]+${QUOTED_WORD}`],
  [
    'echo',
    String.raw`[ \t]+(?:-\w[ \t]+)?["']?[\w.-]{1,40}:([^\s"'|$]{4,100})["']?[ \t]*\|[ \t]*(?:sudo[ \t]+)?chpasswd`,
  ],
  [
    'echo',
    String.raw`[ \t]+(?:-\w[ \t]+)?["']?([^\s"'|$]{4,100})["']?[ \t]*\|[ \t]*(?:sudo[ \t]+-S|passwd[ \t]+--stdin|kinit|(?:docker|podman|helm|skopeo|crane|oras|buildah)[ \t][^\n]{0,80}--password-stdin)`,
  ],
  ['securestring', String.raw`[ \t]+(?:-AsPlainText[ \t]+|-Force[ \t]+|-String[ \t]+){0,3}["']([^"'\n]{4,128})["']`],
];

const PATTERNS = new Map<string, RegExp[]>();
for (const [keyword, rest] of COMMANDS) {
  const pattern = new RegExp(rest, 'y');
  PATTERNS.set(keyword, [...(PATTERNS.get(keyword) ?? []), pattern]);
}

/** `openssl … -passout pass:…` only: the word is elsewhere too. */
const PASS_OPTION = /-(?:pass|passin|passout|password)["']?[ \t,=]{1,4}["']?$/;

function readCommandOf(keyword: string): SecretReader['read'] {
  return ({ code, kind }: ScannedText, at: number): readonly LocatedSecret[] => {
    const before = code.charCodeAt(at - 1) | 0x20;
    if (keyword === 'pass:' && !PASS_OPTION.test(code.slice(Math.max(0, at - 20), at))) return [];
    if (keyword !== 'securestring' && before >= 0x61 && before <= 0x7a) return [];
    for (const pattern of PATTERNS.get(keyword)!) {
      pattern.lastIndex = at + keyword.length;
      const found = pattern.exec(code);
      if (found === null) continue;
      const value = found.slice(1).find((group) => group !== undefined)!;
      const start = at + keyword.length + found[0].lastIndexOf(value);
      const judgement = judgeSettingsPassword(value, kind === 'translation' ? kind : 'settings');
      if (judgement !== null) return [{ id: 'command_line_password', start, end: start + value.length, ...judgement }];
    }
    return [];
  };
}

const READERS: readonly SecretReader[] = [...PATTERNS.keys()].map((keyword) => ({
  keywords: [keyword],
  read: readCommandOf(keyword),
}));

/** Passwords in the options of commands that are known to take them. */
export const COMMAND_LINE_RULES: readonly SecretRule[] = [
  {
    id: 'command_line_password',
    issuer: null,
    secretName: 'Password on a command line',
    severity: 'HIGH',
    readers: READERS,
    example: 'mysql -u app -p{n:9}-{d:3} shop',
  },
];
