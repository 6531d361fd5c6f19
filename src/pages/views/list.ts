/** A view of the answers of one tool, for MCP hosts that show HTML (MCP Apps). */
export interface View {
  readonly tool: string;
  readonly uri: string;
  readonly title: string;
  /** Module in this folder whose `renderAnswer` draws an answer of the tool. */
  readonly source: string;
}

export const VIEWS: readonly View[] = [
  { tool: 'cve_lookup', uri: 'ui://sextant/cve', title: 'CVE', source: 'cve-view.ts' },
  { tool: 'domain_report', uri: 'ui://sextant/domain', title: 'Domain report', source: 'domain-view.ts' },
  { tool: 'check_dependencies', uri: 'ui://sextant/dependencies', title: 'Dependencies', source: 'dependency-view.ts' },
];
