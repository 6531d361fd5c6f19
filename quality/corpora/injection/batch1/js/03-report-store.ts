import { Controller, Get, Param, Res } from '@nestjs/common';
import { Response } from 'express';
import { createReadStream } from 'fs';
import { join } from 'path';

const ROOT = '/var/lib/reports';

class ReportFile {
  private readonly full: string;

  constructor(private readonly tenant: string, name: string) {
    this.full = join(ROOT, tenant, name);
  }

  stream() {
    return createReadStream(this.full);
  }

  cover() {
    return createReadStream(join(ROOT, 'cover.pdf'));
  }
}

@Controller('reports')
export class ReportsController {
  @Get(':name')
  download(@Param('name') name: string, @Res() res: Response) {
    const report = new ReportFile('acme', name);
    res.type('application/pdf');
    report.stream().pipe(res);
  }

  @Get('cover/page')
  cover(@Res() res: Response) {
    new ReportFile('acme', 'x').cover().pipe(res);
  }
}
