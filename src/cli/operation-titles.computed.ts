import { needsCaller, type Operation } from '../engine/operation.ts';
import { OPERATIONS } from '../operations/list.ts';

/** What the list of commands shows of an operation. */
export type OperationTitle = Pick<Operation, 'id' | 'area' | 'title' | 'description'>;

/** The operations that the command line offers. The build puts this value in the place of this module: `--help` loads no operation. */
export const OPERATION_TITLES: readonly OperationTitle[] = OPERATIONS.filter(
  (operation) => !needsCaller(operation),
).map(({ id, area, title, description }) => ({ id, area, title, description }));
