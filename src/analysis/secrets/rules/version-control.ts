import { endsWithBase62Crc } from '../checksum.ts';
import {
  type SecretCandidate,
  type SecretAssessment,
  defineNamedValueRule,
  type SecretRule,
  defineTokenRule,
} from '../secret-rule.ts';
import type { Severity } from '../../severity.ts';

const WRONG_CHECKSUM = 'Its checksum does not fit: it is incomplete, mistyped or made up.';

/** Tokens of this form carry a checksum: what lacks it was never issued. */
function assessByChecksum(severity: Severity): (candidate: SecretCandidate) => SecretAssessment {
  return ({ body }) => (endsWithBase62Crc(body) ? { severity } : { severity: 'LOW', note: WRONG_CHECKSUM });
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Version control, build servers, package registries, code quality. */
export const VCS_RULES: readonly SecretRule[] = [
  defineTokenRule(
    'github_personal_access_token',
    ['GitHub', 'personal access token', 'CRITICAL'],
    'ghp_',
    '[A-Za-z0-9]{36}',
    'ghp_{crc62}',
    { assess: assessByChecksum('CRITICAL') },
  ),
  defineTokenRule(
    'github_oauth_token',
    ['GitHub', 'OAuth access token', 'CRITICAL'],
    'gho_',
    '[A-Za-z0-9]{36}',
    'gho_{crc62}',
    {
      assess: assessByChecksum('CRITICAL'),
    },
  ),
  defineTokenRule(
    'github_app_token',
    ['GitHub', 'App token', 'HIGH'],
    ['ghu_', 'ghs_'],
    '[A-Za-z0-9]{36}',
    'ghs_{crc62}',
    {
      assess: assessByChecksum('HIGH'),
    },
  ),
  defineTokenRule(
    'github_refresh_token',
    ['GitHub', 'refresh token', 'CRITICAL'],
    'ghr_',
    '[A-Za-z0-9]{36}',
    'ghr_{crc62}',
    {
      assess: assessByChecksum('CRITICAL'),
    },
  ),
  defineTokenRule(
    'github_fine_grained_token',
    ['GitHub', 'fine-grained personal access token', 'CRITICAL'],
    'github_pat_',
    '[A-Za-z0-9]{20,26}_[A-Za-z0-9]{50,70}',
    'github_pat_{n:22}_{n:59}',
  ),
  defineTokenRule(
    'gitlab_personal_access_token',
    ['GitLab', 'personal access token', 'CRITICAL'],
    'glpat-',
    '[\\w-]{20}',
    'glpat-{n:20}',
  ),
  defineTokenRule(
    'gitlab_token',
    ['GitLab', 'token', 'HIGH'],
    ['gldt-', 'glft-', 'glffct-', 'glimt-', 'glptt-', 'glsoat-', 'glagent-', 'gloas-', 'glcbt-', 'glrtr-', 'glwt-'],
    '[\\w-]{20,64}',
    'gldt-{n:20}',
    { endPattern: '(?![\\w.-])' },
  ),
  defineTokenRule(
    'gitlab_runner_token',
    ['GitLab', 'runner authentication token', 'HIGH'],
    'glrt-',
    '[\\w-]{20}',
    'glrt-{n:20}',
  ),
  defineTokenRule(
    'gitlab_routable_token',
    ['GitLab', 'token', 'CRITICAL'],
    ['glpat-', 'glrt-t', 'gldt-', 'glptt-'],
    '[\\w-]{22,300}\\.[0-9a-z]{2}\\.?[0-9a-z]{7}',
    'glpat-{n:27}.{l:2}{l:7}',
    { minEntropy: 3.5 },
  ),
  defineTokenRule(
    'gitlab_runner_registration_token',
    ['GitLab', 'runner registration token', 'HIGH'],
    'GR1348941',
    '[\\w-]{20}',
    'GR1348941{n:20}',
  ),
  defineTokenRule(
    'bitbucket_token',
    ['Bitbucket', 'app password or access token', 'CRITICAL'],
    ['ATBB', 'ATCTT3xFfG'],
    '[\\w=-]{24,300}',
    'ATBB{n:32}',
    { standsAlone: true, minEntropy: 3.5 },
  ),
  defineTokenRule(
    'atlassian_api_token',
    ['Atlassian', 'API token', 'CRITICAL'],
    'ATATT3xFfG',
    '[\\w=-]{100,300}',
    'ATATT3xFfG{n:178}',
    { standsAlone: true },
  ),
  defineNamedValueRule(
    'bitbucket_client_secret',
    ['Bitbucket', 'client secret', 'HIGH'],
    ['bitbucket'],
    '[a-z0-9=_-]{64}',
    'BITBUCKET_CLIENT_SECRET={n:64}',
    { minEntropy: 3.5 },
  ),
  {
    id: 'azure_devops_token',
    issuer: 'Azure DevOps',
    secretName: 'personal access token',
    severity: 'CRITICAL',
    keywords: ['azdo'],
    leadLength: 76,
    pattern: /(?<![A-Za-z0-9])([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9])/y,
    minEntropy: 3.5,
    example: '{n:76}AZDO{n:4}',
  },
  defineTokenRule(
    'circleci_token',
    ['CircleCI', 'token', 'HIGH'],
    ['CCIPAT_', 'CCIPRJ_'],
    '[A-Za-z0-9]{16,28}_[a-f0-9]{40}',
    'CCIPAT_{n:22}_{h:40}',
  ),
  defineTokenRule('buildkite_token', ['Buildkite', 'token', 'HIGH'], ['bkua_', 'bkaj_'], '[a-z0-9]{40}', 'bkua_{l:40}'),
  defineNamedValueRule(
    'travis_token',
    ['Travis CI', 'access token', 'HIGH'],
    ['travis'],
    '[a-z0-9]{22}',
    'TRAVIS_TOKEN={n:22}',
    {
      minEntropy: 3.2,
    },
  ),
  defineNamedValueRule(
    'codecov_token',
    ['Codecov', 'access token', 'MEDIUM'],
    ['codecov'],
    `(?:${UUID}|[a-z0-9]{32})`,
    'CODECOV_TOKEN={uuid}',
  ),
  defineNamedValueRule('snyk_token', ['Snyk', 'API token', 'HIGH'], ['snyk'], UUID, 'SNYK_TOKEN={uuid}'),
  defineTokenRule(
    'sonar_prefixed_token',
    ['Sonar', 'token', 'HIGH'],
    ['squ_', 'sqp_', 'sqa_'],
    '[a-f0-9]{40}',
    'squ_{h:40}',
  ),
  defineNamedValueRule(
    'sonar_token',
    ['Sonar', 'token', 'HIGH'],
    ['sonar'],
    '(?:squ_|sqp_|sqa_)?[a-z0-9=_-]{40}',
    'SONAR_TOKEN={h:40}',
  ),
  defineTokenRule('npm_token', ['npm', 'access token', 'CRITICAL'], 'npm_', '[A-Za-z0-9]{36}', 'npm_{crc62}', {
    assess: assessByChecksum('CRITICAL'),
  }),
  defineTokenRule(
    'pypi_token',
    ['PyPI', 'upload token', 'CRITICAL'],
    ['pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw'],
    '[\\w-]{50,1000}',
    'pypi-AgEIcHlwaS5vcmc{n:150}',
  ),
  defineTokenRule(
    'rubygems_token',
    ['RubyGems', 'API token', 'CRITICAL'],
    'rubygems_',
    '[a-f0-9]{48}',
    'rubygems_{h:48}',
  ),
  defineTokenRule('nuget_api_key', ['NuGet', 'API key', 'CRITICAL'], 'oy2', '[a-z0-9]{43}', 'oy2{l:43}', {
    standsAlone: true,
    minEntropy: 3.5,
  }),
  defineTokenRule('crates_io_token', ['crates.io', 'API token', 'CRITICAL'], 'cio', '[A-Za-z0-9]{32}', 'cio{n:32}', {
    standsAlone: true,
    minEntropy: 3.5,
  }),
  defineTokenRule(
    'clojars_token',
    ['Clojars', 'deploy token', 'CRITICAL'],
    'CLOJARS_',
    '[A-Za-z0-9]{60}',
    'CLOJARS_{n:60}',
  ),
  defineTokenRule(
    'docker_hub_token',
    ['Docker Hub', 'access token', 'CRITICAL'],
    ['dckr_pat_', 'dckr_oat_'],
    '[\\w-]{27,32}',
    'dckr_pat_{n:27}',
  ),
  defineTokenRule(
    'artifactory_api_key',
    ['JFrog Artifactory', 'API key', 'CRITICAL'],
    'AKCp',
    '[A-Za-z0-9]{69}',
    'AKCp{n:69}',
    {
      standsAlone: true,
      minEntropy: 3.5,
    },
  ),
  defineTokenRule(
    'artifactory_reference_token',
    ['JFrog Artifactory', 'reference token', 'CRITICAL'],
    'cmVmd',
    '[A-Za-z0-9]{59}',
    'cmVmd{n:59}',
    { standsAlone: true, minEntropy: 3.5 },
  ),
  defineNamedValueRule(
    'jfrog_identity_token',
    ['JFrog', 'identity token', 'HIGH'],
    ['jfrog', 'artifactory', 'bintray'],
    '[a-z0-9]{64,73}',
    'ARTIFACTORY_TOKEN={n:64}',
    { minEntropy: 3.5 },
  ),
  defineTokenRule(
    'postman_api_key',
    ['Postman', 'API key', 'HIGH'],
    'PMAK-',
    '[a-f0-9]{24}-[a-f0-9]{34}',
    'PMAK-{h:24}-{h:34}',
  ),
  defineTokenRule(
    'sourcegraph_token',
    ['Sourcegraph', 'access token', 'HIGH'],
    ['sgp_'],
    '(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}',
    'sgp_{h:16}_{h:40}',
  ),
];
