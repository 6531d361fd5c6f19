import { parseXml } from '../parse-xml.ts';
import type { XmlElement } from '../../xml.ts';
import {
  DocumentError,
  mergeDuplicates,
  type LockedPackage,
  createLockedPackage,
  type ReportGap,
} from './locked-package.ts';

const MAX_PARENTS = 10;
const MAX_SUBSTITUTIONS = 10;
const MAX_VALUE_LENGTH = 256;

/** A pom with what it inherits. */
interface PomProject {
  properties: Map<string, string>;
  managedDependencies: Map<string, XmlElement>;
  dependencies: PomDependency[];
  /** Coordinates of dependency managements that it imports. */
  imports: string[];
}

interface PomDependency {
  element: XmlElement;
  /** Id of the profile that it is in, where that is not active without being asked for. */
  profile: string | null;
  /** Properties and managed versions where they are not those of the project. */
  profileScope: Pick<PomProject, 'properties' | 'managedDependencies'> | null;
}

interface PomReader {
  /** The text of a file by its path relative to the first one. */
  read: (path: string) => string | undefined;
  note: ReportGap;
}

/**
 * `pom.xml`: its dependencies, those of its profiles, and those of the parents that `read` can give (by their path relative to this
 * file), with properties put in and versions of the dependency management. All of them are direct; what they need is in no pom. What
 * is in a repository alone, a parent or an imported dependency management, is noted.
 */
export function readPom(text: string, read: PomReader['read'], note: ReportGap): LockedPackage[] {
  const project = resolveProject(parsePomRoot(text), '', { read, note }, MAX_PARENTS);
  for (const bom of new Set(project.imports))
    note(`the dependency management of ${bom}, which it imports, was not read`);
  return mergeDuplicates(
    project.dependencies.flatMap(({ element, profile, profileScope }) => {
      const { properties, managedDependencies } = profileScope ?? project;
      const value = (of: XmlElement | undefined, name: string): string =>
        substituteProperties(of?.childText(name) ?? '', properties);
      const name = `${value(element, 'groupId')}:${value(element, 'artifactId')}`;
      if (name === ':') return [];
      const known = managedDependencies.get(managementKey(element, properties));
      const version = value(element, 'version') || value(known, 'version');
      const scope = value(element, 'scope') || value(known, 'scope');
      const groups = [
        ...(scope === '' || scope === 'compile' ? [] : [scope]),
        ...(value(element, 'optional') === 'true' ? ['optional'] : []),
        ...(profile === null ? [] : [`profile ${profile}`]),
      ];
      return [
        createLockedPackage({
          name,
          ...versionOrRange(version),
          ...unresolvedProblem(version),
          ecosystem: 'Maven',
          groups,
          broughtBy: [],
        }),
      ];
    }),
  );
}

function parsePomRoot(text: string): XmlElement {
  const root = parseXml(text).find(({ name }) => name === 'project');
  if (root === undefined) throw new DocumentError('it is no pom.xml: there is no <project>');
  return root;
}

function resolveProject(root: XmlElement, path: string, reader: PomReader, parentsLeft: number): PomProject {
  const parent = root.child('parent');
  const inherited = parent === undefined ? null : resolveParent(parent, path, reader, parentsLeft);
  const properties = new Map(inherited?.properties);
  for (const name of ['groupId', 'version'] as const) {
    const own = root.childText(name) || parent?.childText(name) || '';
    for (const prefix of ['project.', 'pom.', '']) properties.set(`${prefix}${name}`, own);
    properties.set(`project.parent.${name}`, parent?.childText(name) ?? '');
  }
  properties.set('project.artifactId', root.childText('artifactId'));
  const managed = new Map(inherited?.managedDependencies);
  const profiles = root.child('profiles')?.elements ?? [];
  const active = profiles.filter(isActiveByDefault);
  const imports = [root, ...active].flatMap((part) => addDeclarations(part, properties, managed));
  const ofProfiles = profiles
    .filter((profile) => !isActiveByDefault(profile))
    .flatMap((profile) => {
      const scope = { properties: new Map(properties), managedDependencies: new Map(managed) };
      imports.push(...addDeclarations(profile, scope.properties, scope.managedDependencies));
      return dependenciesIn(profile, profile.childText('id'), scope);
    });
  return {
    properties,
    managedDependencies: managed,
    imports: [...(inherited?.imports ?? []), ...imports],
    dependencies: [
      ...(inherited?.dependencies ?? []),
      ...[root, ...active].flatMap((part) => dependenciesIn(part, null, null)),
      ...ofProfiles,
    ],
  };
}

