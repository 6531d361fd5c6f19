import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { detectHashType } from '../../../analysis/indicators/parse-indicator.ts';
import { VERSION } from '../../../version.ts';
import type { iocLookup } from '../ioc-lookup.ts';

type Ioc = z.output<typeof iocLookup.output>;
type StixObject = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>;

/** Of the ids of observables (STIX 2.1, 2.9). */
const OBSERVABLE_NAMESPACE = '00abedb4-aa42-466c-9c01-fed23315a9b7';
/** Of the ids of other objects made here. */
const OWN_NAMESPACE = '6b7f2b1e-7c0e-5d57-9a55-3c8d5d3f8d10';
const HASH_NAMES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256' } as const;
const MAX_REFERENCES = 10;

/**
 * Answers about indicators as a STIX 2.1 bundle (OASIS): each indicator as the observable that it is; where lists name it, with an indicator
 * object (its `confidence` is the threat score) that is based on what the lists observed. `now` is when the bundle is made.
 */
export function stixBundle(answers: readonly Ioc[], now: Date): object {
  const time = now.toISOString();
  const author: StixObject = {
    ...common('identity', 'sextant', time),
    name: `Sextant ${VERSION}`,
    identity_class: 'system',
  };
  const objects = [author, ...answers.flatMap((answer) => objectsOf(answer, author.id, time))];
  const unique = new Map(objects.map((object) => [object.id, object]));
  return {
    type: 'bundle',
    id: `bundle--${uuidV5(OWN_NAMESPACE, `${time} ${[...unique.keys()].join(' ')}`)}`,
    objects: [...unique.values()],
  };
}

function objectsOf(answer: Ioc, author: string, time: string): StixObject[] {
  const { indicator: value, threat_level, threat_score, threat_reasons, warning_lists, sources } = answer;
  const observable = observableOf(value, answer.type);
  const listings = Object.values(sources).flatMap(({ listings: found }) => found ?? []);
  const sightings = Object.values(sources).filter(({ status }) => status === 'listed');
  if (sightings.length === 0) return [observable];
  const seen = listings
    .flatMap(({ first_seen, last_seen }) => [first_seen, last_seen])
    .flatMap(toTime)
    .toSorted();
  const observed: StixObject = {
    ...common('observed-data', `${value} ${time}`, time),
    created_by_ref: author,
    first_observed: seen[0] ?? time,
    last_observed: seen.at(-1) ?? time,
    number_observed: sightings.reduce((sum, { count }) => sum + Math.max(1, count ?? 1), 0),
    object_refs: [observable.id],
  };
  const references = [...new Set(listings.flatMap(({ reference }) => reference ?? []))].slice(0, MAX_REFERENCES);
  const isOnlyTor = sightings.length === 1 && sources.tor.status === 'listed';
  const indicator: StixObject = {
    ...common('indicator', `${value} ${time}`, time),
    created_by_ref: author,
    name: value,
    description: threat_reasons.join('\n'),
    indicator_types: [isOnlyTor ? 'anonymization' : 'malicious-activity'],
    pattern: patternOf(value, answer.type),
    pattern_type: 'stix',
    valid_from: seen.at(-1) ?? time,
    labels: [`threat-level:${threat_level}`, ...(warning_lists ?? []).map(({ name }) => `warning-list:${name}`)],
    ...(threat_score !== null && { confidence: threat_score }),
    ...(references.length > 0 && {
      external_references: references.map((url) => ({ source_name: URL.parse(url)?.host ?? 'reference', url })),
    }),
  };
  const relation: StixObject = {
    ...common('relationship', `${indicator.id} ${observed.id}`, time),
    created_by_ref: author,
    relationship_type: 'based-on',
    source_ref: indicator.id,
    target_ref: observed.id,
  };
  return [observable, observed, indicator, relation];
}

/** The properties that every object has which is no observable. The id is of `name`: the same answer makes the same bundle. */
function common(type: string, name: string, time: string) {
  const id = `${type}--${uuidV5(OWN_NAMESPACE, `${type} ${name}`)}`;
  return { type, spec_version: '2.1', id, created: time, modified: time };
}

/** An observable; its id follows from what it is (STIX 2.1, 2.9), so that others who name the same one use the same id. */
function observableOf(value: string, type: Ioc['type']): StixObject {
  const [name, properties] = observableProperties(value, type);
  return {
    type: name,
    spec_version: '2.1',
    id: `${name}--${uuidV5(OBSERVABLE_NAMESPACE, JSON.stringify(properties))}`,
    ...properties,
  };
}

/** The type of observable, and the properties that its id is made from: one each, so that their JSON is canonical (RFC 8785). */
function observableProperties(value: string, type: Ioc['type']): [string, object] {
  if (type === 'hash') return ['file', { hashes: { [HASH_NAMES[detectHashType(value)!]]: value } }];
  const name =
    type === 'url' ? 'url' : type === 'domain' ? 'domain-name' : value.includes(':') ? 'ipv6-addr' : 'ipv4-addr';
  return [name, { value }];
}

function patternOf(value: string, type: Ioc['type']): string {
  const [name] = observableProperties(value, type);
  const path = type === 'hash' ? `hashes.'${HASH_NAMES[detectHashType(value)!]}'` : 'value';
  return `[${name}:${path} = '${value.replace(/['\\]/g, '\\$&')}']`;
}

/** A time of a source with a time zone and milliseconds; nothing where it is none. */
function toTime(text: string | null): string[] {
  const time = new Date(text ?? '');
  return Number.isNaN(time.getTime()) ? [] : [time.toISOString()];
}

/** A name-based UUID with SHA-1 (RFC 9562, version 5). */
function uuidV5(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
