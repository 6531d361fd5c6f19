import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Makes stack traces of the build name the source. A map is read when a stack trace names its file; `process.setSourceMapsEnabled` would
 * read all of them at the start, and keep them.
 */
export function nameSourceInStackTraces(): void {
  const maps = new Map<string, SourceMap | null>();
  Error.prepareStackTrace = (error, frames) =>
    [Error.prototype.toString.call(error), ...frames.map((frame) => `    at ${describeFrame(frame, maps)}`)].join('\n');
}

function describeFrame(frame: NodeJS.CallSite & { toString(): string }, maps: Map<string, SourceMap | null>): string {
  const text = frame.toString();
  const [file, line, column] = [frame.getFileName(), frame.getLineNumber(), frame.getColumnNumber()];
  if (!file?.startsWith('file:') || line === null || column === null) return text;
  const found = mapOf(file, maps)?.findOrigin(line, column);
  if (found === undefined || !('fileName' in found)) return text;
  const source = new URL(found.fileName, file).href;
  return text.replace(`${file}:${line}:${column}`, () => `${source}:${found.lineNumber}:${found.columnNumber}`);
}

/** The map of a file; null: it has none. */
function mapOf(file: string, maps: Map<string, SourceMap | null>): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) maps.set(file, (map = readMap(file)));
  return map;
}

function readMap(file: string): SourceMap | null {
  try {
    const { gunzipSync } = process.getBuiltinModule('node:zlib');
    return new SourceMap(JSON.parse(gunzipSync(readFileSync(new URL(`${file}.map.gz`))).toString()));
  } catch {
    // Without its map a frame names the file of the build.
    return null;
  }
}
