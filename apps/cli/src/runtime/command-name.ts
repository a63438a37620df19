import type { Deps } from './deps.ts';

/**
 * How to call hubctl again as it was called now, for the commands that people are told to type next: through npx or Bun in
 * the repository, where package managers say so in the environment, else by its own name.
 */
export function commandName(env: Deps['env']): string {
  if (env.npm_lifecycle_event !== 'hubctl') return 'hubctl';
  const isNpx = /[\\/]_npx[\\/]/.test(env.PATH ?? '') || env.npm_config_user_agent?.startsWith('npm/');
  return isNpx ? 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl' : 'bun run hubctl';
}

/** The first words of commands. */
const WORDS =
  'post|hubs|users|keys|tail|login|logout|whoami|profiles|status|setup-link|doctor|backup|restore|completion';

/** `hubctl` where a command begins, as against a sentence about hubctl. */
const COMMAND = new RegExp(`(?<![\\w/.-])hubctl(?= (?:--[a-z]|(?:${WORDS})(?![\\w-])))`, 'g');

/** Advice with its commands written so that they can be typed as this one was. */
export function typeable(advice: string, env: Deps['env']): string {
  return advice.replaceAll(COMMAND, () => commandName(env));
}
