import { z } from 'zod';
import { parseBoundedJson } from '../analysis/bounded-json.ts';
import { type HttpResponse, readText } from '../net/http-get.ts';
import { basicAuthorization, hasCredentials, withoutBrackets } from '../net/http-url.ts';
import type { FileUpstream } from './upstream.ts';
import { UpstreamError } from './upstream-error.ts';
import { continuedBody } from './upstream-resume.ts';
import { getWithRetry, unexpectedStatusError } from './upstream-retry.ts';
import type { WebUpstreamConfig } from './upstream-web.ts';

const MANIFEST_TYPES =
  'application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json';
const MAX_MANIFEST_BYTES = 4 * 1024 ** 2;
const MAX_TOKEN_BYTES = 64 * 1024;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

const Manifest = z.object({
  layers: z.array(
    z.object({
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      annotations: z.object({ 'org.opencontainers.image.title': z.string().optional() }).optional(),
    }),
  ),
});
const Token = z.object({ token: z.string().optional(), access_token: z.string().optional() });

/**
 * Reads files that were pushed to an OCI registry as layers with a title (`oras push`): `a/b.txt` is the layer `b.txt` of the tag `a`. A manifest is
 * read once, so that all files are of one push. A token is fetched where the registry asks for one (Bearer, as the Distribution project documents
 * it), with user and password of the address if it has them. Registries on this machine are asked over http, as others do. Throws `NetError`,
 * and `UpstreamError` for an unusable answer.
 */
export function createOciUpstream(
  address: URL,
  { bounds, maxTextBytes, pool, ...retry }: WebUpstreamConfig,
  signal: AbortSignal | undefined,
): FileUpstream {
  const scheme = LOOPBACK.test(withoutBrackets(address.hostname)) ? 'http' : 'https';
  const base = new URL(`${scheme}://${address.host}/v2${address.pathname}/`);
  const login = hasCredentials(address) ? basicAuthorization(address) : null;
  const manifests = new Map<string, Promise<ReadonlyMap<string, string> | null>>();
  let authorization = login;

  async function get(path: string, headers: Record<string, string>): Promise<HttpResponse> {
    const url = new URL(path, base);
    const send = (): Promise<HttpResponse> => {
      const all = authorization === null ? headers : { ...headers, authorization };
      return getWithRetry(url, { bounds, pool, signal, startedAt: performance.now(), raw: true, headers: all }, retry);
    };
    const answer = await send();
    if (answer.status !== 401) return answer;
    const challenge = answer.headers.get('www-authenticate') ?? '';
    answer.discard();
    authorization = await fetchToken(challenge);
    return send();
  }

  async function fetchToken(challenge: string): Promise<string> {
    const parameter = (name: string): string | null =>
      new RegExp(`[ ,]${name}="([^"]*)"`, 'i').exec(challenge)?.[1] ?? null;
    const realm = /^bearer /i.test(challenge) ? URL.parse(parameter('realm') ?? '') : null;
    if (realm === null || (realm.protocol !== 'https:' && realm.origin !== base.origin))
      throw new UpstreamError(`${base.host} asks for a login that is not known here`, 401);
    for (const name of ['service', 'scope']) {
      const value = parameter(name);
      if (value !== null) realm.searchParams.set(name, value);
    }
    const headers = login === null ? {} : { authorization: login };
    const answer = await getWithRetry(realm, { bounds, pool, signal, startedAt: performance.now(), headers }, retry);
    if (answer.status !== 200) throw unexpectedStatusError(answer, realm);
    const given = Token.safeParse(parseBoundedJson(await readText(answer, MAX_TOKEN_BYTES)));
    const token = given.data?.token ?? given.data?.access_token;
    if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) throw new UpstreamError(`${realm.host} gave no token`);
    return `Bearer ${token}`;
  }

  /** The digests of the files of a tag, by title; null where there is no such tag. */
  async function readManifest(tag: string): Promise<ReadonlyMap<string, string> | null> {
    const answer = await get(`manifests/${tag}`, { accept: MANIFEST_TYPES });
    if (isMissing(answer)) return null;
    if (answer.status !== 200) throw unexpectedStatusError(answer, base);
    const manifest = Manifest.safeParse(parseBoundedJson(await readText(answer, MAX_MANIFEST_BYTES)));
    if (!manifest.success) throw new UpstreamError(`${base.host}: the manifest of ${tag} is not that of an artifact`);
    return new Map(
      manifest.data.layers.flatMap(({ digest, annotations }) => {
        const title = annotations?.['org.opencontainers.image.title'];
        return title === undefined ? [] : [[title, digest]];
      }),
    );
  }

  async function openBlob(path: string, from: number): Promise<HttpResponse | null> {
    const [tag = '', title = ''] = path.split('/');
    let manifest = manifests.get(tag);
    if (manifest === undefined) manifests.set(tag, (manifest = readManifest(tag)));
    const digest = (await manifest)?.get(title);
    if (digest === undefined) return null;
    const answer = await get(`blobs/${digest}`, from > 0 ? { range: `bytes=${from}-` } : {});
    return isMissing(answer) ? null : answer;
  }

  return {
    async readText(path, maxBytes = maxTextBytes) {
      const answer = await openBlob(path, 0);
      if (answer === null) return null;
      if (answer.status !== 200) throw unexpectedStatusError(answer, base);
      return readText(answer, maxBytes);
    },
    async readFrom(path, from) {
      const answer = await openBlob(path, from);
      return answer === null ? null : continuedBody(answer, from, base);
    },
  };
}

function isMissing(answer: HttpResponse): boolean {
  if (answer.status !== 404) return false;
  answer.discard();
  return true;
}
