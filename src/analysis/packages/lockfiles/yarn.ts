import type { DependencyScope } from '../dependency-scope.ts';
import { createOriginLookup, type DependencyEdge, type DependencyGraph } from './dependency-graph.ts';
import {
  commitFromUrl,
  DocumentError,
  mergeDuplicates,
  type LockedPackage,
  createLockedPackage,
  type ReportGap,
} from './locked-package.ts';
import { dependenciesOf, parseManifest } from './package-json.ts';
import { summarizeList } from '../../display-text.ts';

interface YarnBlock {
  line: number;
  header: string;
  /** `name@range`: what it was asked for as. */
  descriptors: string[];
  fields: Map<string, string>;
  /** By name, the range that is asked for. */
  dependencies: Map<string, string>;
  optionalDependencies: Map<string, string>;
  /** Names that `dependenciesMeta` marks as optional (Berry). */
  optionalNames: Set<string>;
}

const RANGE_LISTS = ['dependencies', 'optionalDependencies'] as const;

/**
 * `yarn.lock`, of version 1 and of Berry. `read` gives the package.json of the project and of members of its workspace, which alone
 * say what is for development.
 */
export function readYarnLock(
  text: string,
  read: (path: string) => string | undefined,
  note: ReportGap,
): LockedPackage[] {
  const blocks = parseBlocks(text).filter(({ header }) => header !== '__metadata');
  const unread = blocks.filter(({ fields }) => !fields.has('version')).map(({ header }) => header);
  if (unread.length === blocks.length && !/yarn/i.test(text.slice(0, 1000)))
    throw new DocumentError('it is no yarn.lock');
  if (unread.length > 0) note(`no version was found of ${summarizeList(unread, 3)}`);
  const originOf = createOriginLookup(createGraph(blocks, read));
  return mergeDuplicates(
    blocks.flatMap((block, index) => {
      const one = toLockedPackage(block);
      return one === null ? [] : [{ ...one, ...originOf(String(index)) }];
    }),
  );
}

/** Blocks begin at the margin; their own fields are indented by two, and entries of their lists by four. */
function parseBlocks(text: string): YarnBlock[] {
  const blocks: YarnBlock[] = [];
  let list = '';
  let listed = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    if (!line.startsWith(' ')) {
      blocks.push(createBlock(line, index + 1));
      list = '';
      continue;
    }
    const block = blocks.at(-1);
    if (block === undefined) continue;
    const [, heading] = /^ {2}"?(\w+)"?:\s*$/.exec(line) ?? [];
    if (heading !== undefined) list = heading;
    const [, field, value] = /^ {2}"?(\w+)"?:? (\S.*)$/.exec(line) ?? [];
    if (field !== undefined) block.fields.set(field, unquote(value!));
    const [, name = '', range = ''] = /^ {4}("[^"]+"|[^\s":]+):?(?: (\S.*))?$/.exec(line) ?? [];
    if (name !== '') listed = unquote(name);
    if (range !== '' && (list === 'dependencies' || list === 'optionalDependencies'))
      block[list].set(listed, unquote(range));
    if (list === 'dependenciesMeta' && /^ {6}optional: true$/.test(line)) block.optionalNames.add(listed);
  }
  return blocks;
}

function createBlock(line: string, number: number): YarnBlock {
  const header = unquote(line.replace(/:\s*$/, ''));
  return {
    line: number,
    header,
    descriptors: header.split(/"?, "?/),
    fields: new Map(),
    dependencies: new Map(),
    optionalDependencies: new Map(),
    optionalNames: new Set(),
  };
}

