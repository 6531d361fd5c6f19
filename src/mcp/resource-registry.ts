import {
  ProtocolError,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type TextResourceContents,
} from '@modelcontextprotocol/server';
import { ApiError, type ErrorCode, ERRORS, toApiError } from '../errors.ts';
import { createRecordedView } from '../engine/recorded-view.ts';
import type { Operation } from '../engine/operation.ts';
import { parseInput } from '../engine/input/parse-input.ts';
import { runOperationToJson, type RunnerDeps } from '../engine/runner.ts';
import type { ToolCallContext } from '../engine/tool-call-context.ts';
import { toolErrorMessage } from './call-tool.ts';
import { JSON_MIME_TYPE, markedContents } from './marked-contents.ts';
import { CATALOG_RESOURCES, RECORD_RESOURCES, type RecordResource } from './resource-definitions.ts';
import { RPC_CODES } from './json-rpc.ts';
import { watchEvents } from '../operations/watches/watch-events.ts';
import { listWatchResources, readWatchResource, WATCH_TEMPLATE } from './watch-resources.ts';

/** Context of one read. */
export interface ResourceReadOptions {
  callContext: ToolCallContext;
  signal: AbortSignal;
}

interface ReadAnswer {
  operation: Operation;
  json: Buffer;
}

/** `cwe://weakness/79`: URI prefix and record id. */
const RECORD_URI = /^([a-z0-9]{1,20}:\/\/[a-z-]{1,20})\/([^/?#]{1,256})$/;
/** Input for complete records, for operations that have this field. */
const FULL_INPUT = { include: 'full' };

/** The resources of this service: whole catalogs and single records by id, which are free, and events of watches, which cost what they cost over REST. */
export class ResourceRegistry {
  readonly catalogResources: Resource[];
  readonly templates: ResourceTemplateType[];
  readonly #catalogOperations: ReadonlyMap<string, Operation>;
  readonly #records: ReadonlyMap<string, { kind: RecordResource; operation: Operation }>;
  readonly #runnerDeps: RunnerDeps;
  readonly #operations: readonly Operation[];
  /** Record ids of one catalog generation, by URI prefix. */
  readonly #idsByUriPrefix = new Map<string, readonly string[]>();
  #idsGeneration = '';

  constructor(operations: readonly Operation[], runnerDeps: RunnerDeps) {
    this.#runnerDeps = runnerDeps;
    this.#operations = operations;
    this.#catalogOperations = new Map(
      CATALOG_RESOURCES.flatMap(({ uri, operationId }) => {
        const operation = operations.find(({ id }) => id === operationId);
        return operation === undefined ? [] : [[uri, operation]];
      }),
    );
    this.catalogResources = [...this.#catalogOperations].map(([uri, { title, description }]) => ({
      uri,
      name: resourceName(uri),
      title,
      description,
      mimeType: JSON_MIME_TYPE,
    }));
    this.#records = new Map(
      RECORD_RESOURCES.flatMap((kind) => {
        const operation = operations.find(({ id }) => id === kind.operationId);
        return operation === undefined ? [] : [[kind.uriPrefix, { kind, operation }]];
      }),
    );
    const ofRecords = [...this.#records.values()].map(({ kind: { uriPrefix, title, description } }) => ({
      uriTemplate: `${uriPrefix}/{id}`,
      name: resourceName(uriPrefix),
      title,
      description,
      mimeType: JSON_MIME_TYPE,
    }));
    this.templates = operations.some(({ id }) => id === watchEvents.id) ? [...ofRecords, WATCH_TEMPLATE] : ofRecords;
  }

  /** All resources of a caller: whole catalogs, and the events of the caller's watches. */
  async list(options: ResourceReadOptions): Promise<Resource[]> {
    const watched = await listWatchResources({ ...options, runnerDeps: this.#runnerDeps });
    return [...this.catalogResources, ...watched];
  }

  /** The JSON of a resource. Throws `ProtocolError` for an unknown resource, an invalid id, and while there is no catalog. */
  async read(uri: string, options: ResourceReadOptions): Promise<TextResourceContents> {
    try {
      const events = await readWatchResource(uri, { ...options, runnerDeps: this.#runnerDeps });
      if (events !== null) return events;
      const { operation, json } = await this.#readAsJson(uri, options);
      return markedContents(uri, operation, json);
    } catch (thrown) {
      const refusal = toApiError(thrown);
      if (refusal.code === 'internal_error') options.callContext.logInternalError(thrown);
      throw createResourceError(refusal.code, toolErrorMessage(refusal, this.#operations), uri);
    }
  }

  /** Ids of all records of a resource template (`cwe://weakness/{id}`); null for an unknown template. */
  idsOfTemplate(template: string): readonly string[] | null {
    const record = this.#records.get(template.replace(/\/\{id\}$/, ''));
    const { current } = this.#runnerDeps.catalog;
    if (record === undefined || current === null) return record === undefined ? null : [];
    if (this.#idsGeneration !== current.openingId) this.#idsByUriPrefix.clear();
    this.#idsGeneration = current.openingId;
    const { uriPrefix, listIds } = record.kind;
    if (!this.#idsByUriPrefix.has(uriPrefix))
      this.#idsByUriPrefix.set(uriPrefix, listIds(createRecordedView(this.#runnerDeps).catalog));
    return this.#idsByUriPrefix.get(uriPrefix)!;
  }

  async #readAsJson(uri: string, { callContext, signal }: ResourceReadOptions): Promise<ReadAnswer> {
    const catalog = this.#catalogOperations.get(uri);
    if (catalog !== undefined) return this.#runOperation(catalog, {}, { callContext, signal });
    const [, uriPrefix = '', id = ''] = RECORD_URI.exec(uri) ?? [];
    const record = this.#records.get(uriPrefix);
    if (record === undefined)
      throw new ApiError(
        'not_found',
        'There is no such resource. resources/list and resources/templates/list name all of them.',
      );
    const { kind, operation } = record;
    const full = 'include' in operation.input.shape ? FULL_INPUT : {};
    return this.#runOperation(operation, { [kind.idField]: decodeId(id), ...full }, { callContext, signal });
  }

  async #runOperation(
    operation: Operation,
    rawInput: Record<string, unknown>,
    { callContext, signal }: ResourceReadOptions,
  ): Promise<ReadAnswer> {
    const json = await runOperationToJson(operation, parseInput(operation, rawInput), this.#runnerDeps, {
      disconnectSignal: () => signal,
      reportInternalError: (error) => callContext.logInternalError(error),
    });
    return { operation, json };
  }
}

function resourceName(uri: string): string {
  return uri.replace('://', '-');
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** An error of reading a resource, as the protocol has it. */
export function createResourceError(code: ErrorCode, message: string, uri: string): ProtocolError {
  if (code === 'not_found') return new ResourceNotFoundError(uri, message);
  if (code === 'internal_error') return new ProtocolError(RPC_CODES.internalError, message);
  return new ProtocolError(ERRORS[code].retry ? RPC_CODES.serverError : RPC_CODES.invalidParams, message, {
    uri,
    code,
  });
}
