/** A program that is harmed by an argument of its own which begins with `-`. */
export interface OptionProgram {
  readonly name: string;
  /** What such an option does, from the manual of the program. */
  readonly effect: string;
  /** Options whose value is the next argument: what stands there is no option. */
  readonly valued: RegExp;
  /** The argument that ends the options; null: the program knows none. */
  readonly end: string | null;
}

type Row = readonly [programs: string, effect: string, valued: RegExp, end?: string | null];

/** Single letters that take a value, alone or at the end of several: `-czf`. */
function letters(names: string): RegExp {
  return new RegExp(`^-[A-Za-z0-9]*[${names}]$`);
}

/** All options of one dash take a value, except these. */
function allBut(flags: string): RegExp {
  return new RegExp(`^[-+](?!(?:${flags})$)[a-zA-Z][\\w:-]*$`);
}

/**
 * Programs whose options run a program, or write a file that the option names. Not here are programs without such options, and those
 * that pass what stands behind a script, an image or another program on to that.
 */
const ROWS: readonly Row[] = [
  // Version control.
  [
    'git',
    '`--upload-pack`, `--open-files-in-pager` and `--exec` run a program, `--output` writes a file',
    /^-(?:[A-Za-z]*[CcmFeSGnbBo]|-(?:git-dir|work-tree|message|author|date|branch|origin|depth|format|file|grep|since|until|after|before|max-count|reference|namespace))$/,
    '--end-of-options',
  ],
  ['hg', '`--config` sets an alias or a hook that runs a program', letters('RmMrbucdlnj')],
  ['svn svnadmin', '`--config-option` sets a program that is run', letters('mFrc')],
  ['bzr cvs p4 fossil', '`-d`, `-e` and `--ssh` run a program', letters('mFrd')],
  // Other hosts.
  ['ssh slogin autossh', '`-oProxyCommand=` runs a program', letters('BbcDEeFIiJLlmOoPpQRSWw')],
  ['scp sftp', '`-oProxyCommand=` and `-S` run a program', letters('cDFiJloPSX')],
  ['ssh-keygen ssh-add', '`-D` loads a library', letters('fNPCtbDOIsnVzw')],
  [
    'rsync',
    '`-e` and `--rsh` run a program',
    /^(?:-[a-zA-Z]*[efMTB]|--(?:exclude|include|filter|rsh|port|bwlimit|timeout))$/,
  ],
  [
    'curl',
    '`-o` writes a file, `-K` reads options from one',
    /^(?:-[a-zA-Z]*[AbcCdDeEFHhKmoPQrtTuUwxXyYz]|--(?:data(?:-[a-z]+)?|header|user(?:-agent)?|output(?:-dir)?|request|url|cookie(?:-jar)?|form|proxy|max-time|connect-timeout|resolve|cert|key|cacert|referer|retry|limit-rate|upload-file|write-out))$/,
  ],
  [
    'wget wget2',
    '`-O` writes a file, `--use-askpass` runs a program',
    /^(?:-[a-zA-Z]*[aADeiIlOoPQRtTUwX]|--(?:output-document|directory-prefix|header|user-agent|post-data|timeout|tries|user|password|input-file))$/,
  ],
  [
    'aria2c axel youtube-dl yt-dlp',
    '`--exec` and `--on-download-complete` run a program, `-o` writes a file',
    letters('doifUPSsxjN'),
  ],
  ['nc ncat netcat', '`-e` and `-c` run a program', letters('wpsiIqmX')],
  ['socat', 'an address runs a program', /(?!)/, null],
  [
    'nmap',
    '`--script` runs a script, `-oN` writes a file',
    /^(?:-(?:p|iL|oN|oX|oG|e|S|D|T)|--(?:script|script-args|top-ports))$/,
  ],
  ['tcpdump tshark dumpcap', '`-z` runs a program, `-w` writes a file', letters('wicrsGCzZFTYfe')],
  [
    'openssl',
    '`-out` writes a file, `-engine` loads a library',
    allBut('noout|text|nodes|batch|new|x509|verify|quiet|dates|subject|issuer'),
    null,
  ],
  // Archives.
  [
    'tar bsdtar gtar star',
    '`--checkpoint-action` and `--to-command` run a program',
    /^(?:-?[a-zA-Z]*[fCTXIgbNVK]|--(?:file|directory|exclude|files-from|transform|strip-components|one-top-level))$/,
  ],
  ['zip', '`-TT` runs a program', letters('bniPtx')],
  ['unzip 7z 7za 7zz unrar rar pax ar', '`-o` and `-d` choose where files are written', letters('dPDFIO')],
  ['cpio', '`--rsh-command` runs a program', letters('FIOHDE')],
  // Files and texts.
  [
    'find gfind',
    '`-exec` runs a program, `-delete` and `-fprint` change files',
    /^-(?:i?name|i?path|i?wholename|i?regex|type|size|mtime|ctime|atime|mmin|cmin|amin|newer\w*|user|group|perm|maxdepth|mindepth|printf|samefile|inum|links|fstype|uid|gid|regextype|lname|ilname)$/,
    null,
  ],
  ['fd fdfind', '`--exec` runs a program', letters('etdESj')],
  ['rg', '`--pre` runs a program', letters('efgtTABCmMrjd')],
  ['sort', '`--compress-program` runs a program, `-o` writes a file', letters('ktSoT')],
  ['split csplit', '`--filter` runs a program', letters('blnaC')],
  ['sed gsed', '`-i` changes a file, the command `e` runs a program', letters('efl')],
  ['awk gawk mawk', '`-f` and `-e` run a program', letters('vFfeil')],
  ['less more man most vim vi view ex emacs nano ed', '`-P`, `-c` and `--eval` run a program', letters('cPpXTCM')],
  ['diff3 patch', '`--output` and `--merge-program` write a file or run a program', letters('iodpzrB')],
  // Documents and media.
  [
    'pandoc',
    '`--filter` runs a program, `-o` writes a file',
    /^(?:-[a-zA-Z]*[ftrwoMVHBAcdFL]|--(?:from|to|read|write|output|metadata|variable|template|css|filter|lua-filter|resource-path|pdf-engine|title-prefix))$/,
  ],
  [
    'ffmpeg ffprobe ffplay avconv',
    'an output file is written, `-filter_complex` opens files',
    allBut(
      'y|n|an|vn|sn|dn|nostdin|hide_banner|stats|nostats|shortest|show_format|show_streams|show_packets|show_frames|version|re|copyts',
    ),
    null,
  ],
  [
    'convert magick mogrify composite montage gm',
    '`-write` writes a file',
    allBut(
      'strip|flip|flop|auto-orient|append|negate|normalize|trim|monochrome|version|transpose|transverse|verbose|quiet|clone|coalesce|identify|equalize|enhance|despeckle|repage',
    ),
    null,
  ],
  ['gs ghostscript', '`-sOutputFile` writes a file, `-c` runs code', letters('cfo'), null],
  [
    'wkhtmltopdf wkhtmltoimage',
    '`--run-script` runs code, `--post-file` sends a file',
    /^(?:-[A-Z]|--(?!no-|enable-|disable-|quiet|grayscale|lowquality|background|images|collate)[a-z-]+)$/,
    null,
  ],
  [
    'chrome chromium chromium-browser google-chrome firefox',
    '`--gpu-launcher` and `--renderer-cmd-prefix` run a program',
    /^-P$/,
  ],
  [
    'soffice libreoffice unoconv',
    '`--convert-to` and `--outdir` write a file, `macro:` runs code',
    /^--?(?:convert-to|outdir|infilter|printer-name)$/,
    null,
  ],
  ['exiftool', '`-config` and `-if` run code, `-o` writes a file', /^-(?:o|d|p|ext|x|api|fileOrder)$/],
  ['pdflatex xelatex lualatex latex tex', '`--shell-escape` lets a document run programs', letters('o')],
  ['dot neato circo', '`-o` writes a file', letters('o')],
  ['qpdf pdftk', 'an output file is written', /^--(?:password|pages|encrypt)$/],
  // Databases.
  ['psql', '`-c` runs a command of the shell, `-o` writes a file', letters('cdfFhLoPpRTUv')],
  ['mysql mariadb sqlite3 mongo mongosh redis-cli', '`-e`, `-cmd` and `--eval` run commands', letters('DehPpuSan')],
  [
    'mysqldump pg_dump pg_dumpall pg_restore mongodump',
    '`--file` and `--result-file` write a file',
    letters('bdfFhnNpPtTUu'),
  ],
  // Mail.
  [
    'sendmail exim postfix msmtp mutt mail mailx',
    '`-X`, `-O` and `-C` write a file or run a program',
    letters('rfFsabcXCO'),
  ],
  // Programs that build or run others.
  ['npm npx yarn pnpm bun', '`--script-shell` and `--prefix` run a program', /^--?(?:prefix|C|w|workspace|registry)$/],
  [
    'pip pip3 gem bundle composer cargo go',
    '`--index-url`, `--config` and `-toolexec` run code of others',
    letters('rCct'),
  ],
  ['make gmake cmake ninja mvn gradle ant', '`--eval`, `-f` and `-D` run programs', letters('fCjlI')],
  [
    'gcc g++ cc clang ld rustc javac',
    '`-wrapper` and `-processorpath` run a program, `-o` writes a file',
    letters('oDIlLxd'),
  ],
  ['rpm dpkg apt apt-get yum dnf', '`--eval` and `-o` run a program', letters('oct')],
  [
    'gpg gpg2',
    '`--output` writes a file, `--photo-viewer` runs a program',
    /^(?:-[a-z]*[oru]|--(?:output|recipient|local-user|passphrase|homedir|batch))$/,
  ],
];

const PROGRAMS: ReadonlyMap<string, OptionProgram> = new Map(
  ROWS.flatMap(([programs, effect, valued, end = '--']) =>
    programs.split(' ').map((name) => [name, { name, effect, valued, end }] as const),
  ),
);

/** What an option does to the program that this text names, with or without its folder; undefined: nothing that runs or writes. */
export function optionProgram(text: string): OptionProgram | undefined {
  return PROGRAMS.get(text.replace(/^.*[\\/]/, '').replace(/\.exe$/i, ''));
}
