import { z } from 'zod';
import { displayText } from '../analysis/display-text.ts';
import { httpSource } from './http-source.ts';
import { parseSeverity, type Severity } from '../analysis/severity.ts';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { requireOk } from './source-failure.ts';

const MAX_ADVISORIES = 20;
const MAX_SUMMARY_LENGTH = 300;

const Advisory = z.object({
  ghsa_id: z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/),
  summary: z.string().nullish(),
  severity: z.string().nullish(),
  published_at: z.iso.datetime().nullish(),
  withdrawn_at: z.iso.datetime().nullish(),
});

export interface GithubAdvisory {
  ghsa_id: string;
  url: string;
  summary: string;
  /** Null: GitHub gives none (`unknown`). */
  severity: Severity | null;
  published: string | null;
  withdrawn: boolean;
}

/** GitHub's advisories of one CVE (REST API, "List global security advisories"). */
export const githubAdvisories = httpSource<string, GithubAdvisory[]>({
  policy: {
    id: 'github',
    title: 'GitHub advisories (live)',
    provides: 'advisories of one CVE',
    baseUrl: 'https://api.github.com/',
    timeoutMs: 5000,
    maxBytes: 2 * 1024 * 1024,
    ttlSeconds: 3600,
    concurrency: 4,
    key: { variable: 'SEXTANT_GITHUB_TOKEN', needed: false },
  },
  readerName: 'github',
  request: (cveId, token) => ({
    path: `advisories?cve_id=${encodeURIComponent(cveId)}&per_page=${MAX_ADVISORIES}`,
    headers: {
      accept: 'application/vnd.github+json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  }),
  read(status, body) {
    requireOk(status);
    return z
      .array(Advisory)
      .parse(parseBoundedJson(body))
      .slice(0, MAX_ADVISORIES)
      .map((advisory) => ({
        ghsa_id: advisory.ghsa_id,
        url: `https://github.com/advisories/${advisory.ghsa_id}`,
        summary: displayText(advisory.summary ?? '', MAX_SUMMARY_LENGTH),
        severity: parseSeverity(advisory.severity),
        published: advisory.published_at ?? null,
        withdrawn: advisory.withdrawn_at != null,
      }));
  },
});
