import type { PageFacts } from './page-facts.ts';

/** What in the markup of a page weakens it; for the findings of a full scan. Addresses are bounded lists. */
export interface PageSecurityFacts {
  /** Scripts, styles and frames that an encrypted page takes from unencrypted addresses: browsers block them. */
  mixed_active: string[];
  /** Images and media of that kind. */
  mixed_passive: string[];
  /** Forms that send what is typed over an unencrypted connection. */
  insecure_forms: string[];
  /** Forms that send it to another site. */
  foreign_forms: string[];
  /** A password field, in a form or outside of one, on a page that is itself unencrypted. */
  password_over_http: boolean;
  /** Scripts and styles of other sites without `integrity`: what they hold is up to those sites. */
  without_integrity: string[];
  /** Those with `integrity` but without `crossorigin`: browsers cannot compare them, and refuse them (SRI, section 3.3). */
  integrity_without_cors: string[];
  /** Scripts of other sites. */
  foreign_scripts: number;
  scripts_with_integrity: number;
  inline_scripts: number;
  inline_handlers: number;
}

export function collectPageSecurity(facts: PageFacts): PageSecurityFacts {
  const { forms, scripts, stylesheets } = facts;
  const insecure = (url: string | null): boolean => url?.startsWith('http:') === true;
  const targets = (select: (form: PageFacts['forms'][number]) => boolean): string[] => [
    ...new Set(forms.filter(select).flatMap(({ action }) => action ?? [])),
  ];
  return {
    mixed_active: facts.mixed.active,
    mixed_passive: facts.mixed.passive,
    insecure_forms: targets(({ action }) => insecure(action)),
    foreign_forms: targets(({ foreign }) => foreign),
    password_over_http: insecure(facts.url) && (facts.password_outside_form || forms.some(({ password }) => password)),
    without_integrity: [
      ...new Set([...scripts, ...stylesheets].filter((one) => one.foreign && !one.integrity).map(({ url }) => url)),
    ],
    integrity_without_cors: [
      ...new Set(
        [...scripts, ...stylesheets]
          .filter((one) => one.foreign && one.integrity && one.crossorigin === null)
          .map(({ url }) => url),
      ),
    ],
    foreign_scripts: scripts.filter(({ foreign }) => foreign).length,
    scripts_with_integrity: scripts.filter(({ integrity }) => integrity).length,
    inline_scripts: facts.inline_scripts,
    inline_handlers: facts.inline_handlers,
  };
}
