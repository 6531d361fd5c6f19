import { githubAdvisories } from './github-advisories.ts';
import { shodanCvedb } from './shodan-cvedb.ts';
import type { SourcePolicy } from './source.ts';

/** All live sources. Configuration, `/v1/status` and the documentation read this list. */
export const LIVE_SOURCES: readonly SourcePolicy[] = [githubAdvisories.policy, shodanCvedb.policy];
