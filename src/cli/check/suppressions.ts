import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';
import { CliError } from '../../exit-codes.ts';
import type { CheckName, Problem, Suppression, UnreadItem } from '../../operations/code/lib/report/problem.ts';
import { checkOfRule } from '../../operations/code/lib/report/rule-texts.ts';
import { createPathMatcher } from './exclusion-check.ts';
import { PACKAGE_PATTERN_FORM, parsePackagePattern } from './package-pattern.ts';

const SUPPRESSION_FILE = '.sextant-suppressions.yaml';
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_REASON_LENGTH = 500;

/** A statement of the project that findings of these rules do not count. */
export interface SuppressionRule extends Suppression {
  rules: readonly string[];
  matches(problem: Problem): boolean;
}

/** What suppressions came to. */
export interface SuppressionNotes<One extends Problem> {
  problems: One[];
  /** Sentences about suppressions that have expired, and about those that no finding needs. */
  notes: string[];
}

const FileEntry = z.strictObject({
  rule: z.union([z.string(), z.array(z.string()).min(1)]),
  package: z.string().optional(),
  path: z.string().optional(),
  reason: z.string().trim().min(1).max(MAX_REASON_LENGTH),
  until: z.string().optional(),
});
const SuppressionFile = z.strictObject({ suppressions: z.array(FileEntry).max(1000) });
const ENTRY_FORM =
  'an entry has "rule" (an id, or a list of ids) and "reason", and if wanted "package", "path" and "until" (YYYY-MM-DD)';

/** The suppressions of the project, from `.sextant-suppressions.yaml` in its folder. Throws `CliError` (usage) if one is malformed. */
export function readSuppressionFile(folder: string): SuppressionRule[] {
  let text: string;
  try {
    text = readFileSync(join(folder, SUPPRESSION_FILE), 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw new CliError('usage', `${SUPPRESSION_FILE} cannot be read`);
  }
  if (text.length > MAX_FILE_BYTES)
    throw new CliError('usage', `${SUPPRESSION_FILE} is larger than ${MAX_FILE_BYTES / 1024} KiB`);
  const { suppressions } = parseSuppressionFile(text);
  return suppressions.map((entry, index) => toFileRule(entry, `${SUPPRESSION_FILE}, entry ${index + 1}`));
}

function parseSuppressionFile(text: string): z.output<typeof SuppressionFile> {
  let document: unknown;
  try {
    document = load(text, { maxDepth: 10, maxAliases: 0 });
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : '').split('\n');
    throw new CliError('usage', `${SUPPRESSION_FILE} is no YAML: ${reason}`);
  }
  const parsed = SuppressionFile.safeParse(document);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  const [list, index, ...field] = path;
  const place =
    typeof index === 'number'
      ? `entry ${index + 1}${field.map((part) => `, ${String(part)}`).join('')}`
      : (list ?? 'it');
  throw new CliError(
    'usage',
    `${SUPPRESSION_FILE}: ${String(place)}: ${message}. It is a list "suppressions"; ${ENTRY_FORM}`,
  );
}

function toFileRule(
  { rule, package: packageText, path, reason, until }: z.output<typeof FileEntry>,
  source: string,
): SuppressionRule {
  const rules = [rule].flat();
  const fault = ruleFault(rules) ?? untilFault(until ?? null);
  if (fault !== null) throw new CliError('usage', `${source}: ${fault}`);
  const matchesPackage = packageText === undefined ? null : parsePackagePattern(packageText);
  if (packageText !== undefined && matchesPackage === null)
    throw new CliError('usage', `${source}: package "${packageText}" is not understood: it is ${PACKAGE_PATTERN_FORM}`);
  const matchesPath = path === undefined ? null : createPathMatcher(path, source);
  return {
    kind: 'external',
    rules,
    reason,
    until: until ?? null,
    source,
    matches: (problem) =>
      namesRule(rules, problem) &&
      (matchesPackage === null || (problem.package !== null && matchesPackage(problem.package))) &&
      (matchesPath === null || matchesPath(problem.file)),
  };
}

