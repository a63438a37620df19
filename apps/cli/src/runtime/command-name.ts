import type { Deps } from './deps.ts';

/**
 * Returns how hubctl was called, for suggested commands: through npx or Bun in the repository, according to the
 * environment variables of package managers, else by its own name.
 */
export function commandName(env: Deps['env']): string {
  if (env.npm_lifecycle_event !== 'hubctl') return 'hubctl';
  const isNpx = /[\\/]_npx[\\/]/.test(env.PATH ?? '') || env.npm_config_user_agent?.startsWith('npm/');
  return isNpx ? 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl' : 'bun run hubctl';
}

/** The names of the top-level commands. */
const WORDS =
  'post|hubs|users|keys|tail|login|logout|whoami|profiles|status|setup-link|doctor|backup|restore|completion';

/** Matches `hubctl` at the start of a command, not in a sentence about hubctl. */
const COMMAND = new RegExp(`(?<![\\w/.-])hubctl(?= (?:--[a-z]|(?:${WORDS})(?![\\w-])))`, 'g');

/** Rewrites the commands in a hint so that they call hubctl the same way as the user did. */
export function typeable(advice: string, env: Deps['env']): string {
  return advice.replaceAll(COMMAND, () => commandName(env));
}
