import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32 } from '@hub/contract/key-token';
import type { Deps } from '../../runtime/deps.ts';
import { failed, fileReason } from '../../runtime/errors.ts';
import { flushFolder, isOtherProcess, writeNewFile } from '../../runtime/files.ts';
import { type Attachment, blobOf } from './attachments.ts';
import type { Delivery, PostKind } from './deliver.ts';

/** A post as it is kept. It names the key, but does not contain it. */
export interface KeptPost {
  kind: PostKind;
  /** The fields of the item. */
  input: object;
  runMarker: string | null;
  /** The files to attach: their names, and those of the copies in the outbox. */
  attachments?: readonly { name: string; file: string }[] | undefined;
  /** The URL of the server, or `unix:` and the path of its admin socket. */
  server: string;
  /** The hint of the key, such as `hub_live_…WXYZ`. */
  key: string;
  keptAt: string;
  /** Why the last attempt failed; `null` if there was none. */
  reason: string | null;
}

/**
 * `pending`: not sent. `queued`: not sent, and a running hubctl is about to send it. `sending`: a running hubctl is
 * sending it. `uncertain`: it may have arrived. `rejected`: the server does not accept it.
 */
export type EntryState = 'pending' | 'queued' | 'sending' | 'uncertain' | 'rejected';

interface Entry {
  /** Sorts by the time at which the post was kept. */
  id: string;
  /** A checksum of the server and the key. */
  target: string;
  state: EntryState;
  /** The name of the file. */
  file: string;
  /** The process that a queued or sending entry belongs to, and until when, in milliseconds since 1970. */
  owner?: { pid: number; host: string; untilMs: number };
}

/** The server and the key of a post. */
export type Target = Pick<KeptPost, 'server' | 'key'>;

const FILE =
  /^([0-9a-z]+-[0-9a-z]+)\.([0-9a-z]+)\.(pending|uncertain|rejected|(queued|sending)-(\d+)-([0-9a-z]+)-(\d+))\.json$/;

/** The server blocks a key for at most this long. A later time in a file is wrong, for example after a clock change. */
export const MAX_PAUSE_MS = 300_000;
/** A request can take this much longer than its timeout: retries of refused connections, and a slow disk. */
const LEASE_MARGIN_MS = 15_000;

let added = 0;

/**
 * A directory with one file per post. The state of a post is part of its file's name, so a rename changes it, and of two
 * processes that rename the same file only one succeeds. A post is marked as `sending` on disk before its request
 * starts. If the process is killed, the next one finds the mark, and the post is `uncertain`: it is never sent again
 * without a request from a user.
 */
export class OutboxFolder {
  readonly path: string;
  readonly #clock: Deps['clock'];
  readonly #host: string;
  readonly #own = new Set<string>();

  /** Creates the directory if it does not exist. @throws if other users can access it. */
  constructor(path: string, deps: Pick<Deps, 'clock' | 'hostname'>) {
    this.path = resolve(path);
    this.#clock = deps.clock;
    this.#host = crc32(deps.hostname).toString(36);
    requirePrivate(this.path);
  }