/** Keys are numbers of blocks. */
function createGraph(blocks: readonly YarnBlock[], read: (path: string) => string | undefined): DependencyGraph {
  const byDescriptor = new Map(
    blocks.flatMap(({ descriptors }, index) => descriptors.map((descriptor) => [descriptor, index] as const)),
  );
  // Berry writes `npm:` before ranges of the registry; in its lists since version 4 alone.
  const find = (name: string, range: string): number | undefined =>
    byDescriptor.get(`${name}@${range}`) ?? byDescriptor.get(`${name}@npm:${range}`);
  const edgesOf = (block: YarnBlock, asDev: ReadonlySet<string>): DependencyEdge[] =>
    RANGE_LISTS.flatMap((list) =>
      [...block[list]].flatMap(([name, range]) => {
        const to = find(name, range);
        if (to === undefined || memberPath(blocks[to]!) !== null) return [];
        const isOptional = list === 'optionalDependencies' || block.optionalNames.has(name);
        const scope: DependencyScope | undefined = asDev.has(name) ? 'dev' : isOptional ? 'optional' : undefined;
        return [{ to: String(to), scope }];
      }),
    );
  const members = blocks.filter((block) => memberPath(block) !== null);
  const direct =
    members.length > 0
      ? members.flatMap((block) => edgesOf(block, devNames(read(`${memberPath(block)}package.json`))))
      : directOfVersion1(blocks, find, read('package.json'));
  return {
    direct,
    next: (key) => edgesOf(blocks[Number(key)]!, new Set()),
    nameOf: (key) => toLockedPackage(blocks[Number(key)]!)?.name ?? blocks[Number(key)]!.header,
  };
}

/** The folder of a member of the workspace (Berry), with `/` at its end; null for other blocks. */
function memberPath({ fields }: YarnBlock): string | null {
  const path = /@workspace:(.+)$/.exec(fields.get('resolution') ?? '')?.[1];
  return path === undefined ? null : path === '.' ? '' : `${path}/`;
}

/** Yarn does not install peers of the project itself. */
function installedDependencies(manifest: string | undefined): ReturnType<typeof dependenciesOf> {
  return dependenciesOf(parseManifest(manifest) ?? {}).filter(({ scope }) => scope !== 'peer');
}

/** Names that a package.json needs for development alone: in the lockfile they are among the others. */
function devNames(manifest: string | undefined): Set<string> {
  const all = installedDependencies(manifest);
  const others = new Set(all.filter(({ scope }) => scope !== 'dev').map(({ name }) => name));
  return new Set(all.flatMap(({ name, scope }) => (scope === 'dev' && !others.has(name) ? [name] : [])));
}

/** Version 1 does not name the project: what is asked for as no package asks for it, the project does, or a member of its workspace. */
function directOfVersion1(
  blocks: readonly YarnBlock[],
  find: (name: string, range: string) => number | undefined,
  manifest: string | undefined,
): DependencyEdge[] {
  const asked = new Set(
    blocks.flatMap((block) =>
      RANGE_LISTS.flatMap((list) => [...block[list]].map(([name, range]) => `${name}@${range}`)),
    ),
  );
  const named = installedDependencies(manifest).flatMap(({ name, specifier, scope }) => {
    const to = find(name, specifier);
    return to === undefined ? [] : [{ to: String(to), scope, descriptor: `${name}@${specifier}` }];
  });
  for (const { descriptor } of named) asked.add(descriptor);
  const others = blocks.flatMap(({ descriptors }, index) =>
    descriptors.every((descriptor) => asked.has(descriptor)) ? [] : [{ to: String(index) }],
  );
  return [...named, ...others];
}

function toLockedPackage({ line, descriptors, fields }: YarnBlock): LockedPackage | null {
  const version = fields.get('version');
  if (version === undefined) return null;
  const resolution = fields.get('resolution');
  const specifier = resolution ?? descriptors[0]!;
  const at = specifier.indexOf('@', 1);
  if (at === -1 || specifier.startsWith('workspace:', at + 1)) return null;
  const aliased =
    resolution === undefined ? /^npm:((?:@[^@/]+\/)?[^@/]+)@/.exec(specifier.slice(at + 1))?.[1] : undefined;
  const from = resolution ?? fields.get('resolved') ?? '';
  // The registry's archives carry their own checksum in that place.
  const commit = from.includes('.tgz#') ? null : commitFromUrl(from);
  return createLockedPackage({ name: aliased ?? specifier.slice(0, at), version, ecosystem: 'npm', commit, line });
}

function unquote(text: string): string {
  return text.trim().replace(/^"/, '').replace(/"$/, '');
}
