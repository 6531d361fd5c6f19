import type { CatalogView } from '../catalog/catalog-view.ts';
import type { AtlasCaseStudy, AtlasTechnique } from '../feeds/atlas/atlas-entries.ts';
import type { Defense } from '../feeds/d3fend/d3fend-entries.ts';

/** A resource that lists a whole catalog in short rows. */
export interface CatalogResource {
  uri: string;
  operationId: string;
}

/** A resource template for the records of one operation. */
export interface RecordResource {
  /** The template without `/{id}`: `cwe://weakness`. */
  uriPrefix: string;
  title: string;
  description: string;
  operationId: string;
  /** The operation's input that takes the id. */
  idField: string;
  listIds: (view: CatalogView) => string[];
}

export const CATALOG_RESOURCES: readonly CatalogResource[] = [
  { uri: 'atlas://catalog', operationId: 'atlas_catalog' },
  { uri: 'd3fend://catalog', operationId: 'd3fend_catalog' },
  { uri: 'cwe://catalog', operationId: 'cwe_catalog' },
];

export const RECORD_RESOURCES: readonly RecordResource[] = [
  {
    uriPrefix: 'atlas://technique',
    title: 'ATLAS technique',
    description: 'One technique against AI systems, such as AML.T0051.',
    operationId: 'atlas_technique_lookup',
    idField: 'technique_id',
    listIds: (view) => view.allDocuments<AtlasTechnique>('atlas_technique').map(({ technique_id }) => technique_id),
  },
  {
    uriPrefix: 'atlas://case-study',
    title: 'ATLAS case study',
    description: 'One incident or exercise against an AI system in full, such as AML.CS0000.',
    operationId: 'atlas_case_study_lookup',
    idField: 'case_study_id',
    listIds: (view) => view.allDocuments<AtlasCaseStudy>('atlas_case_study').map(({ case_study_id }) => case_study_id),
  },
  {
    uriPrefix: 'd3fend://defense',
    title: 'D3FEND defense',
    description: 'One defensive technique with the attack techniques that it counters.',
    operationId: 'd3fend_defense_lookup',
    idField: 'defense_id',
    listIds: (view) => view.allDocuments<Defense>('d3fend_defense').map(({ defense_id }) => defense_id),
  },
  {
    uriPrefix: 'cwe://weakness',
    title: 'CWE weakness',
    description: 'One weakness in full, such as 79.',
    operationId: 'cwe_lookup',
    idField: 'cwe_id',
    listIds: (view) => view.researchViewWeaknesses().map(({ cwe_id }) => cwe_id.slice('CWE-'.length)),
  },
];
