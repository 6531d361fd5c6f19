/** What is known of one analysis: how often it is right on which material, how fast, beside which other tool. See docs/quality.md. */
export interface AnalysisQuality {
  readonly title: string;
  readonly corpora: readonly CorpusQuality[];
  /** Mistakes on all corpora, the most frequent kind first. */
  readonly mistakes: readonly Mistake[];
  /** What a reader must know to read the figures: a peer that could not be had, a corpus that is not public. */
  readonly notes: readonly string[];
}

export interface CorpusQuality {
  readonly name: string;
  /**
   * `own`: written beside the rules. `blind`: written by someone who had not read the rules, and not read since. `read`: the same, but read
   * since, to learn what is missed. `public`: of another project. `lab`: servers of the lab.
   */
  readonly origin: 'own' | 'blind' | 'read' | 'public' | 'lab';
  /** Such as `320 programs in 7 languages`. */
  readonly size: string;
  /** This service first, then other tools on the same material, in the same run. */
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  /** Name with version, such as `bandit 1.6.2`. */
  readonly tool: string;
  readonly counts: Counts;
  /** For the whole corpus, one run, wall time; null: not measured. */
  readonly seconds: number | null;
  /** In the unit that the corpus is spoken of, such as `4.1 MB/s` or `0.4 s a server`; null: not measured. */
  readonly speed: string | null;
}

/** Decisions by the label that a reader of the material gave them. */
export interface Counts {
  readonly truePositives: number;
  /** Null: not counted, as the material does not say what is wrong to report. */
  readonly falsePositives: number | null;
  readonly falseNegatives: number;
  /** Null: the material has no things that are to be left alone, one by one. */
  readonly trueNegatives: number | null;
}

/** One decision that was wrong, or a kind of them. */
export interface Mistake {
  /** What the cases have in common, in plain words: `value through a field of another class: missed`. */
  readonly kind: string;
  readonly count: number;
  /** Name of one such case. */
  readonly example: string;
}

/** Where the material lies that does not belong to the project, and where other tools are installed. */
export interface Material {
  /** Folder of public test suites; null: not given. */
  readonly suites: string | null;
  /** Folder into which other tools of npm may be installed; null: other tools are not to be run. */
  readonly peers: string | null;
}

export type MeasureQuality = (material: Material) => Promise<AnalysisQuality>;
