import { detectIdentifierKind, IDENTIFIER_KIND_PHRASES } from '../analysis/identifier-kind.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { Operation } from '../engine/operation.ts';
import { quoteInput } from '../engine/input/identifiers.ts';
import { CliError } from '../exit-codes.ts';

/** `FileAnalysis`: how the ontology of D3FEND writes its names. Nothing else that is looked up here has this form. */
const D3FEND_NAME = /^(?:[A-Z][a-z0-9]+|[A-Z]{2,5}(?=[A-Z]|$)){2,}$/;

/** The operation that takes a thing of this kind, and the input that names the thing. Throws `CliError` (usage) where there is none. */
export function operationForIdentifier(
  text: string,
  operations: readonly Operation[] = OPERATIONS,
): { operation: Operation; field: string } {
  const kind = detectIdentifierKind(text) ?? (D3FEND_NAME.test(text.trim()) ? 'd3fend' : null);
  const operation = operations.find(({ subject }) => kind !== null && subject?.kind === kind);
  if (operation?.subject !== undefined) return { operation, field: operation.subject.field };
  const kinds = new Set(
    operations.flatMap(({ subject }) => (subject === undefined ? [] : [IDENTIFIER_KIND_PHRASES[subject.kind]])),
  );
  const accepted = `Accepted: ${[...kinds].join(', ')}.`;
  if (kind !== null)
    throw new CliError(
      'usage',
      `${quoteInput(text)} looks like ${IDENTIFIER_KIND_PHRASES[kind]}, which no question here takes.\n${accepted}`,
    );
  throw new CliError(
    'usage',
    `${quoteInput(text)} is no identifier of a known kind. ${accepted}\nTo search for a product: sextant cve-search --product NAME`,
  );
}
