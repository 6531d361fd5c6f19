import { type CompleteRequestParams, type CompleteResult, ProtocolError } from '@modelcontextprotocol/server';
import { PROMPTS } from './prompts.ts';
import type { ResourceRegistry } from './resource-registry.ts';
import { RPC_CODES } from './json-rpc.ts';

/** At most so many values go into one answer (a limit of the protocol). */
const MAX_VALUES = 100;

/** What an argument of a prompt or a resource template may go on with. Throws `ProtocolError` for one that does not exist. */
export function completeArgument(
  { ref, argument }: CompleteRequestParams,
  resources: ResourceRegistry,
): CompleteResult {
  const candidates =
    ref.type === 'ref/prompt'
      ? promptArgumentValues(ref.name, argument.name)
      : resourceIds(ref.uri, argument.name, resources);
  const typedText = argument.value.toLowerCase();
  // Weaknesses are listed by number; who begins with the prefix goes on with it.
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
