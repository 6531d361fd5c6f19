/**
 * Servers that misbehave, each in its own way, in a process of their own: what they cost is not counted to who asks. Sends the ports
 * of each way as a message, then serves until it is ended.
 */

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Misbehaviour, Ports } from '../misbehaviours.ts';
import { siteCertificate, siteKey, AUTHORITIES } from '../../net/tls-server.ts';

const MEGABYTE = 1024 * 1024;
const BLOCK = Buffer.alloc(64 * 1024, 0x20);

type Handler = (response: ServerResponse, request: IncomingMessage) => void;

const json = (body: string): Handler => {
  const bytes = Buffer.from(body);
  return (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(bytes);
};

/** Writes blanks until the other side has had enough, or `bytes` are sent. */
function pour(stream: ServerResponse | Socket, bytes: number): void {
  let left = bytes;
  const more = (): void => {
    while (!stream.destroyed && left > 0) {
      left -= BLOCK.length;
      if (!stream.write(BLOCK)) return void stream.once('drain', more);
    }
    if (!stream.destroyed) stream.end();
  };
  more();
}

/** 26,000 entries, as crt.sh has of large companies. */
function manyCertificates(): string {
  const entries = Array.from({ length: 26_000 }, (_, index) => ({
    issuer_ca_id: 185_756,
    issuer_name: 'C=US, O=DigiCert Inc, CN=DigiCert TLS RSA SHA256 2020 CA1',
    common_name: `host-${index}.site.example`,
    name_value: `host-${index}.site.example\nwww.host-${index}.site.example`,
    id: 10_000_000_000 + index,
    not_before: '2025-01-01T00:00:00',
    not_after: '2026-01-01T00:00:00',
    serial_number: (0x0a00000000 + index).toString(16),
  }));
  return JSON.stringify(entries);
}

const BOMB = gzipSync(Buffer.alloc(200 * MEGABYTE, 0x20), { level: 9 });

const HTTP: Record<Misbehaviour, Handler> = {
  '200 MB': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 200 * MEGABYTE });
    pour(response, 200 * MEGABYTE);
  },
  endless: (response) =>
    pour(response.writeHead(200, { 'content-type': 'application/json' }), Number.POSITIVE_INFINITY),
  bomb: (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(BOMB),
  nested: json('['.repeat(1_800_000)),
  'nested, small': json('['.repeat(10_000) + ']'.repeat(10_000)),
  'nested objects': json('{"data":'.repeat(100_000)),
  html: (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Maintenance</title>${'<p>We are back soon.</p>'.repeat(20_000)}`),
  'redirect inside': (response) => response.writeHead(302, { location: 'http://10.0.0.1/latest/meta-data/' }).end(),
  'redirect to itself': (response, { url }) => response.writeHead(302, { location: url ?? '/' }).end(),
  'prototype keys': json(
    '{"__proto__":{"polluted":true,"query_status":"ok","data":[]},"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":[]}',
  ),
  'another shape': json(
    JSON.stringify({ data: Array.from({ length: 50_000 }, (_, index) => ({ index, nested: [null] })) }),
  ),
  cut: (response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
      .write('[{"data":[', () => response.destroy()),
  reset: (_response, { socket }) => void socket.destroy(),
  silent: () => {},
  slow: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 100);
    response.once('close', () => clearInterval(timer));
  },
  certificates: json(manyCertificates()),
};

/** The same without HTTP, for WHOIS: what it answers there, or what comes nearest. */
const RAW: Partial<Record<Misbehaviour, (socket: Socket) => void>> = {
  '200 MB': (socket) => pour(socket, 200 * MEGABYTE),
  endless: (socket) => pour(socket, Number.POSITIVE_INFINITY),
  html: (socket) => socket.end('<!doctype html><title>Maintenance</title>'),
  cut: (socket) => socket.write('Domain Name: SITE.EXA', () => socket.resetAndDestroy()),
  reset: (socket) => socket.resetAndDestroy(),
  silent: () => {},
  slow(socket) {
    const timer = setInterval(() => socket.write(' '), 100);
    socket.once('close', () => clearInterval(timer));
  },
};

const names = ['site.example', 'mta-sts.site.example', 'github.com', 'api.github.com'];
const cert = [siteCertificate({ names }), AUTHORITIES.middle].map(({ pem }) => pem).join('');

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket) => socket.on('error', () => {}));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

const ports: Record<string, Ports> = {};
for (const [name, handler] of Object.entries(HTTP)) {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    response.on('error', () => {});
    handler(response, request);
  };
  const raw = RAW[name as Misbehaviour] ?? ((socket: Socket) => void socket.end('['.repeat(100_000)));
  ports[name] = {
    http: await listen(createHttpServer(answer)),
    https: await listen(createHttpsServer({ key: siteKey, cert }, answer).on('tlsClientError', () => {})),
    whois: await listen(createServer(raw)),
  };
}
process.send!(ports);
