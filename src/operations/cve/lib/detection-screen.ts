import { displayLine, summarizeList } from '../../../analysis/display-text.ts';
import type { Answer } from '../../../engine/operation.ts';
import type { CveDetection } from './detection-schemas.ts';

type Detection = Answer<typeof CveDetection>;
type Technique = Detection['techniques'][number];

const MAX_RULES = 4;
const MAX_LOGS = 6;
const MAX_NAME_CHARS = 60;

/** What to look for and where, in a screen: the rules that name the CVE, its techniques, the logs of the first one, what nothing sees. */
export function detectionScreen(answer: Detection): Record<string, unknown> {
  const { sigma_rules, total_sigma_rules, techniques, not_covered } = answer;
  const rules = sigma_rules
    ?.slice(0, MAX_RULES)
    .map(({ title, level }) => displayLine(`${level ?? '-'}: ${title}`, MAX_NAME_CHARS));
  const more = (total_sigma_rules ?? 0) - (rules?.length ?? 0);
  return {
    sigma_rules: rules === undefined ? 'not known: not synced' : more > 0 ? [...rules, `and ${more} more`] : rules,
    logs: techniques[0] === undefined ? 'not known: no technique is known' : logsOf(techniques[0]),
    not_covered: not_covered.map(({ id, missing }) => `${id}: no ${missing.join(', no ')}`),
    techniques: techniques.map(presentTechnique),
  };
}

/** Where the first technique leaves traces: `Windows: WinEventLog:Sysmon EventCode=1`. */
function logsOf({ technique_id, detection_strategies }: Technique): string[] {
  const logs = detection_strategies.flatMap(({ analytics }) =>
    analytics.flatMap(({ platforms, log_sources }) =>
      log_sources.map(({ name, channel }) =>
        displayLine(`${platforms.join(', ')}: ${name}${channel === null ? '' : ` ${channel}`}`, MAX_NAME_CHARS),
      ),
    ),
  );
  return logs.length === 0 ? [] : [`of ${technique_id}:`, ...[...new Set(logs)].slice(0, MAX_LOGS)];
}

function presentTechnique({
  technique_id,
  name,
  basis,
  total_sigma_rules,
  detection_strategies,
  d3fend_detections,
}: Technique) {
  return {
    technique: technique_id,
    name: displayLine(name ?? '-', 28),
    basis,
    strategies: summarizeList(
      detection_strategies.map(({ strategy_id }) => strategy_id),
      2,
    ),
    sigma: total_sigma_rules,
    d3fend: d3fend_detections === null ? null : d3fend_detections.length,
  };
}
