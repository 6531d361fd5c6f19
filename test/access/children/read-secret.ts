import { installationSecret } from '../../../src/access/secret.ts';

const [folder = ''] = process.argv.slice(2);
process.stdout.write(installationSecret(folder, null));
