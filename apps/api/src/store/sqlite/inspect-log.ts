import { readFileSync, statSync } from 'node:fs';

/** From sqlite.org/fileformat2.html, section 4. */
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Of a frame header, what its checksum covers beside the page. */
const COVERED_BYTES = 8;
/** A log is some MiB long. One that could not be emptied for hours is not looked through, or the start would take too long. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;
const LITTLE_ENDIAN_MAGIC = 0x377f0682;

/**
 * How many commits stand in the log of a database behind a frame that is not as it was written. SQLite takes a log up to there and no
 * further, since after a power cut nothing whole can follow; what does follow was damaged later. One commit may be the rest of
 * a flush that failed, which is no loss. To be asked before SQLite opens the database, and writes there anew.
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
    // From here on the log is of an earlier time.
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

/** The running checksum of the log: over pairs of words, each with what came before. */
function add([first, second]: Sums, bytes: Buffer): Sums {
  let [sum, other] = [first, second];
  for (let place = 0; place < bytes.length; place += 8) {
    sum = (sum + bytes.readUInt32LE(place) + other) >>> 0;
    other = (other + bytes.readUInt32LE(place + 4) + sum) >>> 0;
  }
  return [sum, other];
}
