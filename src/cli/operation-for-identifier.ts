import { detectIdentifierKind, IDENTIFIER_KIND_PHRASES } from '../analysis/identifier-kind.ts';
import { OPERATIONS } from '../operations/list.ts';
import type { Operation } from '../engine/operation.ts';
import { quoteInput } from '../engine/input/identifiers.ts';
import { CliError } from '../exit-codes.ts';

/** A name of the D3FEND ontology: `FileAnalysis`. No other identifier has this form. */
const D3FEND_NAME = /^(?:[A-Z][a-z0-9]+|[A-Z]{2,5}(?=[A-Z]|$)){2,}$/;

/** The operation that looks up an identifier of this kind, and its input field. Throws `CliError` (usage) if no operation takes it. */
export function operationForIdentifier(text: string): { operation: Operation; field: string } {
  const kind = detectIdentifierKind(text) ?? (D3FEND_NAME.test(text.trim()) ? 'd3fend' : null);
  const operation = OPERATIONS.find(({ subject }) => kind !== null && subject?.kind === kind);
  if (operation?.subject !== undefined) return { operation, field: operation.subject.field };
  const kinds = new Set(
    OPERATIONS.flatMap(({ subject }) => (subject === undefined ? [] : [IDENTIFIER_KIND_PHRASES[subject.kind]])),
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
