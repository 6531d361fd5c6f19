const BLOCK = 512;

/** A tar archive (POSIX ustar) of these files; names of more than 100 characters in an extended header (pax). */
export function tarOf(files: readonly { name: string; content: string }[]): Buffer {
  const parts = files.flatMap(({ name, content }) => {
    if (name.length <= 100) return [header(name, content.length, '0'), padded(content)];
    const line = ` path=${name}\n`;
    const length = line.length + String(line.length + 3).length;
    const record = `${length}${line}`;
    return [
      header('pax', record.length, 'x'),
      padded(record),
      header(name.slice(0, 100), content.length, '0'),
      padded(content),
    ];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(name: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('        ', 148);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function padded(content: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
}
