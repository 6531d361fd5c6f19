import {
  Body,
  Controller,
  Get,
  Injectable,
  Param,
  ParseEnumPipe,
  ParseIntPipe,
  Post,
  Query,
} from '@nestjs/common';
import { DataSource } from 'typeorm';

type SortColumn = 'placed_at' | 'total' | 'customer';

enum OrderStatus {
  Open = 'open',
  Paid = 'paid',
  Shipped = 'shipped',
}

interface NoteBody {
  text: string;
}

@Injectable()
export class OrdersService {
  constructor(private readonly source: DataSource) {}

  list(sort: SortColumn, limit: number) {
    return this.source.query(`SELECT * FROM orders ORDER BY ${sort} LIMIT $1`, [limit]);
  }

  byStatus(status: OrderStatus) {
    return this.source.query(`SELECT id, total FROM orders WHERE status = '${status}'`);
  }

  one(id: number) {
    return this.source.query('SELECT * FROM orders WHERE id = ' + id);
  }

  async addNote(id: number, note: NoteBody) {
    const text = note.text.trim();
    await this.source.query(`INSERT INTO notes (order_id, text) VALUES (${id}, '${text}')`);
    return this.source.query('SELECT text FROM notes WHERE order_id = $1 AND text = $2', [id, text]);
  }
}

@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  list(@Query('sort') sort: string, @Query('limit', new ParseIntPipe({ optional: true })) limit = 20) {
    return this.orders.list((sort ?? 'placed_at') as SortColumn, limit);
  }

  @Get('status/:status')
  byStatus(@Param('status', new ParseEnumPipe(OrderStatus)) status: OrderStatus) {
    return this.orders.byStatus(status);
  }

  @Get(':id')
  one(@Param('id', ParseIntPipe) id: number) {
    return this.orders.one(id);
  }

  @Post(':id/notes')
  addNote(@Param('id', ParseIntPipe) id: number, @Body() body: NoteBody) {
    return this.orders.addNote(id, body);
  }
}
