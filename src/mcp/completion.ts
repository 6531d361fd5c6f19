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
  const known =
    ref.type === 'ref/prompt'
      ? promptArgumentValues(ref.name, argument.name)
      : resourceIds(ref.uri, argument.name, resources);
  const begun = argument.value.toLowerCase();
  // Weaknesses are listed by number; who begins with the prefix goes on with it.
  const prefix = ref.type === 'ref/resource' && ref.uri.startsWith('cwe://') && begun.startsWith('cwe-') ? 'CWE-' : '';
  const found = known
    .filter((value) => value.toLowerCase().startsWith(begun.slice(prefix.length)))
    .map((value) => `${prefix}${value}`);
  const values = found.slice(0, MAX_VALUES);
  return { completion: { values, total: found.length, hasMore: found.length > values.length } };
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
