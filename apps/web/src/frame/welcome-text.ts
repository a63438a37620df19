import type { Me } from '@hub/contract';

/** What is said to somebody who has come through a link; `null` to everybody else. */
export function welcomeText(kind: string | null, { name, workspace }: Pick<Me, 'name' | 'workspace'>): string | null {
  if (kind === 'setup') return `The server is yours, ${name}.`;
  if (kind === 'invitation') return `Welcome to ${workspace.name}, ${name}.`;
  if (kind === 'password_reset') return 'The new password is set. You are signed out everywhere else.';
  return null;
}
