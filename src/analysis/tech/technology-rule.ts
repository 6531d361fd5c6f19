/** Rules that detect technologies, as data; `define-technologies.ts` has the functions that make them. */

export type TechnologyRuleKind =
  | 'header'
  | 'cookie'
  | 'meta'
  | 'comment'
  | 'host'
  | 'media'
  | 'path'
  | 'script'
  | 'style'
  | 'plugin'
  | 'theme'
  | 'mark'
  | 'word'
  | 'title'
  | 'credit'
  | DnsRuleKind
  | 'spf';
export type DnsRuleKind = 'ns' | 'mx' | 'txt' | 'cname';

export interface TechnologyRule {
  readonly kind: TechnologyRuleKind;
  /** Compared as a whole: name of a header, cookie, meta, file or mark; host; zone. Empty: the pattern alone decides. */
  readonly name: string;
  /** Of the value; `{v}` stands for a version. Null: any value matches. */
  readonly pattern: string | null;
  readonly matchExamples: readonly string[];
  readonly nonMatchExamples: readonly string[];
  /** 0 to 1: share of the sites matching this rule that use the technology. */
  readonly confidence: number;
}

export type TechnologyCategory = (typeof TECHNOLOGY_CATEGORIES)[number];

export const TECHNOLOGY_CATEGORIES = [
  'administration',
  'A/B testing',
  'advertising',
  'affiliate',
  'analytics',
  'application server',
  'authentication',
  'build tool',
  'caching',
  'CDN',
  'chat',
  'CMS',
  'CMS extension',
  'CMS theme',
  'code hosting',
  'collaboration',
  'comments',
  'continuous integration',
  'cookie consent',
  'CRM',
  'CSS framework',
  'customer data',
  'data platform',
  'DNS hosting',
  'documentation',
  'e-commerce',
  'email delivery',
  'error monitoring',
  'font',
  'forms',
  'forum',
  'hosting',
  'issue tracker',
  'JavaScript framework',
  'JavaScript library',
  'language',
  'load balancer',
  'mail hosting',
  'maps',
  'marketing automation',
  'media',
  'media server',
  'monitoring',
  'network device',
  'operating system',
  'payment',
  'personalisation',
  'remote access',
  'reviews',
  'search',
  'security',
  'site builder',
  'site verification',
  'social network',
  'social widget',
  'static site generator',
  'tag manager',
  'UI library',
  'video',
  'WAF',
  'web framework',
  'web server',
  'webmail',
  'wiki',
] as const;

export interface Technology {
  readonly name: string;
  readonly category: TechnologyCategory;
  readonly rules: readonly TechnologyRule[];
  /** `vendor:product` as in the NVD's CPE names. */
  readonly cpe?: string;
  /** Names of technologies that are always used with it. */
  readonly implies?: readonly string[];
  /** Its files are meant for other sites: who loads them uses it. */
  readonly sharedFiles?: true;
  /** It filters requests. */
  readonly waf?: true;
  /** How many numbers a release has; a version with fewer is not exact. */
  readonly versionParts?: number;
}
