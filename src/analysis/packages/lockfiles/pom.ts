import { parseXml, type XmlElement } from '../xml.ts';
import { DocumentFault, distinct, type LockedPackage, locked } from './locked-package.ts';

const MAX_PARENTS = 10;
const MAX_STEPS = 10;
const MAX_VALUE = 256;

/** A pom with what it inherits. */
interface Project {
  properties: Map<string, string>;
  managed: Map<string, XmlElement>;
  dependencies: XmlElement[];
}

/**
 * `pom.xml`: its dependencies, and those of the parents that `read` can give (by their path relative to this file), with
 * properties put in and versions of the dependency management. Of a range of versions the first is taken.
 */
export function readPom(text: string, read: (path: string) => string | undefined): LockedPackage[] {
  const project = projectOf(text, '', read, MAX_PARENTS);
  const value = (element: XmlElement | undefined, name: string): string =>
    resolved(element?.text(name) ?? '', project.properties);
  return distinct(
    project.dependencies.flatMap((dependency) => {
      const name = `${value(dependency, 'groupId')}:${value(dependency, 'artifactId')}`;
      if (name === ':') return [];
      const managed = project.managed.get(name);
      const version = value(dependency, 'version') || value(managed, 'version');
      const scope = value(dependency, 'scope') || value(managed, 'scope');
      const groups = [
        ...(scope === 'test' ? ['test'] : []),
        ...(value(dependency, 'optional') === 'true' ? ['optional'] : []),
      ];
      return [locked({ name, version: firstOfRange(version), ecosystem: 'Maven', groups })];
    }),
  );
}

function projectOf(
  text: string,
  path: string,
  read: (path: string) => string | undefined,
  parentsLeft: number,
): Project {
  const root = parseXml(text).find(({ name }) => name === 'project');
  if (root === undefined) throw new DocumentFault('it is no pom.xml: there is no <project>');
  const parent = root.child('parent');
  const inherited = parent === undefined || parentsLeft === 0 ? null : parentOf(parent, path, read, parentsLeft - 1);
  const properties = new Map(inherited?.properties);
  for (const name of ['groupId', 'version'] as const) {
    const own = root.text(name) || parent?.text(name) || '';
    for (const prefix of ['project.', 'pom.', '']) properties.set(`${prefix}${name}`, own);
    properties.set(`project.parent.${name}`, parent?.text(name) ?? '');
  }
  properties.set('project.artifactId', root.text('artifactId'));
  for (const property of root.child('properties')?.children ?? []) properties.set(property.name, property.content);
  const managed = new Map(inherited?.managed);
  for (const dependency of root.child('dependencyManagement')?.child('dependencies')?.children ?? []) {
    const name = ['groupId', 'artifactId'].map((part) => resolved(dependency.text(part), properties)).join(':');
    managed.set(name, dependency);
  }
  const dependencies = [...(inherited?.dependencies ?? []), ...(root.child('dependencies')?.children ?? [])];
  return { properties, managed, dependencies };
}

function parentOf(
  parent: XmlElement,
  path: string,
  read: (path: string) => string | undefined,
  parentsLeft: number,
): Project | null {
  const given = parent.text('relativePath') || '../pom.xml';
  const parts = [...path.split('/').slice(0, -1), ...given.split('/')].filter((part) => part !== '' && part !== '.');
  const at = (parts.at(-1)?.endsWith('.xml') ? parts : [...parts, 'pom.xml']).join('/');
  const text = read(at);
  return text === undefined ? null : projectOf(text, at, read, parentsLeft);
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

function firstOfRange(version: string): string {
  return /^[[(]\s*([^,\])\s]*)/.exec(version)?.[1] ?? version;
}
