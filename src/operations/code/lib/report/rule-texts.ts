import { HEADER_ISSUES, type HeaderIssueCode } from '../../../../analysis/headers/header-issues.ts';
import { SECRET_RULES } from '../../../../analysis/secrets/secret-rules.ts';
import type { CheckName } from './problem.ts';

/** Description of a rule, independent of its findings. */
export interface RuleText {
  title: string;
  help: string;
  helpUri: string;
}

const CWE_BASE_URL = 'https://cwe.mitre.org/data/definitions';

const INJECTION_RULE_TEXTS: Readonly<Record<string, RuleText>> = {
  sql_injection: {
    title: 'SQL injection: a value from outside becomes part of a statement',
    help: 'Pass values as parameters of the statement.',
    helpUri: `${CWE_BASE_URL}/89.html`,
  },
  command_injection: {
    title: 'Command injection: a value from outside becomes part of a command',
    help: 'Run the program without a shell, with its arguments as a list.',
    helpUri: `${CWE_BASE_URL}/78.html`,
  },
  path_traversal: {
    title: 'Path traversal: a value from outside becomes part of a path',
    help: 'Resolve the path, and refuse what lies outside the folder that it should be in.',
    helpUri: `${CWE_BASE_URL}/22.html`,
  },
};

const VULNERABILITY_ID = /^[A-Z][A-Z0-9]*-[\w:.-]{1,100}$/;

/** The check that reports a rule or a vulnerability by this id; null: none does. */
export function checkOfRule(id: string): CheckName | null {
  if (Object.hasOwn(INJECTION_RULE_TEXTS, id)) return 'injection';
  if (SECRET_RULES.some((rule) => rule.id === id)) return 'secrets';
  return VULNERABILITY_ID.test(id) ? 'dependencies' : null;
}

/** The description of a rule for secrets or injections. */
export function codeRuleText(rule: string): RuleText {
  const injection = INJECTION_RULE_TEXTS[rule];
  if (injection !== undefined) return injection;
  const secret = SECRET_RULES.find(({ id }) => id === rule);
  const what =
    secret === undefined ? rule : [secret.issuer, secret.secretName].filter((part) => part !== null).join(' ');
  return {
    title: `Hard-coded secret: ${what}`,
    help: 'Revoke the secret, issue a new one, and read it from the environment or a secret store.',
    helpUri: `${CWE_BASE_URL}/798.html`,
  };
}

/** The description of an issue of a response header, by its code. */
export function headerRuleText(code: string): RuleText {
  const { description, remediation } = HEADER_ISSUES[code as HeaderIssueCode];
  return {
    title: description,
    help: remediation,
    helpUri: 'https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers',
  };
}

/** The description of a vulnerability, by its id and the title of its advisory. */
export function vulnerabilityRuleText(id: string, title: string): RuleText {
  const helpUri = id.startsWith('CVE-')
    ? `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(id)}`
    : `https://osv.dev/vulnerability/${encodeURIComponent(id)}`;
  return {
    title: `${id}: ${title}`,
    help: 'Upgrade the package to a version that has the fix, or replace it.',
    helpUri,
  };
}
