import { Body, Controller, Get, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, DataSource, Entity, PrimaryGeneratedColumn, Repository, SelectQueryBuilder } from 'typeorm';

@Entity('members')
export class Member {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  name!: string;

  @Column()
  city!: string;

  @Column()
  plan!: string;
}

interface SegmentRule {
  column: string;
  min: number;
}

interface SegmentRequest {
  label: string;
  rules: SegmentRule[];
}

@Controller('members')
export class MembersController {
  constructor(
    @InjectRepository(Member) private readonly members: Repository<Member>,
    private readonly dataSource: DataSource,
  ) {}

  @Get()
  search(@Query('name') name: string): Promise<Member[]> {
    return this.members
      .createQueryBuilder('m')
      .where('m.name LIKE :name', { name: `%${name}%` })
      .take(50)
      .getMany();
  }

  @Get('directory')
  directory(@Query('city') city?: string, @Query('plan') plan?: string): Promise<Member[]> {
    const qb = this.members.createQueryBuilder('m').take(200);
    this.applyFilters(qb, { city, plan });
    return qb.getMany();
  }

  @Get(':id/invoices')
  invoices(@Param('id', ParseIntPipe) id: number): Promise<unknown[]> {
    return this.dataSource.query(`SELECT id, total, due_on FROM invoices WHERE member_id = ${id}`);
  }

  @Post('segments')
  async segment(@Body() request: SegmentRequest) {
    const condition = request.rules.reduce(
      (acc, rule) => `${acc} OR ${rule.column} > ${Number(rule.min)}`,
      '1 = 0',
    );
    const rows = await this.dataSource.query(`SELECT id FROM members WHERE ${condition}`);
    return { label: request.label, size: rows.length };
  }

  private applyFilters(qb: SelectQueryBuilder<Member>, filters: Record<string, string | undefined>): void {
    for (const [field, value] of Object.entries(filters)) {
      if (value) {
        qb.andWhere(`m.${field} = '${value}'`);
      }
    }
  }
}