/** After the beginning of a comment, in any language. */
const MARKER = /(?:\/\/|\/?\*|<!--|--|[#;%]|\{-|\(\*)\s*sextant-ignore\b(.*)$/;
const COMMENT_END = /\s*(?:\*\/|--+>|-\}|\*\)|"""|''')\s*$/;
const MARKER_BODY = /^\s+([\w:.-]+(?:\s*,\s*[\w:.-]+)*)\s*:\s+(\S.*)$/;
const UNTIL = /\s+until\s+(\d[\d./-]*)$/;
const MARKER_FORM = 'sextant-ignore <rule-id>[, <rule-id>]: <reason> [until YYYY-MM-DD]';

/** Suppressions in comments of a file. `faults`: those that are malformed, and what would be right. */
export function findInlineSuppressions(
  file: string,
  text: string,
): { suppressions: SuppressionRule[]; faults: UnreadItem[] } {
  const found = { suppressions: [] as SuppressionRule[], faults: [] as UnreadItem[] };
  if (!text.includes('sextant-ignore')) return found;
  for (const [index, lineText] of text.split(/\r?\n/).entries()) {
    const marker = MARKER.exec(lineText);
    if (marker === null) continue;
    const line = index + 1;
    const parsed = parseMarker(marker[1]!.replace(COMMENT_END, ''));
    if (typeof parsed === 'string') {
      found.faults.push({ file, reason: `line ${line}: ${parsed}` });
      continue;
    }
    // Beside code it is about that line; by itself about the next one.
    const isAlone = lineText.slice(0, marker.index).trim() === '';
    found.suppressions.push({
      kind: 'inSource',
      ...parsed,
      source: `${file}:${line}`,
      matches: (problem) =>
        problem.file === file && problem.line === (isAlone ? line + 1 : line) && namesRule(parsed.rules, problem),
    });
  }
  return found;
}

/** The parts of a marker, or what is wrong with it. */
function parseMarker(text: string): Pick<SuppressionRule, 'rules' | 'reason' | 'until'> | string {
  const body = MARKER_BODY.exec(text);
  if (body === null) return `the suppression is not understood, and does not count: write ${MARKER_FORM}`;
  const rules = body[1]!.split(',').map((id) => id.trim());
  const untilMatch = UNTIL.exec(body[2]!);
  const until = untilMatch?.[1] ?? null;
  const reason = body[2]!.slice(0, untilMatch?.index).trim().slice(0, MAX_REASON_LENGTH);
  const fault = ruleFault(rules) ?? untilFault(until);
  return fault === null ? { rules, reason, until } : `the suppression does not count: ${fault}`;
}

function ruleFault(rules: readonly string[]): string | null {
  const unknown = rules.find((id) => checkOfRule(id) === null);
  return unknown === undefined
    ? null
    : `there is no rule "${unknown}": it is the id of a finding, such as aws_access_key_id, sql_injection or CVE-2021-44228`;
}

function untilFault(until: string | null): string | null {
  const isDay =
    until === null ||
    (/^\d{4}-\d{2}-\d{2}$/.test(until) && new Date(`${until}T00:00:00Z`).toJSON()?.slice(0, 10) === until);
  return isDay ? null : `until "${until}" is no day of the form YYYY-MM-DD`;
}

function namesRule(rules: readonly string[], { rule, aliases }: Problem): boolean {
  return rules.some((id) => id === rule || aliases.includes(id));
}

/** What these suppressions mean for the findings of `checks` on the day `today` (`YYYY-MM-DD`). */
export function applySuppressions<One extends Problem>(
  problems: readonly One[],
  suppressions: readonly SuppressionRule[],
  { today, checks, isWholeTree }: { today: string; checks: readonly CheckName[]; isWholeTree: boolean },
): SuppressionNotes<One> {
  const used = new Set<SuppressionRule>();
  const judged = problems.map((problem) => {
    const matching = suppressions.filter((suppression) => suppression.matches(problem));
    for (const one of matching) used.add(one);
    const valid = matching.find(({ until }) => until === null || until >= today);
    if (valid === undefined) return problem;
    const { kind, reason, until, source } = valid;
    return { ...problem, suppression: { kind, reason, until, source } };
  });
  const isExpired = ({ until }: SuppressionRule): boolean => until !== null && until < today;
  // Of what was not checked nobody knows whether there is something to suppress.
  const isDecided = ({ rules, kind }: SuppressionRule): boolean =>
    (kind === 'inSource' || isWholeTree) && rules.every((id) => checks.includes(checkOfRule(id)!));
  const nameOf = ({ rules, source }: SuppressionRule): string => `the suppression of ${rules.join(', ')} in ${source}`;
  const notes = suppressions.flatMap((one) => {
    if (!used.has(one)) return isDecided(one) ? [`${nameOf(one)} is about no finding: remove it`] : [];
    return isExpired(one) ? [`${nameOf(one)} expired on ${one.until}: its findings count again`] : [];
  });
  return { problems: judged, notes };
}
