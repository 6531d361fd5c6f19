import Fastify from 'fastify';
import { execFile, exec } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(exec);
const runFile = promisify(execFile);

interface Renderer {
  render(title: string): Promise<string>;
}

abstract class BaseRenderer implements Renderer {
  protected clean(text: string): string {
    return text.trim();
  }
  abstract render(title: string): Promise<string>;
}

class PdfRenderer extends BaseRenderer {
  async render(title: string): Promise<string> {
    const t = this.clean(title);
    const { stdout } = await run(`wkhtmltopdf --title "${t}" /tmp/in.html /tmp/out.pdf && echo /tmp/out.pdf`);
    return stdout;
  }
}

class TextRenderer extends BaseRenderer {
  async render(title: string): Promise<string> {
    const { stdout } = await runFile('figlet', ['-w', '100', '--', this.clean(title)]);
    return stdout;
  }
}

const renderers: { [kind: string]: Renderer } = {
  pdf: new PdfRenderer(),
  text: new TextRenderer(),
};

const app = Fastify();

app.get<{ Querystring: { kind: string; title: string } }>('/render', async (req, reply) => {
  const r = renderers[req.query.kind];
  if (!r) return reply.code(404).send();
  return { out: await r.render(req.query.title) };
});

app.listen({ port: 7000 });
