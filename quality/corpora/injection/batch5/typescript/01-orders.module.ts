import { BadRequestException, Body, Controller, Delete, Get, Headers, Injectable, Module, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { InjectDataSource, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { IsIn, IsOptional, IsString, Length } from 'class-validator';
import { DataSource, Repository } from 'typeorm';
import { Order } from './order.entity';

export class OrderSearchDto {
  @IsOptional()
  @IsIn(['open', 'shipped', 'cancelled'])
  status?: string;

  @IsOptional()
  @IsString()
  @Length(1, 60)
  customer?: string;
}

const GROUP_COLUMNS = new Map<string, string>([
  ['country', 'o.country_code'],
  ['channel', 'o.sales_channel'],
]);

@Injectable()
export class OrdersService {
  constructor(
    @InjectRepository(Order) private readonly orders: Repository<Order>,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  search(dto: OrderSearchDto): Promise<Order[]> {
    const qb = this.orders.createQueryBuilder('o').take(50);
    if (dto.status) {
      qb.andWhere('o.status = :status', { status: dto.status });
    }
    if (dto.customer) {
      qb.andWhere(`o.customerName ILIKE '${dto.customer}%'`);
    }
    return qb.getMany();
  }

  totals(groupBy: string) {
    const column = GROUP_COLUMNS.get(groupBy);
    if (!column) throw new BadRequestException('groupBy');
    return this.dataSource.query(`SELECT ${column} AS label, SUM(o.total) AS total FROM orders o GROUP BY ${column}`);
  }

  removeLines(orderId: number) {
    return this.dataSource.query('DELETE FROM order_lines WHERE order_id = ' + orderId);
  }

  exportFor(tenant: string) {
    const schema = tenant ? `tenant_${tenant}` : 'public';
    return this.dataSource.query(`SELECT id, total, country_code FROM ${schema}.orders`);
  }
}

@Controller('orders')
export class OrdersController {
  constructor(private readonly service: OrdersService) {}

  @Post('search')
  search(@Body() dto: OrderSearchDto) {
    return this.service.search(dto);
  }

  @Get('totals')
  totals(@Query('groupBy') groupBy: string) {
    return this.service.totals(groupBy);
  }

  @Delete(':id/lines')
  removeLines(@Param('id', ParseIntPipe) id: number) {
    return this.service.removeLines(id);
  }

  @Get('export')
  export(@Headers('x-tenant') tenant: string) {
    return this.service.exportFor(tenant);
  }
}

@Module({ imports: [TypeOrmModule.forFeature([Order])], controllers: [OrdersController], providers: [OrdersService] })
export class OrdersModule {}
