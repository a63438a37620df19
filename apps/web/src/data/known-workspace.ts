const KEY = 'hub.workspace';

/**
 * Returns the workspace name for the sign-in page. The server does not reveal it until a user signs in; from then on,
 * the browser remembers it.
 */
export function knownWorkspace(): string | null {
  return localStorage.getItem(KEY);
}

export function rememberWorkspace(name: string): void {
  localStorage.setItem(KEY, name);
}
