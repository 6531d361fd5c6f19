import { Controller, Get, Param, ParseUUIDPipe, ParseEnumPipe, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { createReadStream } from 'fs';
import { join } from 'path';
import { Connection } from 'mysql2/promise';

enum Kind {
  Invoice = 'invoice',
  Offer = 'offer',
}

@Controller('documents')
export class DocumentsController {
  constructor(private readonly conn: Connection) {}

  @Get(':id/pdf')
  pdf(@Param('id', new ParseUUIDPipe()) id: string): StreamableFile {
    return new StreamableFile(createReadStream(join('/srv/documents', id + '.pdf')));
  }

  @Get('kind/:kind')
  async byKind(@Param('kind', new ParseEnumPipe(Kind)) kind: Kind) {
    const [rows] = await this.conn.query(`SELECT id, title FROM docs_${kind}`);
    return rows;
  }

  @Get(':id/scan')
  scan(@Param('id') id: string, @Res() res: Response) {
    res.set('Content-Type', 'image/tiff');
    createReadStream(`/srv/scans/${id}.tiff`).pipe(res);
  }
}
