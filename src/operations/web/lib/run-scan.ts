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
import { lookUpScanDnsFacts } from './scan-dns-facts.ts';

/** No site has a reason to trust it (RFC 6761: names below `example` are nobody's). */
const FOREIGN_ORIGIN = 'https://foreign-origin.example';
/** No site has it: what is shown in its place is the error page. */
const MISSING_PATH = '/no-such-page-a7f3';
const SCAN_PROBES: readonly SiteProbe[] = [
  { name: 'options', method: 'OPTIONS', headers: {} },
  { name: 'trace', method: 'TRACE', headers: {} },
  { name: 'foreign', method: 'GET', headers: { origin: FOREIGN_ORIGIN } },
  { name: 'null', method: 'GET', headers: { origin: 'null' } },
];

/** What the site itself is asked. */
export const SCAN_QUESTION = { files: [MISSING_PATH], probes: SCAN_PROBES, plain: true };

export interface ScanRunResult {
  results: ScanResults;
  address: string | null;
  /** Of the home page; null: no web server answered. */
  snapshot: SiteSnapshot | null;
  siteResult: SourceResult<SiteSnapshot>;
}

/**
 * Looks at all of a site at once. Throws 404 where the name does not exist, 400 where it leads to an address that must not be
 * reached, 403 and 429 where its pages must not be fetched; what fails else leaves its modules null.
 */
export async function runScan(context: Context, domain: string): Promise<ScanRunResult> {
  const [page, server, signatures, names] = await Promise.all([
    fetchSite(context, domain, SCAN_QUESTION).then((outcome) => requireFetchAllowed(outcome, domain)),
    probeTls(context, domain, false),
    context.ask(dnssec, { name: domain }),
    lookUpScanDnsFacts(context, domain),
  ]);
  // A page that leads to such an address is only not seen; the name itself must not lead there.
  if (isAddressRefused(page) && isAddressRefused(server)) requireTargetAnswer(page, domain, 'was not asked');
  const look = page.status === 'ok' ? page.found : null;
  const validation = signatures.status === 'ok' ? signatures.found : null;
  if (validation?.security === 'indeterminate') context.evidence.addGap(`DNSSEC: ${validation.reason}`);
  return {
    results: {
      ssl: tlsModuleResult(server, look, context.now),
      dns: dnsModule(names),
      dnssec: validation === null ? null : dnssecModule(validation),
      ...webModuleResults(look),
    },
    address: names.address ?? look?.address ?? null,
    snapshot: look,
    siteResult: page,
  };
}

/** What keeps us from the pages keeps us from the whole scan. */
function requireFetchAllowed(outcome: SourceResult<SiteSnapshot>, domain: string): SourceResult<SiteSnapshot> {
  if (outcome.status === 'unavailable' && outcome.refusal !== undefined)
    requireTargetAnswer(outcome, domain, 'was not asked');
  return outcome;
}

function isAddressRefused(outcome: SourceResult<unknown>): boolean {
  return outcome.status === 'unavailable' && outcome.failure === 'refused_address';
}

function tlsModuleResult(server: SourceResult<TlsFacts>, look: SiteSnapshot | null, now: Date): ModuleResult | null {
  if (server.status === 'ok') return tlsModule(server.found, now);
  return look?.hops[0]?.url.startsWith('http:') === true ? noTlsResult() : null;
}

/** Null: not found out. */
function plainHttpResponse({ plain, hops: [first] }: SiteSnapshot): PlainHttpResponse | null {
  if (first === undefined || first.url.startsWith('https:')) return plain;
  return { url: first.url, status: first.status, location: first.location };
}

type WebModule = Exclude<keyof ScanResults, 'ssl' | 'dns' | 'dnssec'>;

function webModuleResults(look: SiteSnapshot | null): Pick<ScanResults, WebModule> {
  if (look === null) {
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
  const { page, probes } = look;
  const plain = plainHttpResponse(look);
  const https = look.url.startsWith('https:');
  const { hsts, headers, disclosure, ...response } = assessResponse({
    headers: look.headers,
    https,
    metaCsp: page?.csp ?? [],
    metaReferrer: page?.metas['referrer'],
  });
  const { options = null, trace = null, foreign = null, null: nullOrigin = null } = probes;
  return {
    ...response,
    // Where the way from HTTP was not found out, what was found about staying on HTTPS is told all the same.
    headers: plain === null ? mergeModuleResults(headers, hsts) : headers,
    redirect: plain === null ? null : httpsModule(plain, hsts),
    disclosure: disclosureModule(disclosure, page, look.files[MISSING_PATH] ?? null),
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

function mergeModuleResults(one: ModuleResult, other: ModuleResult): ModuleResult {
  return { details: [...one.details, ...other.details], findings: [...one.findings, ...other.findings] };
}
