import { loadOrCreateInstallationSecret } from '../../../src/access/installation-secret.ts';

const [folder = ''] = process.argv.slice(2);
process.stdout.write(loadOrCreateInstallationSecret(folder, null));
