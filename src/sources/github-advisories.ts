import { z } from 'zod';
import { cleanText } from '../analysis/text.ts';
import type { Source } from './source.ts';

const Advisory = z.object({
  ghsa_id: z.string(),
  html_url: z.string().nullish(),
  summary: z.string().nullish(),
  severity: z.string().nullish(),
  published_at: z.string().nullish(),
  withdrawn_at: z.string().nullish(),
});

export interface GithubAdvisory {
  ghsa_id: string;
  url: string;
  summary: string;
  severity: string;
  published: string | null;
  withdrawn: boolean;
}

/** GitHub's advisories of one CVE (REST API, "List global security advisories"). */
export const githubAdvisories: Source<string, GithubAdvisory[]> = {
  policy: {
    id: 'github',
    title: 'GitHub advisories (live)',
    provides: 'advisories of one CVE',
    address: 'https://api.github.com/',
    timeoutMs: 5000,
    maxBytes: 2 * 1024 * 1024,
    ttlSeconds: 3600,
    concurrency: 4,
    key: { variable: 'SEXTANT_GITHUB_TOKEN', needed: false },
  },
  request: (cveId, token) => ({
    path: `advisories?cve_id=${encodeURIComponent(cveId)}&per_page=20`,
    headers: {
      accept: 'application/vnd.github+json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
  }),
  read(status, body) {
    if (status !== 200) throw new Error(`status ${status}`);
    return z
      .array(Advisory)
      .parse(JSON.parse(body))
      .map((advisory) => ({
        ghsa_id: advisory.ghsa_id,
        url: `https://github.com/advisories/${encodeURIComponent(advisory.ghsa_id)}`,
        summary: cleanText(advisory.summary ?? '').slice(0, 300),
        severity: advisory.severity ?? 'unknown',
        published: advisory.published_at ?? null,
        withdrawn: advisory.withdrawn_at != null,
      }));
  },
};
