/** JSON schemas of what specifications demand of reports, where no package has a schema. A field that they do not name is a fault. */

const Text = { type: 'string', minLength: 1 };
const Severity = { enum: ['Info', 'Unknown', 'Low', 'Medium', 'High', 'Critical'] };

function strictObject(properties: object, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

function listOf(items: object, minItems = 0): object {
  return { type: 'array', items, minItems };
}

const Dependency = strictObject({ package: strictObject({ name: Text }), version: { type: 'string' } });
const Tool = strictObject({ id: Text, name: Text, version: Text, vendor: strictObject({ name: Text }) });
const Time = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' };
const Identifier = strictObject(
  { type: Text, name: Text, value: Text, url: { type: 'string', pattern: '^(https?|ftp)://.+' } },
  ['url'],
);

function securityReport(type: string, location: object, others: object): object {
  return strictObject({
    version: { const: '15.0.7' },
    scan: strictObject({
      type: { const: type },
      status: { enum: ['success', 'failure'] },
      start_time: Time,
      end_time: Time,
      analyzer: Tool,
      scanner: Tool,
      messages: listOf(strictObject({ level: { enum: ['info', 'warn', 'fatal'] }, value: Text })),
    }),
    vulnerabilities: listOf(
      strictObject({
        id: Text,
        name: { type: 'string', maxLength: 255 },
        description: { type: 'string', maxLength: 1_048_576 },
        severity: Severity,
        solution: { type: 'string', maxLength: 7000 },
        identifiers: listOf(Identifier, 1),
        location,
      }),
    ),
    ...others,
  });
}

/** Security reports of GitLab, version 15.0.7. */
export const GITLAB_SAST = securityReport(
  'sast',
  strictObject({ file: Text, start_line: { type: 'integer', minimum: 1 }, end_line: { type: 'integer', minimum: 1 } }, [
    'start_line',
    'end_line',
  ]),
  {},
);
export const GITLAB_DEPENDENCY_SCANNING = securityReport(
  'dependency_scanning',
  strictObject({ file: Text, dependency: Dependency }),
  {
    dependency_files: listOf(strictObject({ path: Text, package_manager: Text, dependencies: listOf(Dependency) })),
  },
);

/** Code Quality of GitLab; paths are relative and do not begin with `./`. */
export const GITLAB_CODE_QUALITY = listOf(
  strictObject({
    description: Text,
    check_name: Text,
    fingerprint: Text,
    severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
    location: strictObject({
      path: { type: 'string', pattern: '^(?!\\./|/)[^]' },
      lines: strictObject({ begin: { type: 'integer', minimum: 1 } }),
    }),
  }),
);

/** OpenVEX 0.2.0. Of a product that is not affected it has to be said why, of one that is what to do. */
export const OPENVEX = strictObject({
  '@context': { const: 'https://openvex.dev/ns/v0.2.0' },
  '@id': { type: 'string', format: 'uri' },
  author: Text,
  timestamp: { type: 'string', format: 'date-time' },
  version: { type: 'integer', minimum: 1 },
  tooling: Text,
  statements: {
    type: 'array',
    uniqueItems: true,
    items: {
      ...strictObject(
        {
          vulnerability: strictObject({ name: Text, aliases: { ...listOf(Text), uniqueItems: true } }, ['aliases']),
          products: { ...listOf(strictObject({ '@id': { type: 'string', format: 'uri' } }), 1), uniqueItems: true },
          status: { enum: ['not_affected', 'affected', 'fixed', 'under_investigation'] },
          action_statement: Text,
          impact_statement: Text,
          status_notes: Text,
        },
        ['action_statement', 'impact_statement', 'status_notes'],
      ),
      allOf: [
        whereStatusIs('not_affected', ['impact_statement'], ['action_statement']),
        whereStatusIs('affected', ['action_statement'], ['impact_statement']),
      ],
    },
  },
});

function whereStatusIs(status: string, required: string[], forbidden: string[]): object {
  // "If it is so, then that", without the keyword `then`, which would make this a thenable.
  return {
    anyOf: [{ not: { properties: { status: { const: status } } } }, { required, not: { required: forbidden } }],
  };
}

interface ElementRule {
  required: readonly string[];
  optional: readonly string[];
  children: readonly string[];
  hasText?: boolean;
}

const OUTCOME = { required: [], optional: ['type', 'message'], children: [], hasText: true };

/** Elements of JUnit XML as the plug-in of Jenkins reads it: attributes that must and may be there, and children. */
export const JUNIT: Readonly<Record<string, ElementRule>> = {
  testsuites: { required: [], optional: ['name', 'time', 'tests', 'failures', 'errors'], children: ['testsuite'] },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['skipped', 'time', 'timestamp', 'hostname', 'id', 'package', 'file'],
    children: ['testcase'],
  },
  testcase: { required: ['name'], optional: ['classname', 'time'], children: ['failure', 'error', 'skipped'] },
  failure: OUTCOME,
  error: OUTCOME,
  skipped: OUTCOME,
};
