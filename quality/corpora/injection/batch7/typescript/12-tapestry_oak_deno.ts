import { Application, Context, Router } from 'https://deno.land/x/oak/mod.ts';
import { Pool } from 'https://deno.land/x/postgres/mod.ts';
import { basename, join } from 'https://deno.land/std/path/mod.ts';

const pool = new Pool(Deno.env.get('TAPESTRY_DSN'), 4, true);
const CARTOONS = await Deno.realPath('/srv/tapestry/cartoons');
const THREADS = '/srv/tapestry/threads';

async function withClient<T>(use: (client: Awaited<ReturnType<typeof pool.connect>>) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await use(client);
  } finally {
    client.release();
  }
}

async function output(program: string, args: string[]): Promise<string> {
  const { stdout } = await new Deno.Command(program, { args, stdout: 'piped' }).output();
  return new TextDecoder().decode(stdout);
}

const router = new Router();

router.get('/dyes/:colour', async (ctx) => {
  ctx.response.body = await withClient(async (client) => {
    const { rows } = await client.queryObject`SELECT * FROM dyes WHERE colour = ${ctx.params.colour}`;
    return rows;
  });
});

router.get('/weavers', async (ctx) => {
  const town = ctx.request.url.searchParams.get('town') ?? 'Aubusson';
  ctx.response.body = await withClient(async (client) => {
    const { rows } = await client.queryObject(`SELECT name FROM weavers WHERE town = '${town}'`);
    return rows;
  });
});

router.get('/cartoons/:name', async (ctx) => {
  let file: string;
  try {
    file = await Deno.realPath(join(CARTOONS, ctx.params.name));
  } catch {
    ctx.response.status = 404;
    return;
  }
  if (!file.startsWith(`${CARTOONS}/`)) {
    ctx.response.status = 404;
    return;
  }
  ctx.response.body = await Deno.readFile(file);
});

router.get('/threads', async (ctx: Context) => {
  const version = ctx.request.headers.get('accept-version') ?? 'latest';
  const name = basename(ctx.request.url.searchParams.get('name') ?? 'wool');
  ctx.response.body = await Deno.readTextFile(`${THREADS}/${version}/${name}.json`);
});

router.post('/palette', async (ctx) => {
  const { image, colours } = await ctx.request.body.json();
  const count = Number(colours) || 8;
  const line = `convert "${CARTOONS}/${image}" -colors ${count} -unique-colors txt:-`;
  ctx.response.body = await output('sh', ['-c', line]);
});

router.post('/estimate', async (ctx) => {
  const { width, height, note } = await ctx.request.body.json();
  ctx.response.body = await output('weave-estimate', [`--size=${width}x${height}`, `--note=${note}`]);
});

const app = new Application();
app.use(router.routes());
app.use(router.allowedMethods());
await app.listen({ port: 8010 });
