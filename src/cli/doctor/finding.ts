/** What one check found. `note`: worth knowing, nothing to repair. */
export interface Finding {
  check: string;
  state: 'ok' | 'note' | 'wrong';
  detail: string;
  /** What to do about it. */
  hint: string | null;
}

export function ok(check: string, detail: string): Finding {
  return { check, state: 'ok', detail, hint: null };
}

export function note(check: string, detail: string, hint: string | null = null): Finding {
  return { check, state: 'note', detail, hint };
}

export function wrong(check: string, detail: string, hint: string | null = null): Finding {
  return { check, state: 'wrong', detail, hint };
}
