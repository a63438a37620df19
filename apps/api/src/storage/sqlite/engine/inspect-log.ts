import { readFileSync, statSync } from 'node:fs';

/** From sqlite.org/fileformat2.html, section 4. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The part of a frame header that the checksum covers in addition to the page. */
const COVERED_BYTES = 8;
/** A larger log, which could not be emptied for hours, would delay the start too long. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
const LITTLE_ENDIAN_MAGIC = 0x377f0682;

/**
 * Counts the commits that follow a damaged frame in the log. SQLite uses a log only up to that frame, since after a
 * power failure nothing intact can follow it. If intact commits do follow, they are lost; one of them may be left over
 * from a failed flush, which is no loss. Must run before SQLite opens the database and overwrites the log.
 */
export function commitsBehindDamage(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < LOG_HEADER_BYTES || size > MAX_LOG_BYTES) return 0;
  const log = readFileSync(file);
  if (log.readUInt32BE(0) !== LITTLE_ENDIAN_MAGIC) return 0;
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let sums: Sums = [log.readUInt32BE(24), log.readUInt32BE(28)];
  let isWhole = true;
  let behind = 0;
  for (let start = LOG_HEADER_BYTES; start + frameBytes <= log.length; start += frameBytes) {
    const frame = log.subarray(start, start + frameBytes);
    // The rest of the log is left over from before it was last reused.
    if (!frame.subarray(8, 16).equals(salts)) break;
    if (isWhole) {
      sums = add(add(sums, frame.subarray(0, COVERED_BYTES)), frame.subarray(FRAME_HEADER_BYTES));
      isWhole = sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20);
    }
    const isCommit = frame.readUInt32BE(4) !== 0;
    if (!isWhole && isCommit) behind += 1;
  }
  return behind;
}

type Sums = [number, number];

/** Continues the cumulative checksum of the log, which is computed over pairs of 32-bit words. */
function add([first, second]: Sums, bytes: Buffer): Sums {
  let [sum, other] = [first, second];
  for (let offset = 0; offset < bytes.length; offset += 8) {
    sum = (sum + bytes.readUInt32LE(offset) + other) >>> 0;
    other = (other + bytes.readUInt32LE(offset + 4) + sum) >>> 0;
  }
  return [sum, other];
}
