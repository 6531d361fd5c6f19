import { boolCoreTag, defineScalarTag, FAILSAFE_SCHEMA, loadAll, NOT_RESOLVED, nullCoreTag } from 'js-yaml';

const MAX_DEPTH = 40;
const MAX_ALIASES = 100;

/**
 * Reads a number only if it has the same text when printed: `00000429`, `0x1F` and `1.10` stay text, because they are compared with
 * texts in a log. Dates stay text too.
 */
const exactNumber = defineScalarTag('tag:yaml.org,2002:int', {
  implicit: true,
  resolve: (source) => (String(Number(source)) === source && /^-?\d/.test(source) ? Number(source) : NOT_RESOLVED),
  identify: (value) => typeof value === 'number',
});

const YAML_SCHEMA = FAILSAFE_SCHEMA.withTags(nullCoreTag, boolCoreTag, exactNumber);

/** The documents of a YAML file as plain data. Throws an `Error` with the problem and its position. */
export function parseYamlDocuments(text: string): unknown[] {
  try {
    return loadAll(text, { schema: YAML_SCHEMA, maxDepth: MAX_DEPTH, maxAliases: MAX_ALIASES });
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`broken YAML: ${first.slice(0, 120)}`, { cause: error });
  }
}
