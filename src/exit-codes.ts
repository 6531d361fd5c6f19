/** How a command can end. Scripts rely on the numbers: they are never given another meaning. */
export const EXIT_CODES = {
  ok: { status: 0, means: 'done' },
  failed: { status: 1, means: 'failed, or failed in part' },
  usage: { status: 2, means: 'wrong usage: a command, an argument, an option or a setting' },
  not_found: { status: 3, means: 'well-formed, but not known here' },
  busy: { status: 4, means: 'another sync or import of this data folder is running' },
  refused: { status: 5, means: 'a catalog file is damaged, not trusted, or of another version' },
  incomplete: { status: 6, means: 'sextant check: nothing that fails was found, but not everything could be read' },
  interrupted: { status: 130, means: 'stopped by a signal; nothing was changed' },
} as const satisfies Record<string, { status: number; means: string }>;

export type ExitCodeName = keyof typeof EXIT_CODES;

/** An error shown to the user of a command: one or two sentences, no stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: ExitCodeName;

  constructor(exit: ExitCodeName, message: string) {
    super(message);
    this.exit = exit;
  }
}
