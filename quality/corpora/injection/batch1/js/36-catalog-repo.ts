import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Item } from './item.entity';

@Controller('catalog')
export class CatalogController {
  constructor(@InjectRepository(Item) private readonly items: Repository<Item>) {}

  @Get()
  list(@Query('maker') maker: string) {
    return this.items
      .createQueryBuilder('i')
      .where('i.maker = :maker', { maker })
      .orderBy('i.id')
      .getMany();
  }

  @Get('loose')
  loose(@Query('maker') maker: string) {
    return this.items.createQueryBuilder('i').where(`i.maker = '${maker}'`).getMany();
  }

  @Get('raw')
  raw(@Query('color') color: string) {
    return this.items.query("SELECT * FROM item WHERE color = '" + color + "'");
  }

  @Post('find')
  find(@Body('title') title: string) {
    return this.items.findBy({ title: String(title) });
  }

  @Get('count')
  count(@Query('tag') tag: string) {
    return this.items.createQueryBuilder('i').andWhere("'" + tag + "' = ANY(i.tags)").getCount();
  }
}
