import { closeSync, openSync, readSync, statSync } from 'node:fs';

const MIB = 1024 * 1024;
/** Bun alone has about 90 MiB. */
const MIN_BYTES = 50 * MIB;
const MAX_BYTES = 150 * MIB;
const HEADER_BYTES = 1024;

/** Machine codes: ELF (e_machine), Mach-O (cputype) and PE (Machine). */
const ELF_MACHINES: Record<number, string> = { 62: 'x64', 183: 'arm64' };
const MACH_O_MACHINES: Record<number, string> = { 16777223: 'x64', 16777228: 'arm64' };
const PE_MACHINES: Record<number, string> = { 34404: 'x64', 43620: 'arm64' };
const MACH_O_64 = 0xfeedfacf;

/** Returns the system and processor that a program was built for, such as `linux-x64`, from its first kilobyte. */
export function executableFormat(header: Buffer): string {
  if (header.length < 64) return 'unknown';
  if (header.toString('latin1', 0, 4) === '\x7fELF') return `linux-${ELF_MACHINES[header.readUInt16LE(18)]}`;
  if (header.readUInt32LE(0) === MACH_O_64) return `darwin-${MACH_O_MACHINES[header.readUInt32LE(4)]}`;
  const peAt = header.readUInt32LE(60);
  const isPe = header.toString('latin1', 0, 2) === 'MZ' && header.toString('latin1', peAt, peAt + 4) === 'PE\0\0';
  return isPe ? `windows-${PE_MACHINES[header.readUInt16LE(peAt + 4)]}` : 'unknown';
}

/** @throws if a program was not built for `target` (`linux-x64-musl`), or does not have the size of one. */
export function requireExecutable(file: string, target: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(file, 'r');
  const length = readSync(handle, header);
  closeSync(handle);
  const format = executableFormat(header.subarray(0, length));
  if (format !== target.replace('-musl', '')) throw new Error(`${file} is a program for ${format}, not for ${target}.`);
  const isMusl = header.includes('/lib/ld-musl-');
  if (format.startsWith('linux-') && isMusl !== target.endsWith('-musl')) {
    throw new Error(`${file} needs ${isMusl ? 'musl' : 'glibc'}, but ${target} needs the other.`);
  }
  const { size } = statSync(file);
  if (size < MIN_BYTES || size > MAX_BYTES) throw new Error(`${file} has ${Math.round(size / MIB)} MiB.`);
}
