import { Controller, Get, Query, BadRequestException } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import * as mysql from 'mysql2';

const SORTABLE: Record<string, string> = {
  date: 'o.created_at',
  total: 'o.total',
};

@Controller('orders')
export class OrdersController {
  constructor(@InjectDataSource() private readonly ds: DataSource) {}

  @Get()
  async list(@Query('sort') sort: string, @Query('dir') dir: string) {
    const column = new Map(Object.entries(SORTABLE)).get(sort);
    if (!column) {
      throw new BadRequestException('unknown sort');
    }
    const direction = dir === 'desc' ? 'DESC' : 'ASC';
    return this.ds.query(`SELECT o.id, o.total FROM orders o ORDER BY ${column} ${direction}`);
  }

  @Get('archive')
  async archive(@Query('sort') sort: string) {
    const column = mysql.escape(sort).slice(1, -1);
    return this.ds.query(`SELECT id, total FROM orders_archive ORDER BY ${column}`);
  }
}
