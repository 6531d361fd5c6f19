import { exec, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';

const shell = promisify(exec);
const program = promisify(execFile);
const OUT = '/srv/exports';
const WRITERS = new Map([['md', 'gfm'], ['txt', 'plain'], ['rst', 'rst']]);

interface ExportJob {
  kind: string;
  reportId: string;
  folder: string;
  format?: string;
  options?: { converter?: string };
}

interface Exporter {
  readonly extension: string;
  write(job: ExportJob, output: string): Promise<unknown>;
}

class PdfExporter implements Exporter {
  readonly extension = 'pdf';

  write(job: ExportJob, output: string) {
    const url = `https://reports.internal/render?id=${encodeURIComponent(job.reportId)}`;
    return program('weasyprint', [url, output]);
  }
}

class ArchiveExporter implements Exporter {
  readonly extension = 'zip';

  write({ folder }: ExportJob, output: string) {
    return shell(`zip -qr ${output} ${folder}`, { cwd: '/srv/reports' });
  }
}

class SheetExporter implements Exporter {
  readonly extension = 'xlsx';

  write({ options }: ExportJob, output: string) {
    const converter = options?.converter ?? 'ssconvert';
    const child = spawn(converter, ['/srv/reports/current.csv', output]);
    return once(child, 'close');
  }
}

class TextExporter implements Exporter {
  readonly extension = 'txt';

  write(job: ExportJob, output: string) {
    const writer = WRITERS.get(job.format ?? 'txt') ?? 'plain';
    return shell(`pandoc /srv/reports/current.html -t ${writer} -o ${output}`);
  }
}

@Controller()
export class ExportsConsumer {
  private readonly exporters = new Map<string, Exporter>([
    ['pdf', new PdfExporter()],
    ['archive', new ArchiveExporter()],
    ['sheet', new SheetExporter()],
    ['text', new TextExporter()],
  ]);

  @MessagePattern('exports.create')
  async create(@Payload() job: ExportJob): Promise<string> {
    const exporter = this.exporters.get(job.kind) ?? new TextExporter();
    const output = path.join(OUT, `${randomUUID()}.${exporter.extension}`);
    await exporter.write(job, output);
    return path.basename(output);
  }

  @EventPattern('exports.expired')
  async remove(@Payload() { file }: { file: string }): Promise<void> {
    await unlink(path.join(OUT, file));
  }
}
