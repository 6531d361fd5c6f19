import Fastify from 'fastify';
import { Client } from 'pg';

interface Source {
  rows(filter: string): Promise<unknown[]>;
}

abstract class PgSource implements Source {
  constructor(protected client: Client) {}
  abstract rows(filter: string): Promise<unknown[]>;
}

class ByCity extends PgSource {
  async rows(filter: string) {
    const r = await this.client.query('SELECT * FROM stores WHERE city = $1', [filter]);
    return r.rows;
  }
}

class ByOwner extends PgSource {
  async rows(filter: string) {
    const r = await this.client.query(`SELECT * FROM stores WHERE owner = '${filter}'`);
    return r.rows;
  }
}

const client = new Client();
const sources: Source[] = [new ByCity(client), new ByOwner(client)];
const app = Fastify();

app.get<{ Querystring: { q: string } }>('/stores', async (request) => {
  const found = await Promise.all(sources.map((s) => s.rows(request.query.q)));
  return found.flat();
});

client.connect().then(() => app.listen({ port: 3000 }));
