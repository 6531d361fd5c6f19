import {
  ProtocolError,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import { CatalogView } from '../catalog/view.ts';
import { asRefusal, type ErrorCode, Refusal } from '../errors.ts';
import { Evidence } from '../engine/evidence.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runToJson, type Services } from '../engine/runner.ts';
import type { CallHost } from './call-host.ts';
import { toolMessage } from './call-tool.ts';
import { CATALOGS, RECORDS, type RecordResource } from './resource-kinds.ts';
import { RPC } from './rpc.ts';

/** Who reads a resource. */
export interface Reader {
  host: CallHost;
  signal: AbortSignal;
}

const MIME = 'application/json';
/** `cwe://weakness/79`: the kind of record, and its id. */
const RECORD_URI = /^([a-z0-9]{1,20}:\/\/[a-z-]{1,20})\/([^/?#]{1,256})$/;
/** What makes a record whole, where its operation knows it. */
const FULL = { include: 'full' };

/** The resources of this service: whole catalogs, and single records by id. Reading them is free. */
export class ResourceTable {
  readonly fixed: Resource[];
  readonly templates: ResourceTemplateType[];
  readonly #catalogs: ReadonlyMap<string, Operation>;
  readonly #records: ReadonlyMap<string, { kind: RecordResource; operation: Operation }>;
  readonly #services: Services;
  readonly #operations: readonly Operation[];
  /** Ids of the generation that was asked last, by address. */
  readonly #ids = new Map<string, readonly string[]>();
  #idsOf = '';

  constructor(operations: readonly Operation[], services: Services) {
    this.#services = services;
    this.#operations = operations;
    this.#catalogs = new Map(
      CATALOGS.flatMap(({ uri, operation: wanted }) => {
        const operation = operations.find(({ id }) => id === wanted);
        return operation === undefined ? [] : [[uri, operation]];
      }),
    );
    this.fixed = [...this.#catalogs].map(([uri, { title, description }]) => ({
      uri,
      name: nameOf(uri),
      title,
      description,
      mimeType: MIME,
    }));
    this.#records = new Map(
      RECORDS.flatMap((kind) => {
        const operation = operations.find(({ id }) => id === kind.operation);
        return operation === undefined ? [] : [[kind.address, { kind, operation }]];
      }),
    );
    this.templates = [...this.#records.values()].map(({ kind: { address, title, description } }) => ({
      uriTemplate: `${address}/{id}`,
      name: nameOf(address),
      title,
      description,
      mimeType: MIME,
    }));
  }

  /** The JSON of a resource. Throws `ProtocolError`: not found, an id of the wrong form, not ready. */
  async read(uri: string, reader: Reader): Promise<TextResourceContents> {
    try {
      return { uri, mimeType: MIME, text: (await this.#json(uri, reader)).toString() };
    } catch (thrown) {
      const refusal = asRefusal(thrown);
      if (refusal.code === 'internal_error') reader.host.fault(thrown);
      throw protocolErrorOf(refusal.code, toolMessage(refusal, this.#operations), uri);
    }
  }

  /** Ids of the records of a template; null where there is no such template. */
  idsOf(template: string): readonly string[] | null {
    const found = this.#records.get(template.replace(/\/\{id\}$/, ''));
    const { current } = this.#services.catalog;
    if (found === undefined || current === null) return found === undefined ? null : [];
    if (this.#idsOf !== current.id) this.#ids.clear();
    this.#idsOf = current.id;
    const { address, ids } = found.kind;
    if (!this.#ids.has(address))
      this.#ids.set(
        address,
        ids(new CatalogView(current, new Evidence(current.generation.sources, this.#services.now()))),
      );
    return this.#ids.get(address)!;
  }

  async #json(uri: string, { host, signal }: Reader): Promise<Buffer> {
    const catalog = this.#catalogs.get(uri);
    if (catalog !== undefined) return this.#run(catalog, {}, { host, signal });
    const [, address = '', id = ''] = RECORD_URI.exec(uri) ?? [];
    const found = this.#records.get(address);
    if (found === undefined)
      throw new Refusal(
        'not_found',
        'There is no such resource. resources/list and resources/templates/list name all of them.',
      );
    const { kind, operation } = found;
    const full = 'include' in operation.input.shape ? FULL : {};
    return this.#run(operation, { [kind.field]: decoded(id), ...full }, { host, signal });
  }

  #run(operation: Operation, given: Record<string, unknown>, { host, signal }: Reader): Promise<Buffer> {
    return runToJson(operation, parseInput(operation, given), this.#services, {
      callerGone: () => signal,
      fault: (error) => host.fault(error),
    });
  }
}

function nameOf(address: string): string {
  return address.replace('://', '-');
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function protocolErrorOf(code: ErrorCode, message: string, uri: string): ProtocolError {
  if (code === 'not_found') return new ResourceNotFoundError(uri, message);
  if (code === 'internal_error') return new ProtocolError(RPC.internalError, message);
  return new ProtocolError(code === 'not_ready' ? RPC.serverError : RPC.invalidParams, message, { uri, code });
}
