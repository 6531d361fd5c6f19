import type { z } from 'zod';
import { parseDomainName } from '../analysis/domain-name.ts';
import { parseIndicator } from '../analysis/indicators/parse-indicator.ts';
import { readProductWords } from '../analysis/product-words.ts';
import type { RecognizedText } from '../analysis/recognize-text.ts';
import type { Operation, OperationInput } from '../engine/operation.ts';
import { asnLookup } from './ip/asn-lookup.ts';
import { ipLookup } from './ip/ip-lookup.ts';
import { threatReport } from './ip/threat-report.ts';
import { atlasCaseStudyLookup } from './atlas/atlas-case-study-lookup.ts';
import { atlasTechniqueLookup } from './atlas/atlas-technique-lookup.ts';
import { attackTechniqueLookup } from './attack/attack-technique-lookup.ts';
import { checkDependencies } from './code/check-dependencies.ts';
import { advisoryLookup } from './cve/advisory-lookup.ts';
import { affectedCheck } from './cve/affected-check.ts';
import { cveLookup } from './cve/cve-lookup.ts';
import { cveSearch } from './cve/cve-search.ts';
import { cweLookup } from './cve/cwe-lookup.ts';
import { findNamedSubject, type NamedSubject, type TryAsk } from './cve/lib/find-product.ts';
import { productLookup } from './cve/product-lookup.ts';
import { getCvssDetails } from './cve/get-cvss-details.ts';
import { d3fendDefenseLookup } from './d3fend/d3fend-defense-lookup.ts';
import { domainReport } from './domain/domain-report.ts';
import { emailVerify } from './email/email-verify.ts';
import { iocLookup } from './indicators/ioc-lookup.ts';
import { phoneLookup } from './indicators/phone-lookup.ts';
import { sigmaRuleLookup } from './sigma/sigma-rule-lookup.ts';

/** An operation with the input that answers a question. */
export interface TextQuestion {
  readonly operation: Operation;
  readonly input: OperationInput;
}

/** A name of the D3FEND ontology: `FileAnalysis`; names of products have this form, too. */
const D3FEND_NAME = /^(?:[A-Z][a-z0-9]+|[A-Z]{2,5}(?=[A-Z]|$)){2,}$/;
/** `pkg:npm/lodash@4.17.20`, and not the scope in `pkg:npm/%40babel/core`. */
const PURL_WITH_VERSION = /^[^?#]*\/[^/@?#]+@[^?#]/;

/**
 * The question that somebody has who types a recognised text. What is written so that it is no link is asked about as an
 * indicator, and not visited. Null: words, which may name anything.
 */
export function questionOfText({ kind, value, isDefanged }: RecognizedText): TextQuestion | null {
  switch (kind) {
    case 'cve':
      return question(cveLookup, { cve_id: value });
    case 'cwe':
      return question(cweLookup, { cwe_id: value });
    case 'ghsa':
      return question(advisoryLookup, { ghsa_id: value });
    case 'cvss_vector':
      return question(getCvssDetails, { vector: value });
    case 'atlas_technique':
      return question(atlasTechniqueLookup, { technique_id: value });
    case 'atlas_case_study':
      return question(atlasCaseStudyLookup, { case_study_id: value });
    case 'attack_technique':
      return question(attackTechniqueLookup, { technique_id: value });
    case 'd3fend':
      return question(d3fendDefenseLookup, { defense_id: value });
    case 'uuid':
      return question(sigmaRuleLookup, { rule_id: value });
    case 'asn':
      return question(asnLookup, { target: value });
    case 'ip':
      return isDefanged ? question(threatReport, { ip: value }) : question(ipLookup, { ip: value });
    case 'domain':
      return isDefanged ? question(iocLookup, { indicator: value }) : question(domainReport, { domain: value });
    case 'url':
      return isDefanged ? question(iocLookup, { indicator: value }) : questionOfUrl(value);
    case 'hash':
      return question(iocLookup, { indicator: value });
    case 'email':
      return question(emailVerify, { email: value });
    case 'phone':
      return question(phoneLookup, { number: value });
    case 'purl':
      return PURL_WITH_VERSION.test(value)
        ? question(checkDependencies, { packages: [value] })
        : question(affectedCheck, { purl: value });
    case 'package':
      return question(checkDependencies, { packages: [value] });
    case 'cpe':
      return question(affectedCheck, { cpe: value });
    case 'words':
      return null;
  }
}

/** The address of a whole site means the site; one of a single page is an indicator. */
function questionOfUrl(url: string): TextQuestion {
  const host = siteOfUrl(url);
  return host === null ? question(iocLookup, { indicator: url }) : question(domainReport, { domain: host });
}

/** The domain name of an http(s) URL that is a whole site; null for others. */
export function siteOfUrl(url: string): string | null {
  const indicator = parseIndicator(url);
  if (indicator?.type !== 'url' || !/^https?:\/\/[^/]+\/?$/i.test(indicator.value)) return null;
  return parseDomainName(indicator.host);
}

/**
 * What words ask for: a version of a known product, also whether given CVEs affect it; a product whose name ends with a number; a CVE; a
 * defense of D3FEND by its name; or a search for them.
 */
export async function questionOfWords(words: string, tryAsk: TryAsk): Promise<TextQuestion> {
  const subject = await findNamedSubject(words, tryAsk);
  if (subject !== null) return questionOfSubject(subject);
  const [cveId, ...others] = readProductWords(words).cveIds;
  if (cveId !== undefined && others.length === 0) return question(cveLookup, { cve_id: cveId });
  if (D3FEND_NAME.test(words)) {
    const { answer } = await tryAsk(d3fendDefenseLookup, { defense_id: words });
    if (answer !== null) return question(d3fendDefenseLookup, { defense_id: words });
  }
  return question(cveSearch, { q: words, limit: 20 });
}

function questionOfSubject(subject: NamedSubject): TextQuestion {
  const about = subject.cveIds.length === 0 ? {} : { cve_ids: [...subject.cveIds] };
  if ('choices' in subject) {
    const { name, version } = subject;
    return question(affectedCheck, { product: name, ...(version !== null && { version }), ...about });
  }
  if ('purl' in subject) {
    return subject.cveIds.length === 0
      ? question(checkDependencies, { packages: [subject.purl] })
      : question(affectedCheck, { purl: subject.purl, ...about });
  }
  const { vendor, product, version } = subject;
  if (version !== null) return question(affectedCheck, { vendor, product, version, ...about });
  return subject.cveIds.length === 0
    ? question(productLookup, { vendor, product })
    : question(affectedCheck, { vendor, product, ...about });
}

function question<In extends z.ZodObject, Out extends z.ZodObject>(
  operation: Operation<In, Out>,
  input: z.input<In>,
): TextQuestion {
  return { operation, input };
}
