import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { APIGatewayProxyEventV2, APIGatewayProxyResultV2 } from 'aws-lambda';

const run = promisify(execFile);
const TEMPLATES = '/opt/templates';
const SIZES = new Map<string, string>([['a4', 'A4'], ['a5', 'A5'], ['letter', 'Letter']]);

interface RenderRequest {
  fields: Record<string, string>;
  size?: string;
  pages?: string;
}

class RenderJob {
  private readonly html = join('/tmp', `${randomUUID()}.html`);
  readonly pdf = this.html.replace('.html', '.pdf');
  private selection = '';

  constructor(private readonly request: RenderRequest) {}

  static from(event: APIGatewayProxyEventV2): RenderJob {
    const raw = event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64').toString() : event.body ?? '{}';
    return new RenderJob(JSON.parse(raw) as RenderRequest);
  }

  async fill(template: string): Promise<void> {
    const source = await readFile(join(TEMPLATES, template), 'utf8');
    const filled = source.replace(/{{(\w+)}}/g, (_, key: string) => this.request.fields[key] ?? '');
    await writeFile(this.html, filled);
  }

  async print(): Promise<void> {
    const size = SIZES.get(this.request.size ?? 'a4') ?? 'A4';
    await run('wkhtmltopdf', ['--page-size', size, this.html, this.pdf]);
    this.selection = this.request.pages ?? '';
  }

  async trim(): Promise<string> {
    if (!this.selection) {
      return this.pdf;
    }
    const output = `${this.pdf}.cut`;
    const script = ['qpdf', this.pdf, '--pages', '.', this.selection, '--', output].join(' ');
    await run('bash', ['-lc', script]);
    return output;
  }
}

export async function handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyResultV2> {
  const job = RenderJob.from(event);
  await job.fill(event.headers['x-template'] ?? 'invoice.html');
  await job.print();
  const result = await job.trim();
  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ result }),
  };
}
