import {
  DocumentError,
  type JsonObject,
  type LockedPackage,
  objectList,
  parseJsonObject,
} from '../lockfiles/locked-package.ts';
import { parseYamlObject } from '../lockfiles/pnpm.ts';
import { parseXml } from '../parse-xml.ts';
import { cycloneDxGraph, cycloneDxXmlGraph } from './cyclonedx.ts';
import { toLockedPackages } from './sbom-component.ts';
import { spdx2Graph, spdx3Graph, spdxRdfGraph, spdxTagValueGraph } from './spdx.ts';

/** Packages of a CycloneDX (JSON, XML), an SPDX 3 (JSON-LD) or an SPDX 2 (JSON, YAML, RDF, tag-value) document. Throws `DocumentError`. */
export function readSbomText(text: string): LockedPackage[] {
  const begin = text.slice(0, 2000).trimStart();
  if (begin.startsWith('{')) return readSbomObject(parseJsonObject(text));
  if (begin.startsWith('<')) return packagesFromXml(text);
  if (/^SPDXVersion:/m.test(text)) return toLockedPackages(spdxTagValueGraph(text));
  if (/^["']?spdxVersion["']?:/m.test(text)) return readSbomObject(parseYamlObject(text));
  throw new DocumentError(UNKNOWN_FORMAT_MESSAGE);
}

/** The same of a document that is parsed already. */
export function readSbomObject(root: JsonObject): LockedPackage[] {
  if (root['bomFormat'] === 'CycloneDX' || Array.isArray(root['components']))
    return toLockedPackages(cycloneDxGraph(root));
  if (root['spdxVersion'] !== undefined || root['SPDXID'] !== undefined) return toLockedPackages(spdx2Graph(root));
  if (Array.isArray(root['@graph'])) return toLockedPackages(spdx3Graph(objectList(root['@graph'])));
  throw new DocumentError(UNKNOWN_FORMAT_MESSAGE);
}

const UNKNOWN_FORMAT_MESSAGE = 'it is neither a CycloneDX nor an SPDX document';

function packagesFromXml(text: string): LockedPackage[] {
  const [root] = parseXml(text).filter(({ name }) => name === 'bom' || name === 'RDF');
  if (root === undefined) throw new DocumentError(UNKNOWN_FORMAT_MESSAGE);
  return toLockedPackages(root.name === 'bom' ? cycloneDxXmlGraph(root) : spdxRdfGraph(root));
}