function isActiveByDefault(profile: XmlElement): boolean {
  return profile.child('activation')?.childText('activeByDefault') === 'true';
}

function dependenciesIn(
  part: XmlElement,
  profile: string | null,
  profileScope: PomDependency['profileScope'],
): PomDependency[] {
  return (part.child('dependencies')?.elements ?? []).map((element) => ({ element, profile, profileScope }));
}

/** Adds the properties and the managed versions of a project or a profile. Returns the coordinates of what it imports. */
function addDeclarations(
  part: XmlElement,
  properties: Map<string, string>,
  managed: Map<string, XmlElement>,
): string[] {
  for (const property of part.child('properties')?.elements ?? []) properties.set(property.name, property.ownText);
  const dependencies = part.child('dependencyManagement')?.child('dependencies')?.elements ?? [];
  return dependencies.flatMap((dependency) => {
    if (dependency.childText('scope') === 'import') return [coordinatesOf(dependency, properties)];
    managed.set(managementKey(dependency, properties), dependency);
    return [];
  });
}

function coordinatesOf(element: XmlElement, properties: ReadonlyMap<string, string>): string {
  return ['groupId', 'artifactId', 'version']
    .map((id) => substituteProperties(element.childText(id), properties))
    .join(':')
    .slice(0, MAX_VALUE_LENGTH);
}

/** What a dependency and its managed version have in common (Maven, "Dependency Management"). */
function managementKey(element: XmlElement, properties: ReadonlyMap<string, string>): string {
  const value = (id: string): string => substituteProperties(element.childText(id), properties);
  return [value('groupId'), value('artifactId'), value('type') || 'jar', value('classifier')].join(':');
}

/**
 * The parent POM at the path that `<relativePath>` gives; an empty `<relativePath/>` means that it is to be taken from a repository alone. A file there of
 * another group or artifact is not the parent (Maven: "POM Reference", Inheritance).
 */
function resolveParent(parent: XmlElement, path: string, reader: PomReader, parentsLeft: number): PomProject | null {
  const found = parentsLeft === 0 ? null : findParent(parent, path, reader);
  if (found !== null) return resolveProject(found.root, found.path, reader, parentsLeft - 1);
  reader.note(`its parent ${coordinatesOf(parent, new Map())} was not read: what that declares is not known`);
  return null;
}

function findParent(parent: XmlElement, path: string, { read }: PomReader): { root: XmlElement; path: string } | null {
  const relative = parent.child('relativePath');
  if (relative?.ownText === '') return null;
  const given = relative?.ownText ?? '../pom.xml';
  const parts = [...path.split('/').slice(0, -1), ...given.split('/')].filter((part) => part !== '' && part !== '.');
  const at = (parts.at(-1)?.endsWith('.xml') ? parts : [...parts, 'pom.xml']).join('/');
  const text = read(at);
  if (text === undefined) return null;
  const root = parsePomRoot(text);
  const group = root.childText('groupId') || (root.child('parent')?.childText('groupId') ?? '');
  const isMeant =
    group === parent.childText('groupId') && root.childText('artifactId') === parent.childText('artifactId');
  return isMeant ? { root, path: at } : null;
}

/** With `${...}` put in; what no property gives stays as it is, and a value that grows too long is given up. */
function substituteProperties(text: string, properties: ReadonlyMap<string, string>): string {
  let value = text.trim();
  for (let step = 0; step < MAX_SUBSTITUTIONS && value.includes('${'); step++) {
    const next = value.replace(/\$\{([^}]{1,200})\}/g, (whole, name: string) => properties.get(name.trim()) ?? whole);
    if (next === value || next.length > MAX_VALUE_LENGTH) break;
    value = next;
  }
  return value;
}

/** `[1.0,2.0)` is a range, `[1.0]` is one version. */
function versionOrRange(text: string): Pick<LockedPackage, 'version' | 'range'> {
  const [, exact] = /^\[\s*([^,\])\s]+)\s*\]$/.exec(text) ?? [];
  if (exact !== undefined) return { version: exact };
  const [, first] = /^[[(]\s*([^,\])\s]*)/.exec(text) ?? [];
  return first === undefined ? { version: text } : { version: first, range: text };
}

/** A version that no property of the files read gives, or that is managed elsewhere. */
function unresolvedProblem(version: string): { problem?: string } {
  const [, property] = /\$\{([^}]{1,100})\}/.exec(version) ?? [];
  if (property !== undefined) return { problem: `its version is the property ${property}, which no file read defines` };
  return version === '' ? { problem: 'its version is managed in a file that was not read' } : {};
}
