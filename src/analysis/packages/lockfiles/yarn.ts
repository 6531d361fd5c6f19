import {
  commitFromUrl,
  DocumentError,
  mergeDuplicates,
  type LockedPackage,
  createLockedPackage,
  type ReportGap,
} from './locked-package.ts';
import { summarizeList } from '../../display-text.ts';

interface YarnBlock {
  line: number;
  header: string;
  fields: Map<string, string>;
}

/** `yarn.lock`, of version 1 and of Berry. */
export function readYarnLock(text: string, note: ReportGap): LockedPackage[] {
  const blocks = parseBlocks(text).filter(({ header }) => header !== '__metadata');
  const unread = blocks.filter(({ fields }) => !fields.has('version')).map(({ header }) => header);
  if (unread.length === blocks.length && !/yarn/i.test(text.slice(0, 1000)))
    throw new DocumentError('it is no yarn.lock');
  if (unread.length > 0) note(`no version was found of ${summarizeList(unread, 3)}`);
  return mergeDuplicates(blocks.flatMap(toLockedPackages));
}

/** Blocks begin at the margin; their own fields are indented by two. */
function parseBlocks(text: string): YarnBlock[] {
  const blocks: YarnBlock[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      blocks.push({ line: index + 1, header: unquote(line.replace(/:\s*$/, '')), fields: new Map() });
      continue;
    }
    const [, name, value] = /^ {2}"?(\w+)"?:? (\S.*)$/.exec(line) ?? [];
    if (name !== undefined) blocks.at(-1)?.fields.set(name, unquote(value!));
  }
  return blocks;
}

function toLockedPackages({ line, header, fields }: YarnBlock): LockedPackage[] {
  const version = fields.get('version');
  if (version === undefined) return [];
  const resolution = fields.get('resolution');
  const specifier = resolution ?? header.split(/"?, "?/, 1)[0]!;
  const at = specifier.indexOf('@', 1);
  if (at === -1 || specifier.startsWith('workspace:', at + 1)) return [];
  const aliased =
    resolution === undefined ? /^npm:((?:@[^@/]+\/)?[^@/]+)@/.exec(specifier.slice(at + 1))?.[1] : undefined;
  const from = resolution ?? fields.get('resolved') ?? '';
  // The registry's archives carry their own checksum in that place.
  const commit = from.includes('.tgz#') ? null : commitFromUrl(from);
  return [createLockedPackage({ name: aliased ?? specifier.slice(0, at), version, ecosystem: 'npm', commit, line })];
}

function unquote(text: string): string {
  return text.trim().replace(/^"/, '').replace(/"$/, '');
}
