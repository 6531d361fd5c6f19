/**
 * Answers of live sources that replicas share, so that one of them asks for all. `name` is opaque. Nothing here rejects or
 * takes long: without the engine there is no answer, and everybody may ask.
 */
export interface SharedAnswers {
  get(name: string): Promise<SharedAnswer | null>;
  put(name: string, answer: SharedAnswer, ttlMs: number): Promise<void>;
  /** The turn to ask, held for at most `ttlMs`; null while another replica has it. */
  turn(name: string, ttlMs: number): Promise<Turn | null>;
  /** Whether a replica has the turn. */
  isTaken(name: string): Promise<boolean>;
}

export interface SharedAnswer {
  found: unknown;
  /** When it was asked for, milliseconds since 1970. */
  at: number;
}

export interface Turn {
  end(): Promise<void>;
}
