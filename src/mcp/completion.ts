import { type CompleteRequestParams, type CompleteResult, ProtocolError } from '@modelcontextprotocol/server';
import { PROMPTS } from './prompts.ts';
import type { ResourceRegistry } from './resource-registry.ts';
import { RPC_CODES } from './json-rpc.ts';

/** Limit of the protocol for one answer. */
const MAX_VALUES = 100;

/** Completions for an argument of a prompt or resource template. Throws `ProtocolError` for an unknown prompt or template. */
export function completeArgument(
  { ref, argument }: CompleteRequestParams,
  resources: ResourceRegistry,
): CompleteResult {
  const candidates =
    ref.type === 'ref/prompt'
      ? promptArgumentValues(ref.name, argument.name)
      : resourceIds(ref.uri, argument.name, resources);
  const typedText = argument.value.toLowerCase();
  // Weakness ids are listed as numbers; a typed prefix `CWE-` is kept.
  const idPrefix =
    ref.type === 'ref/resource' && ref.uri.startsWith('cwe://') && typedText.startsWith('cwe-') ? 'CWE-' : '';
  const matches = candidates
    .filter((value) => value.toLowerCase().startsWith(typedText.slice(idPrefix.length)))
    .map((value) => `${idPrefix}${value}`);
  const values = matches.slice(0, MAX_VALUES);
  return { completion: { values, total: matches.length, hasMore: matches.length > values.length } };
}

function promptArgumentValues(promptName: string, argument: string): readonly string[] {
  const prompt = PROMPTS.find(({ definition }) => definition.name === promptName);
  if (prompt === undefined) throw new ProtocolError(RPC_CODES.invalidParams, 'There is no such prompt.');
  return prompt.argumentValues?.[argument] ?? [];
}

function resourceIds(template: string, argument: string, resources: ResourceRegistry): readonly string[] {
  const ids = resources.idsOfTemplate(template);
  if (ids === null) throw new ProtocolError(RPC_CODES.invalidParams, 'There is no such resource template.');
  return argument === 'id' ? ids : [];
}
