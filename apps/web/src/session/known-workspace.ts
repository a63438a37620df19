const KEY = 'hub.workspace';

/**
 * What the workspace is called, for the way in. The server tells its name to nobody who has not signed in; a browser in which
 * somebody has knows it from then on.
 */
export function knownWorkspace(): string | null {
  return localStorage.getItem(KEY);
}

export function rememberWorkspace(name: string): void {
  localStorage.setItem(KEY, name);
}
