import type { Me } from '@hub/contract';

/** Returns the welcome message for a user who arrives through a link, or null. */
export function welcomeText(kind: string | null, { name, workspace }: Pick<Me, 'name' | 'workspace'>): string | null {
  if (kind === 'setup') return `Your server is ready, ${name}.`;
  if (kind === 'invitation') return `Welcome to ${workspace.name}, ${name}.`;
  if (kind === 'password_reset') return "Password changed. You've been signed out everywhere else.";
  return null;
}
