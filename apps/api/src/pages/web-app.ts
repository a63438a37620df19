import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where browsers find the files of the web app. */
export const WEB_ASSETS_PATH = '/app';

/** What `bun apps/web/build.ts` has made, and where it lies. */
export interface WebApp {
  readonly folder: string;
  /** The one page, which shows what its address asks for. */
  readonly page: string;
  /** The page for those who are offline. */
  readonly offlinePage: string;
  readonly serviceWorker: string;
  /** By which browsers install the pages. */
  readonly webManifest: string;
  /** Names with a hash of the content in them. */
  readonly files: readonly string[];
}

/** The last build in `folder`; `null` if there is none. */
export function readWebApp(folder: string): WebApp | null {
  try {
    const made = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Omit<WebApp, 'folder'>;
    return { folder, ...made };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
