import { xmlDocument, type XmlElement } from '../xml.ts';
import { DocumentFault, distinct, type LockedPackage, locked } from './locked-package.ts';

const MAX_PARENTS = 10;
const MAX_STEPS = 10;
const MAX_VALUE = 256;

/** A pom with what it inherits. */
interface Project {
  properties: Map<string, string>;
  managed: Map<string, XmlElement>;
  dependencies: Dependency[];
}

interface Dependency {
  element: XmlElement;
  /** Id of the profile that it is in, where that is not active without being asked for. */
  profile: string | null;
  /** Properties and managed versions where they are not those of the project. */
  inside: Pick<Project, 'properties' | 'managed'> | null;
}

type Read = (path: string) => string | undefined;

/**
 * `pom.xml`: its dependencies, those of its profiles, and those of the parents that `read` can give (by their path relative to this
 * file), with properties put in and versions of the dependency management.
 */
export function readPom(text: string, read: Read): LockedPackage[] {
  const project = projectOf(rootOf(text), '', read, MAX_PARENTS);
  return distinct(
    project.dependencies.flatMap(({ element, profile, inside }) => {
      const { properties, managed } = inside ?? project;
      const value = (of: XmlElement | undefined, name: string): string => resolved(of?.text(name) ?? '', properties);
      const name = `${value(element, 'groupId')}:${value(element, 'artifactId')}`;
      if (name === ':') return [];
      const known = managed.get(name);
      const version = value(element, 'version') || value(known, 'version');
      const scope = value(element, 'scope') || value(known, 'scope');
      const groups = [
        ...(scope === '' || scope === 'compile' ? [] : [scope]),
        ...(value(element, 'optional') === 'true' ? ['optional'] : []),
        ...(profile === null ? [] : [`profile ${profile}`]),
      ];
      return [locked({ name, ...versionOrRange(version), ecosystem: 'Maven', groups })];
    }),
  );
}

function rootOf(text: string): XmlElement {
  const root = xmlDocument(text).find(({ name }) => name === 'project');
  if (root === undefined) throw new DocumentFault('it is no pom.xml: there is no <project>');
  return root;
}

function projectOf(root: XmlElement, path: string, read: Read, parentsLeft: number): Project {
  const parent = root.child('parent');
  const inherited = parent === undefined || parentsLeft === 0 ? null : parentOf(parent, path, read, parentsLeft - 1);
  const properties = new Map(inherited?.properties);
  for (const name of ['groupId', 'version'] as const) {
    const own = root.text(name) || parent?.text(name) || '';
    for (const prefix of ['project.', 'pom.', '']) properties.set(`${prefix}${name}`, own);
    properties.set(`project.parent.${name}`, parent?.text(name) ?? '');
  }
  properties.set('project.artifactId', root.text('artifactId'));
  const managed = new Map(inherited?.managed);
  const profiles = root.child('profiles')?.children ?? [];
  const active = profiles.filter(isActive);
  for (const part of [root, ...active]) takeIn(part, properties, managed);
  return {
    properties,
    managed,
    dependencies: [
      ...(inherited?.dependencies ?? []),
      ...[root, ...active].flatMap((part) => dependenciesIn(part, null, null)),
      ...profiles
        .filter((profile) => !isActive(profile))
        .flatMap((profile) => {
          const inside = { properties: new Map(properties), managed: new Map(managed) };
          takeIn(profile, inside.properties, inside.managed);
          return dependenciesIn(profile, profile.text('id'), inside);
        }),
    ],
  };
}

function isActive(profile: XmlElement): boolean {
  return profile.child('activation')?.text('activeByDefault') === 'true';
}

function dependenciesIn(part: XmlElement, profile: string | null, inside: Dependency['inside']): Dependency[] {
  return (part.child('dependencies')?.children ?? []).map((element) => ({ element, profile, inside }));
}

/** Adds the properties and the managed versions of a project or a profile. */
function takeIn(part: XmlElement, properties: Map<string, string>, managed: Map<string, XmlElement>): void {
  for (const property of part.child('properties')?.children ?? []) properties.set(property.name, property.content);
  for (const dependency of part.child('dependencyManagement')?.child('dependencies')?.children ?? []) {
    const name = ['groupId', 'artifactId'].map((id) => resolved(dependency.text(id), properties)).join(':');
    managed.set(name, dependency);
  }
}

/**
 * The parent where it says it lies; an empty `<relativePath/>` means that it is to be taken from a repository alone. A file there of
 * another group or artifact is not the parent (Maven: "POM Reference", Inheritance).
 */
function parentOf(parent: XmlElement, path: string, read: Read, parentsLeft: number): Project | null {
  const relative = parent.child('relativePath');
  if (relative?.content === '') return null;
  const given = relative?.content ?? '../pom.xml';
  const parts = [...path.split('/').slice(0, -1), ...given.split('/')].filter((part) => part !== '' && part !== '.');
  const at = (parts.at(-1)?.endsWith('.xml') ? parts : [...parts, 'pom.xml']).join('/');
  const text = read(at);
  if (text === undefined) return null;
  const root = rootOf(text);
  const group = root.text('groupId') || (root.child('parent')?.text('groupId') ?? '');
  const isMeant = group === parent.text('groupId') && root.text('artifactId') === parent.text('artifactId');
  return isMeant ? projectOf(root, at, read, parentsLeft) : null;
}

/** With `${...}` put in; what no property gives stays as it is, and a value that grows too long is given up. */
function resolved(text: string, properties: ReadonlyMap<string, string>): string {
  let value = text.trim();
  for (let step = 0; step < MAX_STEPS && value.includes('${'); step++) {
    const next = value.replace(/\$\{([^}]{1,200})\}/g, (whole, name: string) => properties.get(name.trim()) ?? whole);
    if (next === value || next.length > MAX_VALUE) break;
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
