import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The path of the files of the web app. */
export const WEB_ASSETS_PATH = '/app';

/** The output of `bun apps/web/build.ts`. */
export interface WebApp {
  readonly folder: string;
  readonly page: string;
  readonly offlinePage: string;
  readonly serviceWorker: string;
  readonly webManifest: string;
  /** The names of the other files, each with a hash of its content in the name. */
  readonly files: readonly string[];
}

/** Reads the last build in `folder`; null if there is none. */
export function readWebApp(folder: string): WebApp | null {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Omit<WebApp, 'folder'>;
    return { folder, ...manifest };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
