import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installNpmPeer } from '../npm-peer.ts';

/** A response with what a reader says of it: topics with a problem, and topics in which none may be named. */
export interface HeaderCase {
  readonly about: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly request_headers?: readonly (readonly [string, string])[];
  readonly html?: string;
  readonly expected: {
    readonly problems: readonly { readonly topic: string; readonly problem: string }[];
    readonly fine: readonly string[];
  };
}

/** Another tool that judges headers, and the topics that it finds a problem in. */
export interface HeaderPeer {
  readonly name: string;
  topicsNamed(given: HeaderCase): ReadonlyMap<string, 'problem'>;
}

/** The tests of MDN's Observatory, by the topic that readers know them by. */
const TESTS: readonly (readonly [topic: string, file: string, name: string])[] = [
  ['csp', 'csp', 'contentSecurityPolicyTest'],
  ['cookies', 'cookies', 'cookiesTest'],
  ['cors', 'cors', 'crossOriginResourceSharingTest'],
  ['corp', 'cross-origin-resource-policy', 'crossOriginResourcePolicyTest'],
  ['referrer', 'referrer-policy', 'referrerPolicyTest'],
  ['hsts', 'strict-transport-security', 'strictTransportSecurityTest'],
  ['sri', 'subresource-integrity', 'subresourceIntegrityTest'],
  ['content_type_options', 'x-content-type-options', 'xContentTypeOptionsTest'],
  ['framing', 'x-frame-options', 'xFrameOptionsTest'],
];

/** MDN's HTTP Observatory, whose tests are run on given responses instead of fetched ones; null: it cannot be had. */
export async function loadObservatory(folder: string | null): Promise<HeaderPeer | null> {
  const installed = installNpmPeer(folder, '@mdn/mdn-http-observatory', '1.4.8');
  if (installed === null) return null;
  const path = installed.folder;
  const load = (file: string): Promise<any> => import(pathToFileURL(join(path, 'src', file)).href);
  // Its install script fetches the preload list, which is not wanted here.
  const preload = join(path, 'conf/hsts-preload.json');
  if (!existsSync(preload)) writeFileSync(preload, '{}');
  const require = createRequire(join(path, 'src/scan.js'));
  // Of its own dependencies.
  const [{ CookieJar }, { AxiosHeaders }] = ['tough-cookie', 'axios'].map((name) => require(name));
  const { Requests } = await load('types.js');
  const { parseHttpEquivHeaders } = await load('retriever/utils.js');
  const tests = await Promise.all(
    TESTS.map(async ([topic, file, name]) => [topic, (await load(`analyzer/tests/${file}.js`))[name]] as const),
  );
  return {
    name: installed.tool,
    topicsNamed({ url, headers, html = '', request_headers = [] }) {
      const request = new Requests(new URL(url).hostname);
      const of = (pairs: HeaderCase['headers']) => {
        const all = new AxiosHeaders();
        for (const [name, value] of pairs) {
          const known = all.get(name);
          all.set(name, known == null ? value : [known].flat().concat(value));
        }
        return all;
      };
      const answer = {
        headers: of(headers),
        request: { headers: of(request_headers) },
        config: { headers: of(request_headers) },
        status: 200,
        verified: true,
        data: html,
        httpEquiv: parseHttpEquivHeaders(html, url),
      };
      const jar = new CookieJar();
      for (const [name, value] of headers) {
        if (name.toLowerCase() === 'set-cookie') jar.setCookieSync(value, url, { loose: true, ignoreError: true });
      }
      Object.assign(request.responses, {
        auto: answer,
        http: answer,
        https: url.startsWith('https:') ? answer : null,
        cors: answer,
      });
      request.responses.httpRedirects = [{ url: new URL(url), status: 200 }];
      request.resources.path = html;
      request.session = { url: new URL(url), jar };
      const failed = tests.filter(([, test]) => test(request).pass === false);
      return new Map(failed.map(([topic]) => [topic, 'problem'] as const));
    },
  };
}
