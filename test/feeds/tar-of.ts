const BLOCK = 512;

/** An entry of a tar to be made: a regular file, unless it says something else. */
export interface TarPart {
  name: string;
  content?: string | Uint8Array;
  /** Of POSIX ustar: `1` a hard link, `2` a symbolic link, `5` a folder. */
  type?: string;
  target?: string;
  /** What the header says in the place of the size. */
  claimedSize?: string;
}

/** A tar archive (POSIX ustar) of these files; names of more than 100 characters in an extended header (pax). */
export function tarOf(parts: readonly TarPart[]): Buffer {
  const blocks = parts.flatMap((part) => {
    const { name } = part;
    const content = Buffer.from(part.content ?? '');
    if (name.length <= 100) return [header(part, content.length), padded(content)];
    const line = ` path=${name}\n`;
    const length = line.length + String(line.length + 3).length;
    const record = Buffer.from(`${length}${line}`);
    return [
      header({ name: 'pax', type: 'x' }, record.length),
      padded(record),
      header({ ...part, name: name.slice(0, 100) }, content.length),
      padded(content),
    ];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

function header({ name, type = '0', target = '', claimedSize }: TarPart, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(claimedSize ?? `${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  block.write('        ', 148);
  block.write(type, 156);
  block.write(target, 157);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}
