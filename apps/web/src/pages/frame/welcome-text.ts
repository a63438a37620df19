import type { Me } from '@hub/contract';

/** Returns the message for a user who arrives through a link, or null: after the setup, the first Hub says it all. */
export function welcomeText(kind: string | null, { name, workspace }: Pick<Me, 'name' | 'workspace'>): string | null {
  if (kind === 'invitation') return `Welcome to ${workspace.name}, ${name}.`;
  if (kind === 'password_reset') return "Password changed. You've been signed out everywhere else.";
  return null;
}
