export interface TlsQuestion {
  /** ASCII form. */
  host: string;
  port: number;
  /** `certificate`: one handshake; `suites`: also versions and cipher suites, which a grade needs; `all`: all settings. */
  detail: 'certificate' | 'suites' | 'all';
}
