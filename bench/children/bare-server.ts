import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** The least that node can do: bodies made beforehand, found by path, written with two headers. */
const pages = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as [path: string, body: string][];
const bodies = new Map(pages.map(([path, body]) => [path, Buffer.from(body)]));

const server = createServer((request, response) => {
  const body = bodies.get(request.url!);
  if (body === undefined) return response.writeHead(404, { 'content-length': 0 }).end();
  response
    .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length })
    .end(body);
});
server.listen(Number(process.argv[3]), '127.0.0.1', () => process.send!('listening'));
process.on('disconnect', () => process.exit());
