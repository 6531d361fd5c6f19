import type { CatalogView } from '../catalog/view.ts';
import type { AtlasCaseStudy, AtlasTechnique } from '../feeds/atlas/entry.ts';
import type { Defense } from '../feeds/d3fend/entry.ts';

/** A whole catalog, as short rows to pick from. */
export interface CatalogResource {
  uri: string;
  operation: string;
}

/** One record of a catalog: what an operation answers in full. */
export interface RecordResource {
  /** `cwe://weakness` of `cwe://weakness/{id}`. */
  address: string;
  title: string;
  description: string;
  operation: string;
  /** The operation's input that takes the id. */
  field: string;
  ids: (view: CatalogView) => string[];
}

export const CATALOGS: readonly CatalogResource[] = [
  { uri: 'atlas://catalog', operation: 'atlas_catalog' },
  { uri: 'd3fend://catalog', operation: 'd3fend_catalog' },
  { uri: 'cwe://catalog', operation: 'cwe_catalog' },
];

export const RECORDS: readonly RecordResource[] = [
  {
    address: 'atlas://technique',
    title: 'ATLAS technique',
    description: 'One technique against AI systems, such as AML.T0051.',
    operation: 'atlas_technique_lookup',
    field: 'technique_id',
    ids: (view) => view.allDocuments<AtlasTechnique>('atlas_technique').map(({ technique_id }) => technique_id),
  },
  {
    address: 'atlas://case-study',
    title: 'ATLAS case study',
    description: 'One incident or exercise against an AI system in full, such as AML.CS0000.',
    operation: 'atlas_case_study_lookup',
    field: 'case_study_id',
    ids: (view) => view.allDocuments<AtlasCaseStudy>('atlas_case_study').map(({ case_study_id }) => case_study_id),
  },
  {
    address: 'd3fend://defense',
    title: 'D3FEND defense',
    description: 'One defensive technique with the attack techniques that it counters.',
    operation: 'd3fend_defense_lookup',
    field: 'defense_id',
    ids: (view) => view.allDocuments<Defense>('d3fend_defense').map(({ defense_id }) => defense_id),
  },
  {
    address: 'cwe://weakness',
    title: 'CWE weakness',
    description: 'One weakness in full, such as 79.',
    operation: 'cwe_lookup',
    field: 'cwe_id',
    ids: (view) => view.weaknesses().map(({ cwe_id }) => cwe_id.slice('CWE-'.length)),
  },
];
