/** The thread that hashes files that were stored; `hashThread` in file-folder.ts starts it. */
import { sha256Of } from './engine/private-file.ts';

declare const self: Worker;

/** The SHA-256 of a file, in hexadecimal, or why it could not be read. */
export type FromHashWorker = { sha256: string } | { message: string };

self.onmessage = ({ data: path }: MessageEvent<string>) => {
  try {
    self.postMessage({ sha256: sha256Of(path) } satisfies FromHashWorker);
  } catch (error) {
    self.postMessage({ message: String(error) } satisfies FromHashWorker);
  }
};
