import type { PageFacts } from './page-facts.ts';

export interface SiteBrand {
  favicon_url_untrusted: string | null;
  og_image_url_untrusted: string | null;
  theme_color: string | null;
  site_name_untrusted: string | null;
  logo_url_untrusted: string | null;
}

const COLOR = /^[#\w(),.%/ -]{1,64}$/;

/** How a site presents itself; null is what its page does not say. */
export function extractBrand(facts: PageFacts): SiteBrand {
  const color = facts.metas['theme-color'] ?? '';
  return {
    favicon_url_untrusted: facts.icons[0] ?? null,
    og_image_url_untrusted: facts.og_image,
    theme_color: COLOR.test(color) ? color : null,
    site_name_untrusted:
      [facts.og['og:site_name'], facts.metas['application-name'], facts.structured_name].find(Boolean) ?? null,
    logo_url_untrusted: facts.logo,
  };
}
