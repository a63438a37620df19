import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const PIECE_BYTES = 1024 * 1024;

export type FileSystem =
  /** `tmpfs` is in memory: it is fast, and becomes full at an exact byte. */
  'tmpfs' | 'ext4';

/**
 * A separate file system of a few MiB, and a file that fills it like another program would. It is unmounted when this
 * process exits.
 */
export class SmallDisk {
  readonly #image: string;
  readonly #ballast: string;

  constructor(
    readonly folder: string,
    fileSystem: FileSystem,
    megabytes: number,
  ) {
    this.#image = `${folder}.image`;
    this.#ballast = join(folder, 'ballast');
    mkdirSync(folder, { recursive: true });
    if (fileSystem === 'tmpfs') run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder);
    else {
      run('truncate', '--size', `${megabytes}M`, this.#image);
      run('mkfs.ext4', '-q', '-F', '-m', '0', '-b', '4096', this.#image);
      this.#mount('loop,errors=remount-ro');
    }
    // Must happen before the folder of the proof is removed, since that folder contains this one.
    process.prependListener('exit', () => this.unmount());
  }

  #mount(options: string): void {
    run('mount', '-o', options, this.#image, this.folder);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Fills the disk except for this many bytes. */
  takeAllBut(bytes: number): void {
    for (let takeBytes = this.freeBytes - bytes; takeBytes > 0; takeBytes = this.freeBytes - bytes) {
      try {
        appendFileSync(this.#ballast, Buffer.alloc(Math.min(takeBytes, PIECE_BYTES), 1));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        if (takeBytes <= PIECE_BYTES) return;
      }
    }
  }

  /** Frees the space again. */
  giveBack(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Simulates an error of the underlying disk, after which the kernel allows no more writes. */
  failReadOnly(): void {
    const device = basename(run('findmnt', '-n', '-o', 'SOURCE', this.folder).trim());
    writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
  }

  /** Recovers from such an error as an admin would. No file on the disk may be open. */
  repair(): void {
    run('umount', this.folder);
    // Exit code 1: errors were corrected.
    const { status, stdout } = spawnSync('fsck.ext4', ['-p', this.#image], { encoding: 'utf8' });
    if (status !== 0 && status !== 1) throw new Error(`fsck.ext4 ended with ${status}: ${stdout}`);
    this.#mount('loop,errors=remount-ro');
  }

  remountReadOnly(): void {
    run('umount', this.folder);
    this.#mount('loop,ro');
  }

  unmount(): void {
    spawnSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
    rmSync(this.#image, { force: true });
  }
}

/** Throws an error with the reason if file systems cannot be mounted here. */
export function requireMounting(folder: string): void {
  try {
    const disk = new SmallDisk(join(folder, 'trial'), 'tmpfs', 1);
    if (statSync(disk.folder).dev === statSync(folder).dev) throw new Error('it has no effect');
    disk.unmount();
  } catch (error) {
    throw new Error(`This proof mounts small file systems, which needs root and Linux: ${(error as Error).message}`);
  }
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (error) throw new Error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr.trim()}`);
  return stdout;
}
