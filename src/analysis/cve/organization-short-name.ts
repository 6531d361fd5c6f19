/**
 * Short names of organisations by their id at the CVE Program, which NVD records use. CVE records have both
 * (`providerMetadata.orgId` and `shortName`); listed are the organisations whose scores, weaknesses or references are in NVD data.
 */
const ORGANIZATION_SHORT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'af854a3a-2127-422b-91ae-364da2661108': 'CVE',
    '416baaa9-dc9f-4396-8d5f-8c081fb06d67': 'Linux',
    '134c704f-9b21-4f2e-91b3-4a467353bcc0': 'CISA-ADP',
    '73dc0fef-1c66-4a72-9d2d-0a0f4012c175': 'Acronis',
    '7e40ea87-bc65-4944-9723-dd79dd760601': 'autodesk',
    '28c92f92-d60d-412d-b760-e73465c3df22': 'PSF',
    '0fc0942c-577d-436f-ae8e-945763c79b02': 'ManageEngine',
    '9119a7d8-5eab-497f-8521-727c672e3725': 'cisa-cg',
    'b3d5ebe7-963e-41fb-98e1-2edaeabb8f82': 'Bitdefender',
    '404e59f5-483d-4b8a-8e7a-e67604dd8afb': 'suse',
    '455daabc-a392-441d-aa46-37d35189897c': 'NCSC.ch',
    '551230f0-3615-47bd-b7cc-93e92e730bbf': 'SEC-VLab',
    'ca2a266c-be2f-4d4b-92d0-47b76b1a9c4e': 'Perforce',
    '57da9224-a3e2-4646-9d0e-c4dc2e05e7da': 'GRAFANA',
    '74586083-13ce-40fd-b46a-8e5d23cfbcb2': 'hp',
    'dc3f6da9-85b5-4a73-84a2-2ec90b40fca5': 'Microchip',
    '027e81ed-0dd4-4685-ab4d-884aec5bb484': 'Mandiant',
    '63375d6c-d89a-45ed-8ecc-c8c361b0e04c': 'PandoraFMS',
    '686469e6-3ff6-451b-ab8b-cf5b9e89401e': 'Docker',
    '36c7be3b-2937-45df-85ea-ca7133ea542c': 'HeroDevs',
    '907edf6c-bf03-423e-ab1a-8da27e1aa1ea': 'TECNOMobile',
    '10b61619-3869-496c-8a1e-f291b0e71e3f': 'Xerox',
    'da451dce-859b-4e51-8b87-9c8b60d19b32': 'hikvision',
    '4fc57720-52fe-4431-a0fb-3d2c8747b827': 'facebook',
    '103e4ec9-0a87-450b-af77-479448ddef11': 'Sonatype',
    '67325c3f-c596-46c5-a235-e1a1e73abe4e': 'JAMF',
    '367425dc-4d06-4041-9650-c2dc6aaa27ce': 'imaginationtech',
    'b48c3b8f-639e-4c16-8725-497bc411dad0': 'Nokia',
  }),
);

/** The short name for an organisation id: `CISA-ADP`; unknown ids and other texts are returned unchanged. */
export function organizationShortName(source: string): string {
  return ORGANIZATION_SHORT_NAMES.get(source.toLowerCase()) ?? source;
}
