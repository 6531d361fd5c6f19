import { parseXml } from '../parse-xml.ts';
import type { XmlElement } from '../../xml.ts';
import { DocumentError, mergeDuplicates, type LockedPackage, createLockedPackage } from './locked-package.ts';

const MAX_PARENTS = 10;
const MAX_SUBSTITUTIONS = 10;
const MAX_VALUE_LENGTH = 256;

/** A pom with what it inherits. */
interface PomProject {
  properties: Map<string, string>;
  managedDependencies: Map<string, XmlElement>;
  dependencies: PomDependency[];
}

interface PomDependency {
  element: XmlElement;
  /** Id of the profile that it is in, where that is not active without being asked for. */
  profile: string | null;
  /** Properties and managed versions where they are not those of the project. */
  profileScope: Pick<PomProject, 'properties' | 'managedDependencies'> | null;
}

type ReadCompanion = (path: string) => string | undefined;

/**
 * `pom.xml`: its dependencies, those of its profiles, and those of the parents that `read` can give (by their path relative to this
 * file), with properties put in and versions of the dependency management.
 */
export function readPom(text: string, read: ReadCompanion): LockedPackage[] {
  const project = resolveProject(parsePomRoot(text), '', read, MAX_PARENTS);
  return mergeDuplicates(
    project.dependencies.flatMap(({ element, profile, profileScope }) => {
      const { properties, managedDependencies } = profileScope ?? project;
      const value = (of: XmlElement | undefined, name: string): string =>
        substituteProperties(of?.childText(name) ?? '', properties);
      const name = `${value(element, 'groupId')}:${value(element, 'artifactId')}`;
      if (name === ':') return [];
      const known = managedDependencies.get(name);
      const version = value(element, 'version') || value(known, 'version');
      const scope = value(element, 'scope') || value(known, 'scope');
      const groups = [
        ...(scope === '' || scope === 'compile' ? [] : [scope]),
        ...(value(element, 'optional') === 'true' ? ['optional'] : []),
        ...(profile === null ? [] : [`profile ${profile}`]),
      ];
      return [createLockedPackage({ name, ...versionOrRange(version), ecosystem: 'Maven', groups })];
    }),
  );
}

function parsePomRoot(text: string): XmlElement {
  const root = parseXml(text).find(({ name }) => name === 'project');
  if (root === undefined) throw new DocumentError('it is no pom.xml: there is no <project>');
  return root;
}

function resolveProject(root: XmlElement, path: string, read: ReadCompanion, parentsLeft: number): PomProject {
  const parent = root.child('parent');
  const inherited =
    parent === undefined || parentsLeft === 0 ? null : resolveParent(parent, path, read, parentsLeft - 1);
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
  for (const part of [root, ...active]) addDeclarations(part, properties, managed);
  return {
    properties,
    managedDependencies: managed,
    dependencies: [
      ...(inherited?.dependencies ?? []),
      ...[root, ...active].flatMap((part) => dependenciesIn(part, null, null)),
      ...profiles
        .filter((profile) => !isActiveByDefault(profile))
        .flatMap((profile) => {
          const scope = { properties: new Map(properties), managedDependencies: new Map(managed) };
          addDeclarations(profile, scope.properties, scope.managedDependencies);
          return dependenciesIn(profile, profile.childText('id'), scope);
        }),
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

/** Adds the properties and the managed versions of a project or a profile. */
function addDeclarations(part: XmlElement, properties: Map<string, string>, managed: Map<string, XmlElement>): void {
  for (const property of part.child('properties')?.elements ?? []) properties.set(property.name, property.ownText);
  for (const dependency of part.child('dependencyManagement')?.child('dependencies')?.elements ?? []) {
    const name = ['groupId', 'artifactId']
      .map((id) => substituteProperties(dependency.childText(id), properties))
      .join(':');
    managed.set(name, dependency);
  }
}

/**
 * The parent POM at the path that `<relativePath>` gives; an empty `<relativePath/>` means that it is to be taken from a repository alone. A file there of
 * another group or artifact is not the parent (Maven: "POM Reference", Inheritance).
 */
function resolveParent(parent: XmlElement, path: string, read: ReadCompanion, parentsLeft: number): PomProject | null {
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
  return isMeant ? resolveProject(root, at, read, parentsLeft) : null;
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
