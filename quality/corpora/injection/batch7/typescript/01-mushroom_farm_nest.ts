import { BadRequestException, Body, Controller, Get, Injectable, Param, ParseEnumPipe, ParseIntPipe, Post, Query } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';

const execAsync = promisify(exec);

export enum Flush {
  First = 'first',
  Second = 'second',
  Third = 'third',
}

export class HarvestQuery {
  room?: string;
  order?: string;
}

export class LabelDto {
  strain!: string;
  grams!: number;
}

@Injectable()
export class HarvestService {
  private static readonly sortable = ['picked_at', 'grams', 'room'] as const;

  constructor(@InjectDataSource() private readonly db: DataSource) {}

  byFlush(house: number, flush: Flush) {
    return this.db.query(
      `SELECT room, sum(grams) AS grams FROM harvests WHERE house = ${house} AND flush = '${flush}' GROUP BY room`,
    );
  }

  list(query: HarvestQuery) {
    const order = HarvestService.sortable.find((c) => c === query.order) ?? 'picked_at';
    return this.db.query(`SELECT * FROM harvests WHERE room = $1 ORDER BY ${order} LIMIT 100`, [query.room]);
  }

  climate(query: HarvestQuery) {
    return this.db
      .createQueryBuilder()
      .select(['c.taken_at', 'c.humidity'])
      .from('climate', 'c')
      .where(`c.room = '${query.room ?? 'A1'}'`)
      .getRawMany();
  }
}

@Controller('farm')
export class FarmController {
  constructor(private readonly harvests: HarvestService) {}

  @Get('houses/:house/:flush')
  flush(
    @Param('house', ParseIntPipe) house: number,
    @Param('flush', new ParseEnumPipe(Flush)) flush: Flush,
  ) {
    return this.harvests.byFlush(house, flush);
  }

  @Get('harvests')
  harvestList(@Query() query: HarvestQuery) {
    return this.harvests.list(query);
  }

  @Get('climate')
  climateList(@Query() query: HarvestQuery) {
    return this.harvests.climate(query);
  }

  @Post('labels')
  async label(@Body() dto: LabelDto) {
    if (dto.grams <= 0) {
      throw new BadRequestException('grams');
    }
    const { stdout } = await execAsync(`label-print -q crates "${dto.strain} ${dto.grams} g"`);
    return { stdout };
  }

  @Post('mist/:house')
  async mist(@Param('house', ParseIntPipe) house: number) {
    const { stdout } = await execAsync(`mist-ctl --house ${house} --seconds 20`);
    return { stdout };
  }
}