  /** Keeps a post, for this process to send within `leaseMs`. Returns its ID. */
  async add(post: Delivery & Target, leaseMs: number): Promise<string> {
    const id = this.#newId();
    this.#own.add(id);
    const attachments = await this.#keepFiles(id, post.attachments ?? []);
    const kept: KeptPost = { ...post, attachments, keptAt: new Date(this.#clock.now()).toISOString(), reason: null };
    await this.#write(this.#name({ id, target: targetOf(post) }, 'queued', leaseMs), kept, false);
    return id;
  }

  /** Returns all entries in the order in which they were kept. Entries of processes that ended change their state. */
  entries(): Entry[] {
    const entries = readdirSync(this.path).flatMap((file) => parseName(file) ?? []);
    return entries.map((entry) => this.#withoutDeadOwner(entry)).sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Returns whether another running process is going to send the entry or is sending it. */
  isBusy({ id, owner }: Entry): boolean {
    return owner !== undefined && !this.#own.has(id);
  }

  /** Returns the files of a post, in the outbox. */
  attachmentsOf({ attachments = [] }: KeptPost): Attachment[] {
    return attachments.map(({ name, file }) => ({ name, content: join(this.path, file) }));
  }

  /** Returns the post, or `null` if the file is damaged or gone. */
  read({ file }: Entry): KeptPost | null {
    try {
      const post = JSON.parse(readFileSync(join(this.path, file), 'utf8')) as KeptPost;
      const texts = [post.kind, post.server, post.key, post.keptAt];
      return texts.every((text) => typeof text === 'string') && typeof post.input === 'object' ? post : null;
    } catch {
      return null;
    }
  }

  /** Marks an entry as being sent, on disk. Returns `null` if another process was faster. */
  claim(entry: Entry, timeoutMs: number): Entry | null {
    const claimed = this.change(entry, 'sending', timeoutMs + LEASE_MARGIN_MS);
    // Without this flush, a power failure could undo the mark of a post that has arrived.
    if (claimed) flushFolder(this.path);
    return claimed;
  }

  /** Changes the state of an entry. Returns `null` if another process was faster. */
  change(entry: Entry, state: EntryState, leaseMs?: number): Entry | null {
    const file = this.#name(entry, state, leaseMs);
    try {
      renameSync(join(this.path, entry.file), join(this.path, file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    return parseName(file);
  }

  /** Changes the state of an entry that this process was sending, and records why. */
  async giveBack(claimed: Entry, state: EntryState, post: KeptPost | null, reason: string): Promise<void> {
    // Another process has already marked it as uncertain, because this one took too long.
    if (!this.has(claimed)) return;
    // The order matters: under its own name, no other process touches the file while it is replaced.
    if (post) await this.#write(claimed.file, { ...post, reason }, true);
    this.change(claimed, state);
  }

  has({ file }: Entry): boolean {
    return statSync(join(this.path, file), { throwIfNoEntry: false }) !== undefined;
  }

  /** Removes an entry, even if another process has marked it as uncertain. Returns whether it was still there. */
  remove(entry: Entry): boolean {
    const marked = ({ id, state }: Entry) => id === entry.id && state === 'uncertain';
    const current = this.has(entry) ? entry : this.entries().find(marked);
    if (!current) return false;
    try {
      unlinkSync(join(this.path, current.file));
      for (const file of readdirSync(this.path))
        if (file.startsWith(`${entry.id}.file-`)) unlinkSync(join(this.path, file));
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  /** Returns how long to wait before the next request with this key, in milliseconds. */
  pauseMs(target: string): number {
    try {
      const { notBeforeMs } = JSON.parse(readFileSync(join(this.path, `${target}.pace`), 'utf8')) as {
        notBeforeMs: number;
      };
      const pause = notBeforeMs - this.#clock.now();
      return pause > 0 && pause <= MAX_PAUSE_MS ? pause : 0;
    } catch {
      return 0;
    }
  }

  /** Records that the key must not be used for a while, for this and all later processes. */
  pause(target: string, seconds: number): void {
    const notBeforeMs = this.#clock.now() + seconds * 1000;
    writeFileSync(join(this.path, `${target}.pace`), JSON.stringify({ notBeforeMs }), { mode: 0o600 });
  }

  #withoutDeadOwner(entry: Entry): Entry {
    const { owner, state } = entry;
    if (owner === undefined || this.#own.has(entry.id)) return entry;
    const isGone = owner.host === this.#host && !isOtherProcess(owner.pid);
    if (!isGone && this.#clock.now() <= owner.untilMs) return entry;
    return this.change(entry, state === 'sending' ? 'uncertain' : 'pending') ?? entry;
  }

  /** Copies files before the post refers to them, since they may be gone when it is sent. */
  async #keepFiles(id: string, attachments: readonly Attachment[]) {
    const kept: { name: string; file: string }[] = [];
    for (const [index, { name, content }] of attachments.entries()) {
      const file = `${id}.file-${index}`;
      await writeNewFile(join(this.path, file), (await blobOf(content)).stream(), false);
      kept.push({ name, file });
    }
    return kept;
  }

  async #write(file: string, post: KeptPost, mayReplace: boolean): Promise<void> {
    await writeNewFile(join(this.path, file), [Buffer.from(JSON.stringify(post))], mayReplace);
  }

  #name({ id, target }: Pick<Entry, 'id' | 'target'>, state: EntryState, leaseMs = 0): string {
    const hasOwner = state === 'queued' || state === 'sending';
    const owner = hasOwner ? `-${process.pid}-${this.#host}-${Math.ceil(this.#clock.now() + leaseMs)}` : '';
    return `${id}.${target}.${state}${owner}.json`;
  }

  #newId(): string {
    added += 1;
    const time = this.#clock.now().toString(36).padStart(9, '0');
    return `${time}${(added % 36 ** 3).toString(36).padStart(3, '0')}-${this.#host}${process.pid.toString(36)}`;
  }
}

/** Returns the checksum of a server and a key that is part of a file's name. */
export function targetOf({ server, key }: Target): string {
  return crc32(`${encodeURI(server)} ${encodeURI(key)}`).toString(36);
}

function parseName(file: string): Entry | null {
  const [, id, target, name, owned, pid, host, until] = FILE.exec(file) ?? [];
  if (id === undefined || target === undefined || name === undefined) return null;
  const state = (owned ?? name) as EntryState;
  if (pid === undefined || host === undefined) return { id, target, state, file };
  return { id, target, state, file, owner: { pid: Number(pid), host, untilMs: Number(until) } };
}

function requirePrivate(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw failed('failed', `Cannot create the outbox ${path}: ${fileReason(error)}.`, 'Choose another directory.');
  }
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own) {
    throw failed('failed', `The outbox ${path} belongs to another user.`, 'Choose a directory of your own.');
  }
  if ((mode & 0o077) === 0) return;
  throw failed(
    'failed',
    `Other users can access the outbox ${path} (mode ${(mode & 0o777).toString(8)}), which holds your posts.`,
    `Restrict it: chmod 700 ${path}`,
  );
}
