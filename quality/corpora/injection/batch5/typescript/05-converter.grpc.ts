import { exec, execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as grpc from '@grpc/grpc-js';
import { validate as isUuid } from 'uuid';
import { ConverterServer, ConverterService, Document, Ack } from './gen/converter';

const execAsync = promisify(exec);
const execFileAsync = promisify(execFile);

const SPOOL = '/var/spool/converter';
const LIBRARY = '/var/lib/converter/library';
const KNOWN_FORMAT = /pdf|odt|docx/;

class InvalidArgument extends Error {
  readonly code = grpc.status.INVALID_ARGUMENT;
}

function spoolPath(documentId: string): string {
  if (!isUuid(documentId)) throw new InvalidArgument('document_id');
  return join(SPOOL, documentId);
}

function unary<Req, Res>(work: (request: Req) => Promise<Res>): grpc.handleUnaryCall<Req, Res> {
  return (call, callback) => {
    work(call.request).then(
      (response) => callback(null, response),
      (error) => callback({ code: error.code ?? grpc.status.INTERNAL, details: error.message }),
    );
  };
}

const implementation: ConverterServer = {
  fetch: unary(async ({ documentId }): Promise<Document> => {
    const content = await readFile(spoolPath(documentId));
    return { documentId, content };
  }),

  convert: unary(async ({ documentId, targetFormat }): Promise<Ack> => {
    if (!KNOWN_FORMAT.test(targetFormat)) throw new InvalidArgument('target_format');
    const source = spoolPath(documentId);
    await execAsync(`soffice --headless --convert-to ${targetFormat} --outdir ${SPOOL} ${source}`);
    return { ok: true };
  }),

  rotate: unary(async ({ documentId, degrees }): Promise<Ack> => {
    const source = spoolPath(documentId);
    const angle = [90, 180, 270].find((value) => value === degrees) ?? 90;
    await execAsync(`qpdf --replace-input --rotate=${angle} ${source}`);
    return { ok: true };
  }),

  stamp: unary(async ({ documentId, text }): Promise<Ack> => {
    const source = spoolPath(documentId);
    const script = `pdfcpu stamp add -mode text -- '${text.split('"').join('')}' 'pos:tl' ${source}`;
    await execFileAsync('/bin/bash', ['-c', script]);
    return { ok: true };
  }),

  publish: unary(async ({ title, content }): Promise<Ack> => {
    const name = title.normalize('NFKC').replace(/\s+/g, '_');
    await writeFile(join(LIBRARY, `${name}.pdf`), content);
    return { ok: true };
  }),
};

const server = new grpc.Server();
server.addService(ConverterService, implementation);
server.bindAsync('0.0.0.0:50051', grpc.ServerCredentials.createInsecure(), (error) => {
  if (error) throw error;
});
