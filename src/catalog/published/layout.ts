import { join } from 'node:path';

/** Names of the two kinds of files whose content changes; all others are named by what they hold. */
export const TIMESTAMP_FILE = 'timestamp.txt';

export function rootFileName(version: number): string {
  return `${version}.root.txt`;
}

/** Versions of this program with another schema publish and follow in the same place beside each other. */
export function schemaFolderName(schemaVersion: number): string {
  return `schema-${schemaVersion}`;
}

export function schemaFolder(folder: string, schemaVersion: number): string {
  return join(folder, schemaFolderName(schemaVersion));
}
