/** The queue that replicas share. The build makes one file of it, which processes load that use PostgreSQL. */
export { PgBoss } from 'pg-boss';
