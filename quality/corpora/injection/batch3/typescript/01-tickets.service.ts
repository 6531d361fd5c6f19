import { Controller, Get, Injectable, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, PrimaryGeneratedColumn, Repository } from 'typeorm';

@Entity()
export class Ticket {
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column() subject!: string;
  @Column() queue!: string;
  @Column() assignee!: string;
}

@Injectable()
export class TicketsService {
  constructor(@InjectRepository(Ticket) private readonly tickets: Repository<Ticket>) {}

  inQueue(queue: string, text: string): Promise<Ticket[]> {
    return this.tickets
      .createQueryBuilder('t')
      .where('t.queue = :queue', { queue })
      .andWhere(`t.subject ILIKE '%${text}%'`)
      .getMany();
  }

  sortedBy(column: string): Promise<Ticket[]> {
    return this.tickets.query('SELECT * FROM ticket ORDER BY ' + column);
  }

  assignedTo(assignee: string): Promise<Ticket[]> {
    return this.tickets.createQueryBuilder('t').where('t.assignee = :assignee', { assignee }).getMany();
  }

  history(id: string) {
    return this.tickets.query(`SELECT at, note FROM ticket_log WHERE ticket_id = '${id}' ORDER BY at`);
  }
}

@Controller('tickets')
export class TicketsController {
  constructor(private readonly service: TicketsService) {}

  @Get()
  search(@Query('queue') queue: string, @Query('text') text = '') {
    return this.service.inQueue(queue, text);
  }

  @Get('assigned/:who')
  assigned(@Param('who') who: string) {
    return this.service.assignedTo(who);
  }

  @Get('sorted')
  sorted(@Query('by') by = 'subject') {
    return this.service.sortedBy(by);
  }

  @Get(':id/history')
  historyOf(@Param('id', new ParseUUIDPipe()) id: string) {
    return this.service.history(id);
  }
}
