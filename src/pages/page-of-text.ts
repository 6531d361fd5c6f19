import { parseCpeLenient } from '../analysis/cve/cpe.ts';
import { parseDomainName } from '../analysis/domain-name.ts';
import type { RecognizedText } from '../analysis/recognize-text.ts';
import { siteOfUrl } from '../operations/question-of-text.ts';
import { paths, withQuery } from './links.ts';

/** The page about what was recognised; null for kinds that have none. Words lead to the search. */
export function pageOfText({ kind, value, isDefanged }: RecognizedText): string | null {
  switch (kind) {
    case 'cve':
      return paths.cve(value.toUpperCase());
    case 'cwe':
      return paths.cwe(value.toUpperCase().replace(/^CWE[- ]?0*/, 'CWE-'));
    case 'atlas_technique':
    case 'atlas_case_study':
      return paths.atlas(value.toUpperCase());
    case 'attack_technique':
      return paths.technique(value.toUpperCase());
    case 'd3fend':
      return paths.defense(value);
    case 'uuid':
      return paths.rule(value.toLowerCase());
    case 'asn':
      return paths.as(value);
    case 'ip':
      return paths.ip(value);
    case 'domain':
      return isDefanged ? paths.indicator(value) : paths.domain(parseDomainName(value) ?? value);
    case 'url':
      return pageOfAddress(value, isDefanged);
    case 'hash':
    case 'email':
    case 'phone':
      return paths.indicator(value);
    case 'package':
    case 'purl':
      return withQuery('/check', { purl: value });
    case 'cpe':
      return pageOfCpe(value);
    case 'ghsa':
    case 'words':
      return withQuery('/search', { q: value });
    case 'cvss_vector':
      return null;
  }
}

/** The address of a whole site means the site; one of a single page, or a defanged one, is looked up as an indicator. */
function pageOfAddress(address: string, isDefanged: boolean): string {
  const site = isDefanged ? null : siteOfUrl(address);
  return site === null ? paths.indicator(address) : paths.domain(site);
}

function pageOfCpe(text: string): string | null {
  const cpe = parseCpeLenient(text);
  if (cpe === null || [cpe.vendor, cpe.product].some((name) => /^[*-]?$/.test(name))) return null;
  const version = cpe.version === '-' ? null : cpe.version;
  return withQuery(paths.product(cpe.vendor, cpe.product), { version });
}
