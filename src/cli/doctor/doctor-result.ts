/** Result of one check. `note`: information, nothing to repair. */
export interface DoctorResult {
  check: string;
  state: 'ok' | 'note' | 'wrong';
  detail: string;
  /** How to repair it. */
  hint: string | null;
}

export function okResult(check: string, detail: string): DoctorResult {
  return { check, state: 'ok', detail, hint: null };
}

export function noteResult(check: string, detail: string, hint: string | null = null): DoctorResult {
  return { check, state: 'note', detail, hint };
}

export function wrongResult(check: string, detail: string, hint: string | null = null): DoctorResult {
  return { check, state: 'wrong', detail, hint };
}
