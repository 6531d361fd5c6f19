import { z } from 'zod';
import { detectIdentifierKind } from '../../analysis/identifier-kind.ts';
import { parseOntologyName } from '../../feeds/d3fend/ontology-name.ts';
import { identifierSchema } from './identifiers.ts';

/** Canonical `AML.T0051` or `AML.T0051.000`. */
export const AtlasTechniqueId = identifierSchema({
  read: (text) => upperCaseIfMatching(text, /^AML\.T\d{4}(?:\.\d{3})?$/),
  name: 'technique id of ATLAS',
  accepted: 'AML.T and four digits, or those of a sub-technique, in either case',
  description: 'AML.T#### or AML.T####.###.',
  example: 'AML.T0051',
  pattern: /aml[.]t[0-9]{4}(?:[.][0-9]{3})?/,
});

/** Canonical `AML.CS0000`. */
export const AtlasCaseStudyId = identifierSchema({
  read: (text) => upperCaseIfMatching(text, /^AML\.CS\d{4}$/),
  name: 'case study id of ATLAS',
  accepted: 'AML.CS and four digits, in either case',
  example: 'AML.CS0000',
  pattern: /aml[.]cs[0-9]{4}/,
});

/** Canonical `T1566` or `T1566.001`. */
export const AttackTechniqueId = identifierSchema({
  read: (text) => upperCaseIfMatching(text, /^T\d{4}(?:\.\d{3})?$/),
  name: 'technique id of ATT&CK',
  accepted: 'T and four digits, or those of a sub-technique, in either case',
  description: 'T#### or T####.###.',
  example: 'T1566.001',
  pattern: /t[0-9]{4}(?:[.][0-9]{3})?/,
});

/** A name of a defense; whether it exists is decided by the catalog. */
export const DefenseName = identifierSchema({
  read: (text) => {
    const kind = detectIdentifierKind(text);
    const name = parseOntologyName(text) ?? text;
    return (kind === null || kind === 'd3fend') && DEFENSE_PATTERN.test(name) ? text : null;
  },
  name: 'name of a D3FEND defense',
  accepted: 'its name in the ontology, with or without d3f:, its D3- id, or its label, with spaces or hyphens',
  example: 'FileAnalysis',
});
const DEFENSE_PATTERN = /^[a-z][a-z0-9._ -]{1,119}$/i;

const MAX_EXCLUDED_IDS = 50;

/** Ids to exclude: at most 50, comma-separated. */
export function excludedIdsSchema<Id extends typeof AtlasTechniqueId>(id: Id) {
  return z
    .string()
    .max(4096)
    .transform((text) => text.split(',').filter((part) => part.trim() !== ''))
    .pipe(z.array(id).max(MAX_EXCLUDED_IDS))
    .optional()
    .meta({ description: 'Ids to leave out, comma-separated.' });
}

function upperCaseIfMatching(text: string, pattern: RegExp): string | null {
  const upper = text.toUpperCase();
  return pattern.test(upper) ? upper : null;
}
