import { disclosureModule } from '../../../analysis/scan/disclosure.ts';
import { dnsModule } from '../../../analysis/scan/dns.ts';
import { dnssecModule } from '../../../analysis/scan/dnssec.ts';
import { htmlModule } from '../../../analysis/scan/html.ts';
import { methodsModule } from '../../../analysis/scan/methods.ts';
import type { ModuleResult, ScanResults } from '../../../analysis/scan/modules.ts';
import { type PlainHttpResponse, httpsModule } from '../../../analysis/scan/https-enforcement.ts';
import { corsModule, assessResponse } from '../../../analysis/scan/response-modules.ts';
import { tlsModule, noTlsResult } from '../../../analysis/scan/tls.ts';
import type { TlsFacts } from '../../../analysis/tls/tls-facts.ts';
import { dnssec } from '../../../sources/dnssec.ts';
import type { SiteProbe, SiteSnapshot } from '../../../sources/site/site.ts';
import type { SourceResult } from '../../../sources/source.ts';
import type { Context } from '../../../engine/context.ts';
import { probeTls } from '../../domain/lib/probe-tls.ts';
import { requireTargetAnswer } from '../../../engine/require-answer.ts';
import { fetchSite } from './fetch-site.ts';
import { headerContextOf } from './grade-site-headers.ts';
import { lookUpScanDnsFacts } from './scan-dns-facts.ts';

/** An origin that no site should trust (`example` is reserved, RFC 6761). */
const FOREIGN_ORIGIN = 'https://foreign-origin.example';
/** A path that does not exist, to see the error page. */
const MISSING_PATH = '/no-such-page-a7f3';
const SCAN_PROBES: readonly SiteProbe[] = [
  { name: 'options', method: 'OPTIONS', headers: {} },
  { name: 'trace', method: 'TRACE', headers: {} },
  { name: 'foreign', method: 'GET', headers: { origin: FOREIGN_ORIGIN } },
  { name: 'null', method: 'GET', headers: { origin: 'null' } },
];

/** The question to the site source. */
export const SCAN_QUESTION = { files: [MISSING_PATH], probes: SCAN_PROBES, plain: true };

export interface ScanRunResult {
  results: ScanResults;
  address: string | null;
  /** The organization that issued the certificate; null: not known. */
  issuer: string | null;
  /** Of the home page; null: no web server answered. */
  snapshot: SiteSnapshot | null;
  siteResult: SourceResult<SiteSnapshot>;
}

/**
 * Runs all scan modules in parallel. Throws 404 for NXDOMAIN, 400 for a non-public address, 403 or 429 where fetching is not allowed;
 * other failures leave modules null.
 */
export async function runScan(context: Context, domain: string): Promise<ScanRunResult> {
  const [siteResult, tlsOutcome, dnssecOutcome, dnsFacts] = await Promise.all([
    fetchSite(context, domain, SCAN_QUESTION).then((outcome) => requireFetchAllowed(outcome, domain)),
    probeTls(context, domain, 'suites'),
    context.ask(dnssec, { name: domain }),
    lookUpScanDnsFacts(context, domain),
  ]);
  // A redirect to a non-public address only hides the page; if the name itself resolves to one the scan is refused.
  if (isAddressRefused(siteResult) && isAddressRefused(tlsOutcome))
    requireTargetAnswer(siteResult, domain, 'was not asked');
  const snapshot = siteResult.status === 'ok' ? siteResult.found : null;
  const validation = dnssecOutcome.status === 'ok' ? dnssecOutcome.found : null;
  if (validation?.security === 'indeterminate') context.evidence.addGap(`DNSSEC: ${validation.reason}`);
  return {
    results: {
      ssl: tlsModuleResult(tlsOutcome, snapshot, context.now),
      dns: dnsModule(dnsFacts),
      dnssec: validation === null ? null : dnssecModule(validation),
      ...webModuleResults(snapshot),
    },
    address: dnsFacts.address ?? snapshot?.address ?? null,
    issuer: tlsOutcome.status === 'ok' ? (tlsOutcome.found.chain[0]?.issuerOrganization ?? null) : null,
    snapshot,
    siteResult,
  };
}

/** Throws where robots.txt or the target throttle forbids fetching. */
function requireFetchAllowed(outcome: SourceResult<SiteSnapshot>, domain: string): SourceResult<SiteSnapshot> {
  if (outcome.status === 'unavailable' && outcome.refusal !== undefined)
    requireTargetAnswer(outcome, domain, 'was not asked');
  return outcome;
}

function isAddressRefused(outcome: SourceResult<unknown>): boolean {
  return outcome.status === 'unavailable' && outcome.failure === 'refused_address';
}

function tlsModuleResult(
  tlsOutcome: SourceResult<TlsFacts>,
  snapshot: SiteSnapshot | null,
  now: Date,
): ModuleResult | null {
  if (tlsOutcome.status === 'ok') return tlsModule(tlsOutcome.found, now);
  return snapshot?.hops[0]?.url.startsWith('http:') === true ? noTlsResult() : null;
}

/** The answer to the first request over plain HTTP. Null: unknown. */
function plainHttpResponse({ plain, hops: [first] }: SiteSnapshot): PlainHttpResponse | null {
  if (first === undefined || first.url.startsWith('https:')) return plain;
  return { url: first.url, status: first.status, location: first.location };
}

type WebModule = Exclude<keyof ScanResults, 'ssl' | 'dns' | 'dnssec'>;

function webModuleResults(snapshot: SiteSnapshot | null): Pick<ScanResults, WebModule> {
  if (snapshot === null) {
    return {
      headers: null,
      redirect: null,
      cookies: null,
      disclosure: null,
      csp_analysis: null,
      cors: null,
      methods: null,
      html: null,
    };
  }
  const { page, probes } = snapshot;
  const httpAnswer = plainHttpResponse(snapshot);
  const { hsts, headers, disclosure, ...response } = assessResponse({
    headers: snapshot.headers,
    ...headerContextOf(snapshot),
  });
  const { options = null, trace = null, foreign = null, null: nullOrigin = null } = probes;
  return {
    ...response,
    // If the HTTP redirect is unknown, the HSTS result is still reported, under headers.
    headers: httpAnswer === null ? mergeModuleResults(headers, hsts) : headers,
    redirect: httpAnswer === null ? null : httpsModule(httpAnswer, hsts),
    disclosure: disclosureModule(disclosure, page, snapshot.files[MISSING_PATH] ?? null),
    cors: corsModule({
      foreignOrigin: FOREIGN_ORIGIN,
      foreign: foreign?.headers ?? null,
      nullOrigin: nullOrigin?.headers ?? null,
    }),
    methods: methodsModule({
      options: options === null ? null : { status: options.status, allow: options.headers.allow?.join(', ') ?? null },
      trace,
    }),
    html: page === null ? null : htmlModule(page),
  };
}

function mergeModuleResults(a: ModuleResult, b: ModuleResult): ModuleResult {
  return { details: [...a.details, ...b.details], findings: [...a.findings, ...b.findings] };
}
